"""News within one process."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class _Listener:
    """A listener to one table: how many events it has, and whether that is news."""

    def __init__(self) -> None:
        self._sequence = 0
        self._has_news = asyncio.Event()

    def tell(self, sequence: int) -> None:
        self._sequence = max(self._sequence, sequence)
        self._has_news.set()

    async def news(self) -> int:
        """Wait for news. News that came while nobody was waiting is kept until somebody asks."""
        await self._has_news.wait()
        self._has_news.clear()
        return self._sequence


class LocalBus:
    """Carries news between the tasks of one event loop. Publishing waits for nobody: a slow listener hears only the latest."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[_Listener]] = {}
        self.closed = False

    async def publish(self, code: str, sequence: int) -> None:
        """Tell everybody who listens."""
        for listener in self._listeners.get(code, ()):
            listener.tell(sequence)

    async def close(self) -> None:
        """Wake every listener for the last time."""
        self.closed = True
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.tell(0)

    @contextmanager
    def subscribe(self, code: str) -> Iterator[_Listener]:
        """Listen to one table for as long as the context lasts."""
        listener = _Listener()
        self._listeners.setdefault(code, set()).add(listener)
        try:
            yield listener
        finally:
            listeners = self._listeners[code]
            listeners.discard(listener)
            if not listeners:
                del self._listeners[code]
