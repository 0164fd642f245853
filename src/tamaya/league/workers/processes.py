"""Playing on every core of this machine, each in a process of its own."""

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
from tamaya.league.workers import MOST_WORKERS, Done, Work
from tamaya.league.workers.scheduler import dispatch
from tamaya.rules.validation import checked_integer


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Processes:
    """Plays in a number of processes, by default one for each core. One that dies is replaced and its chunk played again."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = cores() if workers is None else checked_integer("workers", workers, 1, MOST_WORKERS)

    def run(self, work: Work, chunks: Iterable[Chunk]) -> Generator[Done]:
        """Every chunk once, as they get done."""
        crew = _Crew(self.workers)
        try:
            yield from dispatch(crew, work, chunks)
        finally:
            crew.end()


class _Crew:
    """Pools of one process each: when a process dies, what is lost is its chunk and nobody else's."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._free: list[ProcessPoolExecutor] = []
        self._busy: dict[Future[ChunkResult], ProcessPoolExecutor] = {}

    def width(self) -> int:
        return self._workers

    def begin(self, work: Work, chunk: Chunk) -> Future[ChunkResult]:
        while self._free:
            pool = self._free.pop()
            try:
                return self._given(pool, work, chunk)
            except BrokenProcessPool:  # its process ended while it had nothing to do
                _end(pool)
        return self._given(_new_pool(), work, chunk)

    def _given(self, pool: ProcessPoolExecutor, work: Work, chunk: Chunk) -> Future[ChunkResult]:
        with _without_interruption():
            future = pool.submit(work, chunk)
            self._busy[future] = pool
        return future

    def ended(self, tickets: Iterable[Future[ChunkResult]]) -> Iterable[Future[ChunkResult]]:
        return wait(tickets, return_when=FIRST_COMPLETED).done

    def answer(self, ticket: Future[ChunkResult]) -> ChunkResult | None:
        if isinstance(ticket.exception(), BrokenProcessPool):
            _end(self._busy.pop(ticket))
            return None
        self._free.append(self._busy.pop(ticket))
        return ticket.result()

    def end(self) -> None:
        for pool in (*self._busy.values(), *self._free):
            _end(pool)


def _new_pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=_end_with_the_parent)


def _end(pool: ProcessPoolExecutor) -> None:
    """End a pool and its process, whatever that is doing."""
    for process in list((pool._processes or {}).values()):
        process.kill()
    pool.shutdown(cancel_futures=True)


@contextmanager
def _without_interruption() -> Iterator[None]:
    """Let a Ctrl+C wait while a process is started, and never reach that process: it is for the one that ends them all."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with_the_parent() -> None:
    """Let a worker go when whoever started it is gone, however that ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
