"""The bus within one process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager


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

    shared = False

    def __init__(self) -> None:
        self._listeners: dict[str, set[_Listener]] = {}
        self.closed, self.gaps = False, 0

    @property
    def hears(self) -> bool:
        """There is nobody else to hear."""
        return True

    async def publish(self, code: str, sequence: int) -> None:
        """Tell everybody who listens."""
        self.tell_here(code, sequence)

    def tell_here(self, code: str, sequence: int) -> None:
        """Tell everybody who listens in this process."""
        for listener in self._listeners.get(code, ()):
            listener.tell(sequence)

    def wake_all(self) -> None:
        """Let every listener in this process look again."""
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.tell(0)

    @asynccontextmanager
    async def claim(self, code: str) -> AsyncIterator[bool]:
        """Nobody else is there to let a table's bots think."""
        yield True

    def tell(self, topic: str, text: str) -> None:
        """Nobody else is there."""

    def hear(self, topic: str, listener: Callable[[str, str], None]) -> None:
        """There is nobody to hear."""

    def end_streams(self) -> None:
        """Wake every listener for the last time."""
        self.closed = True
        self.wake_all()

    async def close(self) -> None:
        """Wake every listener for the last time."""
        self.end_streams()

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
