"""News between processes, carried by PostgreSQL's own LISTEN and NOTIFY.

Each process has two connections: one listens, the other speaks and holds the claims. Where the one that listens was cut off,
news may have been missed: everybody then looks into the store, so that nothing has to be sent twice.
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
NEWS, BEATS, GAP = "news", "beat", "gap"
"""The topics of the bus itself: a table's news, that a process lives (its own beats are heard, too), and, within the process,
that something may have been missed."""
HEARTBEAT = 5.0
"""Every so many seconds a process speaks to itself. If it does not hear that, its connection is dead and it makes a new one."""
SILENCE = 4 * HEARTBEAT
RETRY = 0.5
"""Seconds between attempts to connect."""
LONGEST = 15.0
"""Seconds after which PostgreSQL should have answered."""
LAST_WORDS = 1.0
"""Seconds in which a process that ends can say what is left to say."""
MOST_WAITING = 2_000
"""So many messages wait at most while the database is away; whatever is lost, all tell each other again afterwards."""
LARGEST = 7_500
"""The bytes of a message that PostgreSQL carries with room to spare."""
CLAIMS = 0x74616D61
"""The first half of the numbers of our locks."""

_NOTIFY = "SELECT pg_notify(%s, message) FROM unnest(%s::text[]) AS message"
_CLAIM = "SELECT pg_try_advisory_lock(%s, hashtext(%s))"
_RELEASE = "SELECT pg_advisory_unlock(%s, hashtext(%s))"
FAILURES = (psycopg.Error, OSError, TimeoutError)


class PostgresBus(LocalBus):
    """Carries news between all processes at one database. Listeners in this process hear of it at once."""

    shared = True

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address, self._me = address, secrets.token_hex(4)
        self._news: dict[str, int] = {}
        self._messages: list[str] = []
        self._topic_listeners = defaultdict[str, list[Callable[[str, str], None]]](list)
        self._has_something_to_say, self._listening = asyncio.Event(), asyncio.Event()
        self._line: psycopg.AsyncConnection[Any] | None = None
        self._connecting = asyncio.Lock()
        self._is_cut_off = False
        self._heard_itself = monotonic()
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(cls, address: str) -> Self:
        """Connect to the database at an address such as ``postgresql://user@host/name``. Close it when it is done with."""
        bus = cls(address)
        bus._tasks = [
            asyncio.create_task(work(), name=f"bus: {work.__name__}") for work in (bus._listen, bus._speak, bus._beat)
        ]
        try:
            async with asyncio.timeout(LONGEST):
                await bus._listening.wait()
        except BaseException:
            await bus.close()
            raise
        return bus

    @property
    def is_connected(self) -> bool:
        """Whether this process has heard itself of late, and so would hear others."""
        return monotonic() < self._heard_itself + SILENCE

    # Speaking.

    async def publish(self, code: str, sequence: int) -> None:
        """Tell everybody who listens, here at once and elsewhere soon; this waits for nobody."""
        self.tell_here(code, sequence)
        self._news[code] = max(sequence, self._news.get(code, 0))
        self._has_something_to_say.set()

    def broadcast(self, topic: str, text: str) -> None:
        """Tell the other processes something; what is too long is an error of the caller."""
        message = f"{self._me} {topic} {text}"
        if len(message.encode()) > LARGEST:
            raise ValueError("a message between processes is too long")
        if len(self._messages) < MOST_WAITING:
            self._messages.append(message)
        self._has_something_to_say.set()

    def on_broadcast(self, topic: str, listener: Callable[[str, str], None]) -> None:
        """Let a function hear what other processes tell about a topic."""
        self._topic_listeners[topic].append(listener)

    async def _speak(self) -> None:
        """Send what has gathered, all of it at once, as long as there is something."""
        while True:
            await self._has_something_to_say.wait()
            self._has_something_to_say.clear()
            try:
                await self._say_all()
            except Exception as problem:
                logger.warning("news cannot be sent to other processes: %s", type(problem).__name__)
                self._is_cut_off = True
                await asyncio.sleep(RETRY)
                self._has_something_to_say.set()

    async def _say_all(self) -> None:
        """Send everything that waits; what could not be sent waits on."""
        news, messages, self._news, self._messages = self._news, self._messages, {}, []
        sent = [*messages, *(f"{self._me} {NEWS} {code} {sequence}" for code, sequence in news.items())]
        try:
            await self._execute(_NOTIFY, (CHANNEL, sent))
        except BaseException:
            for code, sequence in news.items():
                self._news[code] = max(sequence, self._news.get(code, 0))
            self._messages = [*messages, *self._messages][:MOST_WAITING]
            raise
        if self._is_cut_off:
            self._is_cut_off = False
            self._let_hear(GAP, "", "")

    async def _execute(self, query: LiteralString, values: tuple[Any, ...]) -> Any:
        """The first row of an answer, on the connection that speaks; one that does not answer is given up."""
        line = await self._connected()
        try:
            async with asyncio.timeout(LONGEST):
                return await (await line.execute(query, values)).fetchone()
        except TimeoutError:
            await line.close()
            raise

    async def _connected(self) -> psycopg.AsyncConnection[Any]:
        async with self._connecting:
            if self._line is None or self._line.closed:
                self._line = await psycopg.AsyncConnection.connect(self._address, autocommit=True)
            return self._line

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT)
            self.broadcast(BEATS, "")

    # Listening.

    async def _listen(self) -> None:
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(self._address, autocommit=True) as connection:
                    await self._listen_to(connection)
                logger.warning("news of other processes is cut off: silence")
            except Exception as problem:
                logger.warning("news of other processes is cut off: %s", type(problem).__name__)
            await asyncio.sleep(RETRY)

    async def _listen_to(self, connection: psycopg.AsyncConnection[Any]) -> None:
        """Hear what comes until the connection is lost, or silent for so long that it must be."""
        await connection.execute(f"LISTEN {CHANNEL}")
        if self._listening.is_set():
            self.gaps += 1
            self.wake_all()
            self._let_hear(GAP, "", "")
        self._listening.set()
        self._heard_itself = monotonic()
        while self.is_connected:
            async for notice in connection.notifies(timeout=SILENCE):
                self._receive(notice.payload)

    def _receive(self, payload: str) -> None:
        sender, _, rest = payload.partition(" ")
        topic, _, text = rest.partition(" ")
        if sender == self._me:
            self._heard_itself = monotonic()
        elif topic == NEWS:
            code, _, sequence = text.rpartition(" ")
            self.tell_here(code, read_number(sequence, 9) or 0)
        if topic == BEATS or sender != self._me:
            self._let_hear(topic, sender, text)

    def _let_hear(self, topic: str, sender: str, text: str) -> None:
        for listener in self._topic_listeners.get(topic, ()):
            try:
                listener(sender, text)
            except Exception as problem:  # what one process says must not deafen another
                logger.error("what another process said about %s was not understood: %s", topic, type(problem).__name__)

    # Claims.

    @asynccontextmanager
    async def try_lock(self, code: str) -> AsyncIterator[bool]:
        """Ask for the right to let a table's bots think; it is lost with the connection, as when the process ends."""
        granted = await self._is_granted(code)
        line = self._line
        try:
            yield granted
        finally:
            if granted and line is self._line and line is not None and not line.closed:
                with suppress(*FAILURES):
                    await self._execute(_RELEASE, (CLAIMS, code))

    async def _is_granted(self, code: str) -> bool:
        if self.closed:
            return False
        try:
            answer = await self._execute(_CLAIM, (CLAIMS, code))
        except FAILURES:
            return False
        return bool(answer and answer[0])

    async def close(self) -> None:
        """Wake every listener for the last time, say what is left to say, and hang up."""
        self.end_streams()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()
        if self._news or self._messages:
            with suppress(*FAILURES):
                await asyncio.wait_for(self._say_all(), LAST_WORDS)
        if self._line is not None:
            await self._line.close()
