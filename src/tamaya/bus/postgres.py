"""The bus between processes, over LISTEN and NOTIFY of PostgreSQL.

Each process has two connections: one listens, the other sends and holds the locks. After the listening one was lost, news may
have been missed: all listeners then read the store, so nothing is sent twice.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Any, LiteralString, Self

import psycopg

from tamaya.bus.local import LocalBus
from tamaya.rules import read_number

logger = logging.getLogger(__name__)
CHANNEL = "tamaya"
NEWS, HEARTBEATS, GAP = "news", "beat", "gap"
"""Topics of the bus itself: news of a table, heartbeats of all processes including this one, and, within a process, that a
message may have been missed."""
HEARTBEAT = 5.0
"""Seconds between heartbeats. A process that does not receive its own has lost its connection and opens a new one."""
HEARTBEAT_TIMEOUT = 4 * HEARTBEAT
RETRY_DELAY = 0.5
"""Seconds between attempts to connect."""
QUERY_TIMEOUT = 15.0
"""Seconds to wait for PostgreSQL."""
CLOSE_TIMEOUT = 1.0
"""Seconds for which closing waits for pending messages to be sent."""
MAX_PENDING = 2_000
"""How many messages are queued while the database is unreachable; after a gap, processes tell each other everything again."""
MAX_MESSAGE_BYTES = 7_500
"""The largest message, below PostgreSQL's limit of 8000 bytes."""
LOCK_NAMESPACE = 0x74616D61
"""The first key of our advisory locks."""

_NOTIFY = "SELECT pg_notify(%s, message) FROM unnest(%s::text[]) AS message"
_LOCK = "SELECT pg_try_advisory_lock(%s, hashtext(%s))"
_UNLOCK = "SELECT pg_advisory_unlock(%s, hashtext(%s))"
CONNECTION_ERRORS = (psycopg.Error, OSError, TimeoutError)


