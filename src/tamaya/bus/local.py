"""The bus within one process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager


class LocalSubscription:
    """A subscription to one table: its last event, and whether that is news."""

    def __init__(self) -> None:
        self._sequence = 0
        self._updated = asyncio.Event()

    def notify(self, sequence: int) -> None:
        """Note the number of the table's last event, and wake the listener."""
        self._sequence = max(self._sequence, sequence)
        self._updated.set()

    async def news(self) -> int:
        """Wait for news; news from before the call counts."""
        await self._updated.wait()
        self._updated.clear()
        return self._sequence


class LocalBus:
    """Carries news between the tasks of one event loop. Publishing never blocks: a slow listener gets only the latest."""

    shared = False

    def __init__(self) -> None:
        self._listeners: dict[str, set[LocalSubscription]] = {}
        self.closed, self.gaps = False, 0

    @property
    def is_connected(self) -> bool:
        """Always true: there are no other processes."""
        return True

    async def publish(self, code: str, sequence: int) -> None:
        """Notify all listeners of a table."""
        self.tell_here(code, sequence)

    def tell_here(self, code: str, sequence: int) -> None:
        """Notify the listeners in this process."""
        for listener in self._listeners.get(code, ()):
            listener.notify(sequence)

    def wake_all(self) -> None:
        """Wake every listener in this process, to read the store again."""
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.notify(0)

    @asynccontextmanager
    async def try_lock(self, code: str) -> AsyncIterator[bool]:
        """Always locked: there are no other processes."""
        yield True

    def broadcast(self, topic: str, text: str) -> None:
        """Do nothing: there are no other processes."""

    def on_broadcast(self, topic: str, listener: Callable[[str, str], None]) -> None:
        """Do nothing: there are no other processes."""

    def end_streams(self) -> None:
        """Close the bus and wake every listener one last time."""
        self.closed = True
        self.wake_all()

    async def close(self) -> None:
        """Close the bus and wake every listener one last time."""
        self.end_streams()

    @contextmanager
    def subscribe(self, code: str) -> Iterator[LocalSubscription]:
        """Subscribe to one table for as long as the context lasts."""
        listener = LocalSubscription()
        self._listeners.setdefault(code, set()).add(listener)
        try:
            yield listener
        finally:
            listeners = self._listeners[code]
            listeners.discard(listener)
            if not listeners:
                del self._listeners[code]
