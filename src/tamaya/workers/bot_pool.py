"""Bots in processes of their own: a queue, a timeout and a safe fallback."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import cache

from tamaya.bots import BOTS, Bot, BotMove, BotRunner, fallback_action, make_bot
from tamaya.bots.runner import legal_choice
from tamaya.engine import View
from tamaya.rules import Rules
from tamaya.table.telemetry import NO_METRICS, Metrics, timed
from tamaya.workers.processes import ignore_outcome, kill, new_pool

CROWDED = "too many bots were waiting"


class BotPool:
    """Lets so many bots think at a time, and at most `most` others wait, in the order in which they came: a table waits for one
    turn at a time, so none gets ahead of another. Its processes are started when the first bot plays.

    A bot that fails, stalls or answers nonsense is replaced for that turn; so is one that finds the queue full. `kind` is what
    its meter calls the bots that think here.
    """

    def __init__(self, kind: str, workers: int, longest: float, make: Callable[[str], Bot], meter: Metrics, most: int) -> None:
        self._kind, self._workers, self._longest, self._make = kind, workers, longest, make
        self._meter, self._most, self._waiting = meter, most, 0
        self._free = asyncio.Semaphore(workers)
        self._working = set[asyncio.Task[BotMove]]()
        self._pool: ProcessPoolExecutor | None = None

    async def think(self, bot: str, view: View, table: str, lineup: Sequence[str]) -> BotMove:
        """The bot's action, or a safe one if none comes in time. Its time counts from when a process is free for it; who stops
        waiting before leaves the queue."""
        if not await self._is_next():
            return BotMove(fallback_action(view), problem=CROWDED)
        task = asyncio.get_running_loop().create_task(self._think(bot, view, table, tuple(lineup)))
        self._working.add(task)
        task.add_done_callback(self._is_done)
        return await asyncio.shield(task)

    async def _is_next(self) -> bool:
        """Wait for a process; whether there was room to wait."""
        if self._waiting >= self._most:
            self._meter.count("bot_given_up", self._kind)
            return False
        self._waiting += 1
        try:
            with timed(self._meter, "bot_wait", self._kind, queue="bot"):
                await self._free.acquire()
        finally:
            self._waiting -= 1
        return True

    def _is_done(self, task: asyncio.Task[BotMove]) -> None:
        """Let the next one think. While nobody waits for an answer any more, its process is not free all the same."""
        self._working.discard(task)
        self._free.release()
        ignore_outcome(task)

    async def _think(self, bot: str, view: View, table: str, lineup: tuple[str, ...]) -> BotMove:
        with timed(self._meter, "bot_think", self._kind):
            thought = await self._answer_of(bot, view, table, lineup)
        action = legal_choice(thought.action, view.legal_actions)
        if action is None:  # it changed what it was shown
            return BotMove(fallback_action(view), problem="its action is not legal")
        return replace(thought, action=action)

    async def _answer_of(self, bot: str, view: View, table: str, lineup: tuple[str, ...]) -> BotMove:
        self._pool = self._pool or new_pool(self._workers)
        turn = (bot, view, table, lineup)
        answer, broken = await self._answer(self._pool, *turn)
        if broken:  # by this bot or another table's: it tries again on its own, where it can harm nobody
            alone = new_pool(1)
            try:
                answer, broken = await self._answer(alone, *turn)
            finally:
                kill(alone)
        return answer or BotMove(fallback_action(view), problem="its process ended" if broken else "it took too long")

    async def _answer(
        self, pool: ProcessPoolExecutor, bot: str, view: View, table: str, lineup: tuple[str, ...]
    ) -> tuple[BotMove | None, bool]:
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
            failed = problem and BotMove(fallback_action(view), problem=type(problem).__name__)
            return failed or thought.result(), False
        self._give_up(pool)
        return None, bool(done)

    def _give_up(self, pool: ProcessPoolExecutor) -> None:
        """Abandon a pool; the next thought starts another."""
        if pool is self._pool:
            self._pool = None
            kill(pool)

    async def close(self) -> None:
        """End the processes, whatever they are doing."""
        for task in self._working:
            task.cancel()
        await asyncio.gather(*self._working, return_exceptions=True)
        if pool := self._pool:
            self._give_up(pool)
            await asyncio.to_thread(pool.shutdown)
            del pool
            gc.collect()  # the system's semaphores go with the pool, and not before


@cache
def _company(make: Callable[[str], Bot]) -> BotRunner:
    """The bots of this process."""
    return BotRunner(make)


def take_turn(make: Callable[[str], Bot], bot: str, view: View, table: str, lineup: tuple[str, ...] = ()) -> BotMove:
    """A bot's turn, inside a worker; if its last turn was taken here, the bot goes on with what it remembers."""
    return _company(make).think(bot, view, table, lineup)


LONGEST_THOUGHT = 10.0
MOST_WAITING = 1000
"""How many turns wait for a process at most, of each of the two kinds of bots: room for all tables of a full server, whose bots
a restart may wake at once."""


class PoolBotExecutor:
    """Runs bots in processes. Those of the house answer in milliseconds; those of others, who may take all their time, have as
    many processes and a queue of their own, so that no bot of the house waits behind them.

    `make` finds the bot of a name: by default one of the house or of an installed package.
    """

    def __init__(
        self,
        workers: int = 1,
        longest: float = LONGEST_THOUGHT,
        make: Callable[[str], Bot] = make_bot,
        meter: Metrics = NO_METRICS,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        self._house, self._foreign = (
            BotPool(kind, workers, longest, make, meter, most_waiting) for kind in ("plain", "foreign")
        )

    async def choose_move(self, bot: str, view: View, table: str = "", lineup: Sequence[str] = ()) -> BotMove:
        """The bot's action, or a safe one if none comes in time, or if too many wait."""
        pool = self._house if bot in BOTS else self._foreign
        return await pool.think(bot, view, table, lineup)

    def prewarm(self, bot: str, rules: Rules) -> None:
        """Nothing takes long here before a bot can play."""

    async def close(self) -> None:
        """End the processes."""
        await asyncio.gather(self._house.close(), self._foreign.close())
