"""Background jobs whose results are remembered."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, Protocol, TypeVar

logger = logging.getLogger(__name__)


class Progress(Protocol):
    """How far a job is; the job updates it."""

    def fail(self) -> None:
        """Note that the job failed and can be requested again."""
        ...


Key = TypeVar("Key", bound=Hashable)
Kept = TypeVar("Kept", bound=Progress)


class JobQueue(Generic[Key, Kept]):
    """Runs at most `max_pending` jobs at a time and remembers the progress of the `max_results` used last."""

    def __init__(self, name: str, max_pending: int, max_results: int) -> None:
        self._name, self._max_pending, self._max_results = name, max_pending, max_results
        self._progress: OrderedDict[Key, Kept] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self.lock = asyncio.Lock()
        """For jobs that must not run at the same time."""

    @property
    def pending(self) -> int:
        """The number of jobs that have not ended."""
        return len(self._tasks)

    @property
    def is_full(self) -> bool:
        """Whether no further job can be started now."""
        return self.pending >= self._max_pending

    def get(self, key: Key) -> Kept | None:
        """The progress of a job, if it is remembered."""
        if key in self._progress:
            self._progress.move_to_end(key)
        return self._progress.get(key)

    def put(self, key: Key, progress: Kept) -> None:
        """Remember the progress of a job, and forget that of the job used least recently if there are too many."""
        self._progress[key] = progress
        self._progress.move_to_end(key)
        if len(self._progress) > self._max_results:
            self._progress.popitem(last=False)

    def forget(self, key: Key) -> None:
        """Forget a job, so that it can be requested again."""
        self._progress.pop(key, None)

    def start(self, key: Key, progress: Kept, job: Callable[[Kept], Awaitable[None]]) -> None:
        """Run a job in the background and remember its progress. If it raises, its progress fails."""
        self.put(key, progress)
        task = asyncio.create_task(self._run(progress, job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, progress: Kept, job: Callable[[Kept], Awaitable[None]]) -> None:
        try:
            await job(progress)
        except Exception as problem:  # without its message, which may name cards
            logger.warning("%s failed: %s", self._name, type(problem).__name__)
            progress.fail()

    async def close(self) -> None:
        """Cancel all pending jobs and wait until they have ended."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()
