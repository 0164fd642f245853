"""Bots in worker processes: a queue, a timeout and a safe fallback."""

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

QUEUE_FULL = "too many bots were waiting"


class BotPool:
    """Runs bots' turns in `workers` processes, started on demand, with a first-come queue of at most `max_waiting` turns.

    A bot that fails, times out or returns an illegal action is replaced for that turn, as is one that finds the queue full.
    `kind` is the pool's metric label.
    """

    def __init__(
        self, kind: str, workers: int, timeout: float, make: Callable[[str], Bot], meter: Metrics, max_waiting: int
    ) -> None:
        self._kind, self._workers, self._timeout, self._make = kind, workers, timeout, make
        self._meter, self._max_waiting, self._waiting = meter, max_waiting, 0
        self._free = asyncio.Semaphore(workers)
        self._tasks = set[asyncio.Task[BotMove]]()
        self._pool: ProcessPoolExecutor | None = None

    async def think(self, bot: str, view: View, table: str, lineup: Sequence[str]) -> BotMove:
        """The bot's action, or a safe one if none comes in time. The timeout starts once a process is free; a caller that is
        cancelled before then leaves the queue."""
        if not await self._acquire():
            return BotMove(fallback_action(view), problem=QUEUE_FULL)
        task = asyncio.get_running_loop().create_task(self._think(bot, view, table, tuple(lineup)))
        self._tasks.add(task)
        task.add_done_callback(self._release)
        return await asyncio.shield(task)

    async def _acquire(self) -> bool:
        """Wait for a free process; False if the queue is full."""
        if self._waiting >= self._max_waiting:
            self._meter.count("bot_given_up", self._kind)
            return False
        self._waiting += 1
        try:
            with timed(self._meter, "bot_wait", self._kind, queue="bot"):
                await self._free.acquire()
        finally:
            self._waiting -= 1
        return True

    def _release(self, task: asyncio.Task[BotMove]) -> None:
        """Free the process once its turn is done, even if the caller was cancelled before."""
        self._tasks.discard(task)
        self._free.release()
        ignore_outcome(task)

    async def _think(self, bot: str, view: View, table: str, lineup: tuple[str, ...]) -> BotMove:
        with timed(self._meter, "bot_think", self._kind):
            thought = await self._ask_with_retry(bot, view, table, lineup)
        action = legal_choice(thought.action, view.legal_actions)
        if action is None:  # the bot changed its view
            return BotMove(fallback_action(view), problem="its action is not legal")
        return replace(thought, action=action)

    async def _ask_with_retry(self, bot: str, view: View, table: str, lineup: tuple[str, ...]) -> BotMove:
        self._pool = self._pool or new_pool(self._workers)
        turn = (bot, view, table, lineup)
        answer, broken = await self._ask(self._pool, *turn)
        if broken:  # by this bot or another table's: retry in a new process
            alone = new_pool(1)
            try:
                answer, broken = await self._ask(alone, *turn)
            finally:
                kill(alone)
        return answer or BotMove(fallback_action(view), problem="its process ended" if broken else "it took too long")

    async def _ask(
        self, pool: ProcessPoolExecutor, bot: str, view: View, table: str, lineup: tuple[str, ...]
    ) -> tuple[BotMove | None, bool]:
        """A bot's move, if it made one, and whether the pool broke. A broken or late pool is discarded."""
        try:
            thought = asyncio.get_running_loop().run_in_executor(pool, take_turn, self._make, bot, view, table, lineup)
        except BrokenProcessPool:  # its processes ended while idle
            self._discard(pool)
            return None, True
        thought.add_done_callback(ignore_outcome)
        done, _ = await asyncio.wait((thought,), timeout=self._timeout)
        problem = thought.exception() if done else None
        if done and not isinstance(problem, BrokenProcessPool):
            failed = problem and BotMove(fallback_action(view), problem=type(problem).__name__)
            return failed or thought.result(), False
        self._discard(pool)
        return None, bool(done)

    def _discard(self, pool: ProcessPoolExecutor) -> None:
        """Kill a pool; the next turn starts another."""
        if pool is self._pool:
            self._pool = None
            kill(pool)

    async def close(self) -> None:
        """Kill the processes."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if pool := self._pool:
            self._discard(pool)
            await asyncio.to_thread(pool.shutdown)
            del pool
            gc.collect()  # releases the pool's semaphores


@cache
def _runner(make: Callable[[str], Bot]) -> BotRunner:
    """The bot runner of this process."""
    return BotRunner(make)


def take_turn(make: Callable[[str], Bot], bot: str, view: View, table: str, lineup: tuple[str, ...] = ()) -> BotMove:
    """Take a bot's turn inside a worker. A bot whose last turn was taken here keeps its memory."""
    return _runner(make).think(bot, view, table, lineup)


MOVE_TIMEOUT = 10.0
MAX_WAITING = 1000
"""How many turns of each kind of bot may wait for a process: enough for all tables of a full server, whose bots a restart may
wake at once."""


class PoolBotExecutor:
    """Runs bots in worker processes. Built-in bots answer in milliseconds; bots of other packages may be slow, so they have a
    pool of the same size to themselves.

    `make` creates a bot by name.
    """

    def __init__(
        self,
        workers: int = 1,
        timeout: float = MOVE_TIMEOUT,
        make: Callable[[str], Bot] = make_bot,
        meter: Metrics = NO_METRICS,
        max_waiting: int = MAX_WAITING,
    ) -> None:
        self._built_in, self._foreign = (
            BotPool(kind, workers, timeout, make, meter, max_waiting) for kind in ("plain", "foreign")
        )

    async def choose_move(self, bot: str, view: View, table: str = "", lineup: Sequence[str] = ()) -> BotMove:
        """The bot's action, or a safe one if none comes in time or the queue is full."""
        pool = self._built_in if bot in BOTS else self._foreign
        return await pool.think(bot, view, table, lineup)

    def prewarm(self, bot: str, rules: Rules) -> None:
        """Do nothing: these bots need no preparation."""

    async def close(self) -> None:
        """Kill the processes."""
        await asyncio.gather(self._built_in.close(), self._foreign.close())
