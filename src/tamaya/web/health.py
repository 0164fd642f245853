"""Whether the store can be relied on, asked as often as anybody likes."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence

logger = logging.getLogger(__name__)
FRESH = 1.0
"""For how many seconds an answer holds: whoever asks more often costs nothing."""
PATIENCE = 5.0
"""How long somebody waits for the answer of a probe before the store counts as silent."""


class Health:
    """What a probe of the store says: one at a time, however many ask, and not more often than once a second."""

    def __init__(self, probe: Callable[[], Awaitable[Sequence[str]]], clock: Callable[[], float] = time.monotonic) -> None:
        self._probe, self._clock = probe, clock
        self._found: Sequence[str] = ()
        self._at: float | None = None
        self._probing: asyncio.Task[None] | None = None

    async def problems(self) -> Sequence[str]:
        """Why the store cannot be relied on at the moment; nothing if it can."""
        probing = self._probing
        if probing is None and (self._at is None or self._clock() >= self._at + FRESH):
            probing = self._probing = asyncio.get_running_loop().create_task(self._look())
        if probing:
            await asyncio.wait((probing,), timeout=PATIENCE)
            if not probing.done():
                return ("the database does not answer",)
        return self._found

    async def _look(self) -> None:
        try:
            self._found = tuple(await self._probe())
        except Exception as problem:
            logger.error("the database cannot be probed: %s", type(problem).__name__)
            self._found = ("the database cannot be probed",)
        finally:
            self._at, self._probing = self._clock(), None

    async def close(self) -> None:
        """Wait for a probe that is under way, before the store is closed."""
        if self._probing:
            await asyncio.wait((self._probing,))
