"""Bots in processes of their own, so that no table waits for another table's bot."""

from __future__ import annotations

import asyncio
import gc
import logging
import multiprocessing
import os
import signal
import threading
import traceback
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection

from tamaya.bots import make_bot
from tamaya.engine import View
from tamaya.rules import Action, Clue, Discard

logger = logging.getLogger(__name__)
LONGEST_THOUGHT = 10.0


class ProcessThinker:
    """Runs bots in a pool of processes. A bot that fails, stalls or answers nonsense is replaced for that turn."""

    def __init__(self, workers: int = 1, longest: float = LONGEST_THOUGHT) -> None:
        self._workers, self._longest = workers, longest
        self._free = asyncio.Semaphore(workers)
        self._pool: ProcessPoolExecutor | None = None

    async def think(self, bot: str, view: View) -> str:
        """The bot's action, or a safe one if none comes in time. Its time counts from when a process is free for it."""
        async with self._free:
            self._pool = self._pool or _new_pool(self._workers)
            answer, broken = await self._answer(self._pool, bot, view)
            if broken:  # by this bot or by another table's: it thinks again where it can harm nobody
                alone = _new_pool(1)
                try:
                    answer, _ = await self._answer(alone, bot, view)
                finally:
                    _end(alone)
        return answer or str(safe_action(view))

    async def _answer(self, pool: ProcessPoolExecutor, bot: str, view: View) -> tuple[str | None, bool]:
        """What a bot answers, and whether the pool broke instead. A pool that broke or stalls is given up."""
        try:
            thought = asyncio.get_running_loop().run_in_executor(pool, choose, bot, view)
        except BrokenProcessPool:  # its processes ended while nobody thought
            self._give_up(pool)
            return None, True
        thought.add_done_callback(_seen)
        done, _ = await asyncio.wait((thought,), timeout=self._longest)
        if done and not isinstance(thought.exception(), BrokenProcessPool):
            return thought.result(), False
        logger.error("bot %s %s", bot, "broke its process" if done else f"thought for longer than {self._longest} s")
        self._give_up(pool)
        return None, bool(done)

    def _give_up(self, pool: ProcessPoolExecutor) -> None:
        """Leave a pool to its fate; the next thought starts another."""
        if pool is self._pool:
            self._pool = None
            _end(pool)

    async def close(self) -> None:
        """End the processes."""
        if pool := self._pool:
            self._give_up(pool)
            await asyncio.to_thread(pool.shutdown)
            del pool
            gc.collect()  # the system's semaphores go with the pool, and not before


def _new_pool(workers: int) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_end_with_the_server)


def _seen(thought: asyncio.Future[str | None]) -> None:
    """Take note of how a thought ended that nobody waits for any more."""
    if not thought.cancelled():
        thought.exception()


def _end(pool: ProcessPoolExecutor) -> None:
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False)
    for process in processes:
        process.kill()


def _end_with_the_server() -> None:
    """Let a worker go when its server is gone, however that ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, which ends its workers
    server = multiprocessing.parent_process()
    assert server is not None

    def watch() -> None:
        connection.wait([server.sentinel])
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def choose(bot: str, view: View) -> str | None:
    """What a bot does, as text; None, with the reason in the log, if that is no legal action."""
    try:
        action = make_bot(bot).act(view)
        if action in view.legal_actions:
            return str(action)
    except BaseException as problem:  # its words may name cards: only where it happened is told
        where = "".join(traceback.format_tb(problem.__traceback__))
        logger.error("bot %s failed with %s\n%s", bot, type(problem).__name__, where)
        return None
    logger.error("bot %s chose something that is not legal", bot)
    return None


def safe_action(view: View) -> Action:
    """A legal action that harms least: a discard of the oldest card, else a clue, else a play."""
    discards = [action for action in view.legal_actions if isinstance(action, Discard)]
    clues = [action for action in view.legal_actions if isinstance(action, Clue)]
    if discards:
        return min(discards, key=lambda action: view.hand[action.slot].number)
    return clues[0] if clues else view.legal_actions[0]