class PostgresBus(LocalBus):
    """Carries news between all processes that share a database. Listeners in this process are notified at once."""

    shared = True

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address, self._sender = address, secrets.token_hex(4)
        self._news: dict[str, int] = {}
        self._messages: list[str] = []
        self._topic_listeners = defaultdict[str, list[Callable[[str, str], None]]](list)
        self._pending, self._listening = asyncio.Event(), asyncio.Event()
        self._connection: psycopg.AsyncConnection[Any] | None = None
        self._connecting = asyncio.Lock()
        self._has_failed = False
        self._heartbeat_at = monotonic()
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(cls, address: str) -> Self:
        """Connect to the database at an address such as ``postgresql://user@host/name``."""
        bus = cls(address)
        bus._tasks = [
            asyncio.create_task(work(), name=f"bus: {work.__name__}") for work in (bus._listen, bus._send, bus._send_heartbeats)
        ]
        try:
            async with asyncio.timeout(QUERY_TIMEOUT):
                await bus._listening.wait()
        except BaseException:
            await bus.close()
            raise
        return bus

    @property
    def is_connected(self) -> bool:
        """Whether this process has received its own heartbeat of late, and so would receive other messages."""
        return monotonic() < self._heartbeat_at + HEARTBEAT_TIMEOUT

    # Sending.

    async def publish(self, code: str, sequence: int) -> None:
        """Notify all listeners of a table, those in this process at once; never blocks."""
        self.tell_here(code, sequence)
        self._news[code] = max(sequence, self._news.get(code, 0))
        self._pending.set()

    def broadcast(self, topic: str, text: str) -> None:
        """Queue a message to the other processes; raises `ValueError` if it is too long."""
        message = f"{self._sender} {topic} {text}"
        if len(message.encode()) > MAX_MESSAGE_BYTES:
            raise ValueError("bus message too long")
        if len(self._messages) < MAX_PENDING:
            self._messages.append(message)
        self._pending.set()

    def on_broadcast(self, topic: str, listener: Callable[[str, str], None]) -> None:
        """Register a listener for the messages of a topic."""
        self._topic_listeners[topic].append(listener)

    async def _send(self) -> None:
        """Send pending messages, all at once, whenever there are any."""
        while True:
            await self._pending.wait()
            self._pending.clear()
            try:
                await self._send_pending()
            except Exception as problem:
                logger.warning("event bus: sending failed: %s", type(problem).__name__)
                self._has_failed = True
                await asyncio.sleep(RETRY_DELAY)
                self._pending.set()

    async def _send_pending(self) -> None:
        """Send all pending messages; after an error they are pending again."""
        news, messages, self._news, self._messages = self._news, self._messages, {}, []
        sent = [*messages, *(f"{self._sender} {NEWS} {code} {sequence}" for code, sequence in news.items())]
        try:
            await self._execute(_NOTIFY, (CHANNEL, sent))
        except BaseException:
            for code, sequence in news.items():
                self._news[code] = max(sequence, self._news.get(code, 0))
            self._messages = [*messages, *self._messages][:MAX_PENDING]
            raise
        if self._has_failed:
            self._has_failed = False
            self._dispatch(GAP, "", "")

    async def _execute(self, query: LiteralString, values: tuple[Any, ...]) -> Any:
        """Run a query on the sending connection and return its first row; the connection is closed after a timeout."""
        connection = await self._connect()
        try:
            async with asyncio.timeout(QUERY_TIMEOUT):
                return await (await connection.execute(query, values)).fetchone()
        except TimeoutError:
            await connection.close()
            raise

    async def _connect(self) -> psycopg.AsyncConnection[Any]:
        async with self._connecting:
            if self._connection is None or self._connection.closed:
                self._connection = await psycopg.AsyncConnection.connect(self._address, autocommit=True)
            return self._connection

    async def _send_heartbeats(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT)
            self.broadcast(HEARTBEATS, "")

    # Receiving.

    async def _listen(self) -> None:
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(self._address, autocommit=True) as connection:
                    await self._receive_from(connection)
                logger.warning("event bus disconnected: no heartbeat")
            except Exception as problem:
                logger.warning("event bus disconnected: %s", type(problem).__name__)
            await asyncio.sleep(RETRY_DELAY)

    async def _receive_from(self, connection: psycopg.AsyncConnection[Any]) -> None:
        """Receive messages until the connection is lost, or no heartbeat has come for `HEARTBEAT_TIMEOUT`."""
        await connection.execute(f"LISTEN {CHANNEL}")
        if self._listening.is_set():
            self.gaps += 1
            self.wake_all()
            self._dispatch(GAP, "", "")
        self._listening.set()
        self._heartbeat_at = monotonic()
        while self.is_connected:
            async for notice in connection.notifies(timeout=HEARTBEAT_TIMEOUT):
                self._receive(notice.payload)

    def _receive(self, payload: str) -> None:
        sender, _, rest = payload.partition(" ")
        topic, _, text = rest.partition(" ")
        if sender == self._sender:
            self._heartbeat_at = monotonic()
        elif topic == NEWS:
            code, _, sequence = text.rpartition(" ")
            self.tell_here(code, read_number(sequence, 9) or 0)
        if topic == HEARTBEATS or sender != self._sender:
            self._dispatch(topic, sender, text)

    def _dispatch(self, topic: str, sender: str, text: str) -> None:
        for listener in self._topic_listeners.get(topic, ()):
            try:
                listener(sender, text)
            except Exception as problem:  # a bad message must not stop the receiver
                logger.error("event bus: handling a message on %s failed: %s", topic, type(problem).__name__)

    # Locks.

    @asynccontextmanager
    async def try_lock(self, code: str) -> AsyncIterator[bool]:
        """Try to take the lock on a table's bots, which is lost with the connection, as when the process ends."""
        acquired = await self._acquire(code)
        connection = self._connection
        try:
            yield acquired
        finally:
            if acquired and connection is self._connection and connection is not None and not connection.closed:
                with suppress(*CONNECTION_ERRORS):
                    await self._execute(_UNLOCK, (LOCK_NAMESPACE, code))

    async def _acquire(self, code: str) -> bool:
        if self.closed:
            return False
        try:
            row = await self._execute(_LOCK, (LOCK_NAMESPACE, code))
        except CONNECTION_ERRORS:
            return False
        return bool(row and row[0])

    async def close(self) -> None:
        """Wake every listener one last time, send pending messages and disconnect."""
        self.end_streams()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()
        if self._news or self._messages:
            with suppress(*CONNECTION_ERRORS):
                await asyncio.wait_for(self._send_pending(), CLOSE_TIMEOUT)
        if self._connection is not None:
            await self._connection.close()
