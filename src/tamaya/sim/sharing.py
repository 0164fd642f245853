"""Threads that share the games of a batch out among them."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Lock

from tamaya.rules import IllegalError, say

Work = Callable[[int, int, int], object]
"""From which game, to before which, and in which thread."""


class Threads:
    """So many threads for one call at a time; they are started when first needed, and anew in a forked process."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._process, self._busy = 0, Lock()
        self._pool: ThreadPoolExecutor | None = None

    def share(self, work: Work, games: int) -> None:
        """Let every thread do its share of the games; whatever happens, all have stopped when this is over."""
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
