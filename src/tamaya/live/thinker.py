"""Bots in processes of their own, so that no table waits for another table's bot."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import cache

from tamaya.bots import Bot, Company, Thought, make_bot, safe_action
from tamaya.bots.seated import legal_choice
from tamaya.engine import View
from tamaya.live.processes import ignore_outcome, kill, new_pool
from tamaya.rules import Rules
from tamaya.table.meter import UNMETERED, Meter, timed

LONGEST_THOUGHT = 10.0


class ProcessThinker:
    """Runs bots in a pool of processes. A bot that fails, stalls or answers nonsense is replaced for that turn.

    `make` finds the bot of a name: by default one of the house or of an installed package.
    """

    def __init__(
        self,
        workers: int = 1,
        longest: float = LONGEST_THOUGHT,
        make: Callable[[str], Bot] = make_bot,
        meter: Meter = UNMETERED,
    ) -> None:
        self._workers, self._longest, self._make, self._meter = workers, longest, make, meter
        self._free = asyncio.Semaphore(workers)
        self._pool: ProcessPoolExecutor | None = None

    async def think(self, bot: str, view: View, table: str = "", lineup: Sequence[str] = ()) -> Thought:
        """The bot's action, or a safe one if none comes in time. Its time counts from when a process is free for it."""
        with timed(self._meter, "bot_wait", "plain", queue="bot"):
            await self._free.acquire()
        try:
            with timed(self._meter, "bot_think", "plain"):
                return await self._think(bot, view, table, lineup)
        finally:
            self._free.release()

    async def _think(self, bot: str, view: View, table: str, lineup: Sequence[str]) -> Thought:
        self._pool = self._pool or new_pool(self._workers)
        turn = (bot, view, table, tuple(lineup))
        answer, broken = await self._answer(self._pool, *turn)
        if broken:  # by this bot or another table's: it tries again on its own, where it can harm nobody
            alone = new_pool(1)
            try:
                answer, broken = await self._answer(alone, *turn)
            finally:
                kill(alone)
        thought = answer or Thought(safe_action(view), problem="its process ended" if broken else "it took too long")
        action = legal_choice(thought.action, view.legal_actions)
        if action is None:  # it changed what it was shown
            return Thought(safe_action(view), problem="its action is not legal")
        return replace(thought, action=action)

    def expect(self, bot: str, rules: Rules) -> None:
        """Nothing takes long here before a bot can play."""

    async def _answer(
        self, pool: ProcessPoolExecutor, bot: str, view: View, table: str, lineup: tuple[str, ...]
    ) -> tuple[Thought | None, bool]:
        """What a bot answers, and whether the pool broke instead. A pool that broke or stalls is given up."""
        try:
            thought = asyncio.get_running_loop().run_in_executor(pool, take_turn, self._make, bot, view, table, lineup)
        except BrokenProcessPool:  # its processes ended while nobody thought
            self._give_up(pool)
            return None, True
        thought.add_done_callback(ignore_outcome)
        done, _ = await asyncio.wait((thought,), timeout=self._longest)
        problem = thought.exception() if done else None
        if done and not isinstance(problem, BrokenProcessPool):
            failed = problem and Thought(safe_action(view), problem=type(problem).__name__)
            return failed or thought.result(), False
        self._give_up(pool)
        return None, bool(done)

    def _give_up(self, pool: ProcessPoolExecutor) -> None:
        """Abandon a pool; the next thought starts another."""
        if pool is self._pool:
            self._pool = None
            kill(pool)

    async def close(self) -> None:
        """End the processes."""
        if pool := self._pool:
            self._give_up(pool)
            await asyncio.to_thread(pool.shutdown)
            del pool
            gc.collect()  # the system's semaphores go with the pool, and not before


@cache
def _company(make: Callable[[str], Bot]) -> Company:
    """The bots of this process."""
    return Company(make)


def take_turn(make: Callable[[str], Bot], bot: str, view: View, table: str, lineup: tuple[str, ...] = ()) -> Thought:
    """A bot's turn, inside a worker; if its last turn was taken here, the bot goes on with what it remembers."""
    return _company(make).think(bot, view, table, lineup)
