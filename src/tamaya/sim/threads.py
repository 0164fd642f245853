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
"""Bytes that processors fetch together: two lines of 64."""


def split_seeds(seeds: Array) -> Array:
    """Seeds of 64 bits as rows of two halves of 32, the higher first."""
    return np.stack([seeds >> np.uint64(32), seeds & np.uint64(0xFFFFFFFF)], axis=1).astype(np.uint32)


def seed_rows(seed: int, games: Array) -> Array:
    """The seeds of games by their numbers, as by `tamaya.sim.seed_of`, in halves."""
    return split_seeds(games.astype(np.uint64) + np.uint64(first_seed(seed)))


def whole_seeds(rows: Array) -> Array:
    """Rows of two halves as seeds of 64 bits."""
    wide = rows.astype(np.uint64)
    return np.asarray((wide[:, 0] << np.uint64(32)) | wide[:, 1])


def read_only(array: Array) -> Array:
    """An array to look at, which changes with the other one and cannot be written into."""
    view = array.view()
    view.flags.writeable = False
    return view


def apart(threads: int, width: int, cells: Any) -> Array:
    """A row of zeros for each thread to work with, so far apart that no two meet in a line of a cache."""
    spare = CACHE_LINES // np.dtype(cells).itemsize
    return np.zeros((threads, -(-width // spare) * spare + spare), cells)


Work = Callable[[int, int, int], object]
"""From which game, to before which, and in which thread."""


class Threads:
    """So many threads for one call at a time; they are started when first needed, and anew in a forked process."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._process, self._busy = 0, Lock()
        self._pool: ThreadPoolExecutor | None = None

    def map_ranges(self, work: Work, games: int) -> None:
        """Let every thread work on a range of the games; whatever happens, all have stopped when this returns."""
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
        """Give the threads back."""
        if self._pool is not None and self._process == os.getpid():
            self._pool.shutdown()
