"""Process pools that end with the server."""

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

Result = TypeVar("Result")


def new_pool(workers: int, niceness: int = 0) -> ProcessPoolExecutor:
    """A pool of worker processes with a scheduling priority lowered by `niceness`."""
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker, initargs=(niceness,))


def kill(pool: ProcessPoolExecutor) -> None:
    """Kill the processes of a pool."""
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False)
    for process in processes:
        process.kill()


async def end_pool(pool: ProcessPoolExecutor) -> None:
    """Kill a pool and wait until its system resources are released."""
    queues = [ref(vars(pool)[name]) for name in ("_call_queue", "_result_queue")]
    kill(pool)
    await asyncio.to_thread(pool.shutdown)
    del pool
    for _ in range(50):  # semaphores are released with the queues, which the pool's threads keep for a moment
        gc.collect()
        if not any(queue() for queue in queues):
            break
        await asyncio.sleep(0.01)


class Worker:
    """A process that runs one function at a time, started on the first call and again after it ended."""

    def __init__(self, niceness: int = 0) -> None:
        self._niceness = niceness
        self._pool: ProcessPoolExecutor | None = None

    async def run(self, function: Callable[..., Result], *arguments: object, limit: float) -> Result:
        """Run a function in the process and return its result, or raise its error.

        Raises `TimeoutError` after `limit` seconds and `BrokenProcessPool` if the process ends; the next call then starts
        another one. If this is cancelled the process goes on: `stop` or `close` it.
        """
        pool = self._pool = self._pool or new_pool(1, self._niceness)
        try:
            work = asyncio.get_running_loop().run_in_executor(pool, function, *arguments)
        except BrokenProcessPool:  # it ended while idle
            self._discard(pool)
            raise
        work.add_done_callback(ignore_outcome)
        done, _ = await asyncio.wait((work,), timeout=limit)
        problem = work.exception() if done else TimeoutError()
        if problem is None:
            return work.result()
        if not done or isinstance(problem, BrokenProcessPool):
            self._discard(pool)
        raise problem if isinstance(problem, Exception) else RuntimeError(type(problem).__name__)

    def stop(self) -> None:
        """Kill the process while the server goes on. Its system resources are released by the garbage collector: to run that
        here would block every page."""
        if self._pool:
            self._discard(self._pool)

    def _discard(self, pool: ProcessPoolExecutor) -> None:
        """Kill the pool and forget it."""
        if self._pool is pool:
            self._pool = None
            kill(pool)

    async def close(self) -> None:
        """Kill the process and wait until its system resources are released."""
        if pool := self._pool:
            self._pool = None
            ending = end_pool(pool)
            del pool
            await ending


def ignore_outcome(work: asyncio.Future[Any]) -> None:
    """Retrieve the result or error of abandoned work, so that asyncio does not report it as unhandled."""
    if not work.cancelled():
        work.exception()


def _start_worker(niceness: int) -> None:
    """Prepare a worker: end it with the server, however that ends, and discard its output, which may name cards and would
    clutter the terminal."""
    if hasattr(os, "nice"):
        os.nice(niceness)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl+C and ends its workers
    server = multiprocessing.parent_process()
    assert server is not None

    def watch() -> None:
        connection.wait([server.sentinel])
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for output in (1, 2):
        os.dup2(nowhere, output)
