"""Process pools that end with the server that started them."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection
from typing import Any, TypeVar
from weakref import ref

Answer = TypeVar("Answer")


def new_pool(workers: int, niceness: int = 0) -> ProcessPoolExecutor:
    """A pool of so many processes; they give way to others by their `niceness`."""
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker, initargs=(niceness,))


def kill(pool: ProcessPoolExecutor) -> None:
    """End a pool at once, whatever it is doing."""
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False)
    for process in processes:
        process.kill()


async def end(pool: ProcessPoolExecutor) -> None:
    """End a pool at once and give back what the system lent it."""
    queues = [ref(vars(pool)[name]) for name in ("_call_queue", "_result_queue")]
    kill(pool)
    await asyncio.to_thread(pool.shutdown)
    del pool
    for _ in range(50):  # the system's semaphores go with the queues, which the pool's threads keep for a moment
        gc.collect()
        if not any(queue() for queue in queues):
            break
        await asyncio.sleep(0.01)


class Worker:
    """A process that does one thing at a time. It starts when there is something to do, and again after it was ended."""

    def __init__(self, niceness: int = 0) -> None:
        self._niceness = niceness
        self._pool: ProcessPoolExecutor | None = None

    async def run(self, function: Callable[..., Answer], *arguments: object, limit: float) -> Answer:
        """What a function answers or raises. `TimeoutError` if it takes longer than so many seconds, and
        `BrokenProcessPool` if the process ends; the next call starts another one then. Where this is cancelled the
        process goes on: `stop` or `close` it."""
        pool = self._pool = self._pool or new_pool(1, self._niceness)
        try:
            work = asyncio.get_running_loop().run_in_executor(pool, function, *arguments)
        except BrokenProcessPool:  # it ended while there was nothing to do
            self._give_up(pool)
            raise
        work.add_done_callback(ignore_outcome)
        done, _ = await asyncio.wait((work,), timeout=limit)
        problem = work.exception() if done else TimeoutError()
        if problem is None:
            return work.result()
        if not done or isinstance(problem, BrokenProcessPool):
            self._give_up(pool)
        raise problem if isinstance(problem, Exception) else RuntimeError(type(problem).__name__)

    def stop(self) -> None:
        """End the process at once while the server goes on. What the system lent it is given back when the collector comes by:
        to look for it here would hold up every page."""
        if self._pool:
            self._give_up(self._pool)

    def _give_up(self, pool: ProcessPoolExecutor) -> None:
        """End a process that is late, or what is left of one."""
        if self._pool is pool:
            self._pool = None
            kill(pool)

    async def close(self) -> None:
        """End the process, whatever it is doing, and see to it that everything is given back: for the end of a server."""
        if pool := self._pool:
            self._pool = None
            ending = end(pool)
            del pool
            await ending


def ignore_outcome(work: asyncio.Future[Any]) -> None:
    """Collect the outcome of work that nobody is waiting for any more, so that it is not reported as unhandled."""
    if not work.cancelled():
        work.exception()


def _start_worker(niceness: int) -> None:
    """End a worker when its server is gone, however that ended, and hide whatever is printed there: it may name cards, and
    would clutter the table in a terminal."""
    if hasattr(os, "nice"):
        os.nice(niceness)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, which ends its workers
    server = multiprocessing.parent_process()
    assert server is not None

    def watch() -> None:
        connection.wait([server.sentinel])
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for output in (1, 2):
        os.dup2(nowhere, output)
