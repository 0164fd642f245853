"""Worker processes on the cores of this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection

from tamaya.league.matches import Chunk
from tamaya.league.play import ChunkResult
from tamaya.league.workers import MAX_WORKERS, CompletedChunk, Work
from tamaya.league.workers.scheduler import schedule
from tamaya.rules.errors import checked_integer


def usable_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Processes:
    """Runs chunks in processes, by default one for each core. One that dies is replaced and its chunk played again."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = usable_cores() if workers is None else checked_integer("workers", workers, 1, MAX_WORKERS)

    def run(self, work: Work, chunks: Iterable[Chunk]) -> Generator[CompletedChunk]:
        """Yield every chunk once, as they complete."""
        pool = _ProcessPool(self.workers)
        try:
            yield from schedule(pool, work, chunks)
        finally:
            pool.end()


class _ProcessPool:
    """Executors of one process each: a process that dies loses its own chunk and no other."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._idle: list[ProcessPoolExecutor] = []
        self._busy: dict[Future[ChunkResult], ProcessPoolExecutor] = {}

    def width(self) -> int:
        return self._workers

    def submit(self, work: Work, chunk: Chunk) -> Future[ChunkResult]:
        while self._idle:
            executor = self._idle.pop()
            try:
                return self._submit_to(executor, work, chunk)
            except BrokenProcessPool:  # its process died while idle
                _end(executor)
        return self._submit_to(_new_executor(), work, chunk)

    def _submit_to(self, executor: ProcessPoolExecutor, work: Work, chunk: Chunk) -> Future[ChunkResult]:
        with _sigint_blocked():
            future = executor.submit(work, chunk)
            self._busy[future] = executor
        return future

    def wait(self, tickets: Iterable[Future[ChunkResult]]) -> Iterable[Future[ChunkResult]]:
        return wait(tickets, return_when=FIRST_COMPLETED).done

    def result(self, ticket: Future[ChunkResult]) -> ChunkResult | None:
        if isinstance(ticket.exception(), BrokenProcessPool):
            _end(self._busy.pop(ticket))
            return None
        self._idle.append(self._busy.pop(ticket))
        return ticket.result()

    def end(self) -> None:
        for executor in (*self._busy.values(), *self._idle):
            _end(executor)


def _new_executor() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=_end_with_parent)


def _end(executor: ProcessPoolExecutor) -> None:
    for process in list((executor._processes or {}).values()):
        process.kill()
    executor.shutdown(cancel_futures=True)


@contextmanager
def _sigint_blocked() -> Iterator[None]:
    """Block SIGINT while a worker starts. It inherits the mask, so only this process is interrupted, which ends all workers."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
