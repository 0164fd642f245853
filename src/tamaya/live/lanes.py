"""One of the processes in which searches run."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from tamaya.live.needs import Need
from tamaya.live.processes import Worker

Answer = TypeVar("Answer")

LONGEST_LOADING = 120.0
MOST_LOADED = 24
"""How many needs one process has in memory, which compiled functions never leave; a new process takes its place then."""


class Lane:
    """A process for searches, and what it has in memory."""

    def __init__(self, niceness: int) -> None:
        self._worker, self._loaded = Worker(niceness), set[Need]()

    async def load(self, need: Need) -> bool:
        """Find what is needed on disk; whether it is there. Raises what `run` does."""
        if need in self._loaded:
            return True
        if len(self._loaded) >= MOST_LOADED:
            self._loaded.clear()
            self._worker.stop()
        found = await self.run(load, need, limit=LONGEST_LOADING)
        if found:
            self._loaded.add(need)
        return found

    async def run(self, function: Callable[..., Answer], *arguments: object, limit: float) -> Answer:
        """What a function answers or raises. `TimeoutError` if it takes longer than so many seconds, and `BrokenProcessPool`
        if the process ends; a new one then takes its place and has nothing in memory."""
        try:
            return await self._worker.run(function, *arguments, limit=limit)
        except (TimeoutError, BrokenProcessPool):
            self._loaded.clear()
            raise

    async def close(self) -> None:
        """End the process, whatever it is doing."""
        self._loaded.clear()
        await self._worker.close()


def load(need: Need) -> bool:
    """Read what a search needs from disk into this process; whether it is there."""
    from tamaya.search.search import is_ready, prepare

    if not is_ready(*need):
        return False
    prepare(*need)
    return True
