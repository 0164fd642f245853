"""Threads that share the games of a batch, and the arrays that they work on."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Lock
from typing import Any

import numpy as np

from tamaya.rules import IllegalError, say
from tamaya.sim.deals import first_seed

Array = np.ndarray[Any, Any]
CACHE_LINES = 128
"""The bytes that processors fetch together: two lines of 64."""


def split_seeds(seeds: Array) -> Array:
    """64-bit seeds as rows of two 32-bit halves, the higher first."""
    return np.stack([seeds >> np.uint64(32), seeds & np.uint64(0xFFFFFFFF)], axis=1).astype(np.uint32)


def seed_rows(seed: int, games: Array) -> Array:
    """The seeds of games by number, as by `tamaya.sim.seed_of`, in halves."""
    return split_seeds(games.astype(np.uint64) + np.uint64(first_seed(seed)))


def whole_seeds(rows: Array) -> Array:
    """Rows of two halves as 64-bit seeds."""
    wide = rows.astype(np.uint64)
    return np.asarray((wide[:, 0] << np.uint64(32)) | wide[:, 1])


def read_only(array: Array) -> Array:
    """A read-only view of an array."""
    view = array.view()
    view.flags.writeable = False
    return view


def apart(threads: int, width: int, cells: Any) -> Array:
    """A row of zeros for each thread, spaced so that no two threads share a cache line."""
    spare = CACHE_LINES // np.dtype(cells).itemsize
    return np.zeros((threads, -(-width // spare) * spare + spare), cells)


Work = Callable[[int, int, int], object]
"""Called with the first game, the one after the last, and the thread's number."""


class Threads:
    """A pool of threads for one call at a time; they start when first needed, and again in a forked process."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._process, self._busy = 0, Lock()
        self._pool: ThreadPoolExecutor | None = None

    def map_ranges(self, work: Work, games: int) -> None:
        """Call `work` for a range of the games in every thread; on return or an exception, all threads have finished."""
        if self._process != os.getpid():
            self._process, self._busy = os.getpid(), Lock()
            self._pool = ThreadPoolExecutor(self.count) if self.count > 1 else None
        if not self._busy.acquire(blocking=False):
            raise IllegalError("busy", say("Another thread is using this batch; give each thread a batch of its own."))
        try:
            self._do(work, games)
        finally:
            self._busy.release()

    def _do(self, work: Work, games: int) -> None:
        if self._pool is None:
            work(0, games, 0)
            return
        bounds = [games * thread // self.count for thread in range(self.count + 1)]
        shares = zip(bounds[:-1], bounds[1:], range(self.count), strict=True)
        underway = [self._pool.submit(work, *share) for share in shares]
        try:
            for share in underway:
                share.result()
        finally:
            wait(underway)

    def close(self) -> None:
        """Stop the threads."""
        if self._pool is not None and self._process == os.getpid():
            self._pool.shutdown()
