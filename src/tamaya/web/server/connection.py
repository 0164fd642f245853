"""One HTTP connection, closed when it keeps the server waiting too long."""

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
logger.setLevel(logging.ERROR)  # malformed requests are not worth a line each
LINGER_ZERO = struct.pack("ii", 1, 0)
BUSY_RESPONSE = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Wait(Enum):
    """What the server waits for on a connection."""

    NOTHING = "nothing"
    REQUEST = "request"
    """The beginning of a request."""
    HEAD = "head"
    """The rest of a request's head."""
    BODY = "body"
    """The rest of a request's body."""
    READING = "reading"
    """The client reading its responses."""
    LEAVING = "leaving"
    """The client reading the rest of the output, after which the connection closes."""


UNREAD_WAITS = frozenset({Wait.READING, Wait.LEAVING})


@dataclass(frozen=True)
class Timeouts:
    """The seconds that the server waits. It keeps waiting for a body, or for the client to read, while `min_bytes` or more move
    in that time, so that slow networks are not cut off."""

    head: float = 10.0
    body: float = 30.0
    reading: float = 30.0
    min_bytes: int = 16 * 1024

    def seconds(self, wait: Wait) -> float:
        """The timeout of a wait."""
        return {Wait.REQUEST: self.head, Wait.HEAD: self.head, Wait.BODY: self.body}.get(wait, self.reading)


class HttpConnection(H11Protocol):
    """uvicorn's HTTP connection with timeouts; the limiter checks them about once a second, so messages need no timers."""

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
        """The groups that count it; none once it is dropped."""
        self._limiter = limiter
        self._bytes_received = self._drains = 0
        self._last_state: tuple[object, ...] = ()
        self._since, self._moved = 0.0, 0

    @property
    def host(self) -> str:
        """The client's address."""
        return self.client[0] if self.client else ""

    @property
    def has_requested(self) -> bool:
        """Whether the head of a request has ever arrived."""
        return self.cycle is not None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Register with the limiter, or respond with 503 and close."""
        super().connection_made(transport)
        if not self._limiter.add(self):
            transport.write(BUSY_RESPONSE)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister from the limiter."""
        self._limiter.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process received bytes."""
        self._bytes_received += len(data)
        is_stranger = not self.has_requested
        super().data_received(data)
        if is_stranger and self.has_requested:
            self._limiter.mark_active(self)

    def send_400_response(self, msg: str) -> None:
        """Refuse malformed input, unless a response has begun; a running request sees the client disconnect."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            if self.cycle.response_started:
                self.transport.close()
                return
        super().send_400_response(msg)

    def shutdown(self) -> None:
        """Close the connection: at once if its request is incomplete, otherwise after the response."""
        wait = self.current_wait()
        if wait in (Wait.HEAD, Wait.BODY):
            self.drop()
        elif wait is not Wait.LEAVING:
            super().shutdown()

    def resume_writing(self) -> None:
        """Note that the client has read its output."""
        self._drains += 1
        super().resume_writing()

    def drop(self) -> None:
        """Close the connection at once; unread output is discarded, in the kernel as well."""
        if self.current_wait() in UNREAD_WAITS:
            with suppress(OSError):
                self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_ZERO)
        self.transport.abort()

    def current_wait(self) -> Wait:
        """What the server is waiting for."""
        if self.transport.is_closing():
            return Wait.LEAVING
        if self.flow.write_paused:
            return Wait.READING
        theirs = self.conn.their_state
        if theirs is h11.IDLE:
            return Wait.HEAD if self.conn.trailing_data[0] else Wait.REQUEST
        return Wait.BODY if theirs is h11.SEND_BODY and not self.flow.read_paused else Wait.NOTHING

    def is_overdue(self, now: float, timeouts: Timeouts) -> bool:
        """Whether the current wait has timed out, as observed by previous calls."""
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
