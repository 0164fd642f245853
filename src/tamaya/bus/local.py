"""The bus within one process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager


class LocalSubscription:
    """A listener to one table: how many events it has, and whether that is news."""

    def __init__(self) -> None:
        self._sequence = 0
        self._has_news = asyncio.Event()

    def notify(self, sequence: int) -> None:
        """Note how many events the table has, and wake the listener."""
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
        self._listeners: dict[str, set[LocalSubscription]] = {}
        self.closed, self.gaps = False, 0

    @property
    def is_connected(self) -> bool:
        """There is nobody else to hear."""
        return True

    async def publish(self, code: str, sequence: int) -> None:
        """Tell everybody who listens."""
        self.tell_here(code, sequence)

    def tell_here(self, code: str, sequence: int) -> None:
        """Tell everybody who listens in this process."""
        for listener in self._listeners.get(code, ()):
            listener.notify(sequence)

    def wake_all(self) -> None:
        """Let every listener in this process look again."""
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.notify(0)

    @asynccontextmanager
    async def try_lock(self, code: str) -> AsyncIterator[bool]:
        """Nobody else is there to let a table's bots think."""
        yield True

    def broadcast(self, topic: str, text: str) -> None:
        """Nobody else is there."""

    def on_broadcast(self, topic: str, listener: Callable[[str, str], None]) -> None:
        """There is nobody to hear."""

    def end_streams(self) -> None:
        """Wake every listener for the last time."""
        self.closed = True
        self.wake_all()

    async def close(self) -> None:
        """Wake every listener for the last time."""
        self.end_streams()

    @contextmanager
    def subscribe(self, code: str) -> Iterator[LocalSubscription]:
        """Listen to one table for as long as the context lasts."""
        listener = LocalSubscription()
        self._listeners.setdefault(code, set()).add(listener)
        try:
            yield listener
        finally:
            listeners = self._listeners[code]
            listeners.discard(listener)
            if not listeners:
                del self._listeners[code]
