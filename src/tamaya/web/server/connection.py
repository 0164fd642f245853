"""One connection, closed when it keeps the server waiting for too long."""

from __future__ import annotations

import asyncio
import logging
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

import h11
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

if TYPE_CHECKING:
    from tamaya.web.server.admission import ConnectionGroup, ConnectionLimiter


logger = logging.getLogger(__name__)
logger.setLevel(logging.ERROR)  # what strangers send wrongly is answered, and not worth a line each
LINGER_ZERO = struct.pack("ii", 1, 0)
BUSY_RESPONSE = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Wait(Enum):
    """What a connection keeps the server waiting for."""

    NOTHING = "nothing"
    REQUEST = "request"
    """Its first request, or the next one: nothing of it has come."""
    HEAD = "head"
    """The rest of a request's head."""
    BODY = "body"
    """The rest of a request's body."""
    READING = "reading"
    """That it reads what it was sent."""
    LEAVING = "leaving"
    """That it reads the last of it, before it is closed."""


UNREAD_WAITS = frozenset({Wait.READING, Wait.LEAVING})


@dataclass(frozen=True)
class Timeouts:
    """For how many seconds the server waits. For a body, and for somebody to read, it goes on waiting while at least so many
    bytes move in that time: a slow line is no attack."""

    head: float = 10.0
    body: float = 30.0
    reading: float = 30.0
    min_bytes: int = 16 * 1024

    def seconds(self, wait: Wait) -> float:
        """How long it waits for this."""
        return {Wait.REQUEST: self.head, Wait.HEAD: self.head, Wait.BODY: self.body}.get(wait, self.reading)


class HttpConnection(H11Protocol):
    """A connection as uvicorn serves it, which knows what it waits for. How long that has been is noted by whoever looks, once
    a second: no message costs anything."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        limiter: ConnectionLimiter,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.logger = logger
        self.groups: tuple[ConnectionGroup, ...] = ()
        """Where it is counted; nowhere once it is given up."""
        self._limiter = limiter
        self._bytes_received = self._drains = 0
        self._last_state: tuple[object, ...] = ()
        self._since, self._moved = 0.0, 0

    @property
    def host(self) -> str:
        """The address at its other end."""
        return self.client[0] if self.client else ""

    @property
    def has_requested(self) -> bool:
        """Whether a whole head of a request has ever come."""
        return self.cycle is not None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Be counted, or be told that there is no room."""
        super().connection_made(transport)
        if not self._limiter.add(self):
            transport.write(BUSY_RESPONSE)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Be counted no longer."""
        self._limiter.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take in what has come."""
        self._bytes_received += len(data)
        is_stranger = not self.has_requested
        super().data_received(data)
        if is_stranger and self.has_requested:
            self._limiter.mark_active(self)

    def send_400_response(self, msg: str) -> None:
        """Say that what has come is no request, unless an answer has begun; whoever is at work on one sees the client gone."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            if self.cycle.response_started:
                self.transport.close()
                return
        super().send_400_response(msg)

    def shutdown(self) -> None:
        """End it: at once if it has sent half a request, otherwise when it has got its answer."""
        wait = self.current_wait()
        if wait in (Wait.HEAD, Wait.BODY):
            self.drop()
        elif wait is not Wait.LEAVING:
            super().shutdown()

    def resume_writing(self) -> None:
        """Note that it has read what it was sent."""
        self._drains += 1
        super().resume_writing()

    def drop(self) -> None:
        """End it at once. What it has not read is lost, and the system does not keep it either."""
        if self.current_wait() in UNREAD_WAITS:
            with suppress(OSError):
                self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_ZERO)
        self.transport.abort()

    def current_wait(self) -> Wait:
        """What the server waits for here."""
        if self.transport.is_closing():
            return Wait.LEAVING
        if self.flow.write_paused:
            return Wait.READING
        theirs = self.conn.their_state
        if theirs is h11.IDLE:
            return Wait.HEAD if self.conn.trailing_data[0] else Wait.REQUEST
        return Wait.BODY if theirs is h11.SEND_BODY and not self.flow.read_paused else Wait.NOTHING

    def is_overdue(self, now: float, timeouts: Timeouts) -> bool:
        """Whether it has kept the server waiting too long for one thing, as far as that was looked at."""
        wait = self.current_wait()
        answered = self.has_requested and self.cycle.response_complete
        seen = (wait, self.cycle, answered, self._drains)
        moved = self._bytes_received if wait is Wait.BODY else -self.transport.get_write_buffer_size()
        if seen != self._last_state:
            self._last_state, self._since, self._moved = seen, now, moved
            return False
        if wait is Wait.NOTHING or now - self._since < timeouts.seconds(wait):
            return False
        if moved - self._moved < timeouts.min_bytes or (wait is Wait.BODY and answered):
            return True
        self._since, self._moved = now, moved
        return False
