"""A minimal HTTP client: the simulated players share the machine with the server and must cost little."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlencode

RESPONSE_TIMEOUT = 10.0
"""The seconds after which a missing response or update counts as lost."""
_TURN = b'data-turn="'
_ACTIVE = b'data-active="yes"'
_OK = b"HTTP/1.1 200 "
_HEAD_ENDS = b"\r\n\r\n"
_LINE_ENDS = b"\r\n"
_MOVE = re.compile(rb'name="move" value="([^"]+)"([^>]*)>')
_REFUSED = b"data-refusal"


@dataclass(frozen=True, slots=True)
class WireResponse:
    """The response to one request."""

    status: int
    head: bytes

    def header(self, name: str) -> str:
        """The value of a header, or an empty string."""
        found = re.search(rb"(?i)\r\n" + name.encode() + rb": ([^\r]*)", self.head)
        return found[1].decode() if found else ""


class Wire:
    """Connections to one server."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._origin = f"http://{host}:{port}"

    async def post(self, path: str, cookie: str, **fields: str) -> WireResponse:
        """Post a form as a page does, over a new connection: people move less often than the server's keep-alive lasts."""
        body = urlencode(fields)
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {self._host}:{self._port}\r\nOrigin: {self._origin}\r\nCookie: tamaya={cookie}\r\n"
            "HX-Request: true\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[WireResponse] = loop.create_future()
        async with asyncio.timeout(RESPONSE_TIMEOUT):
            await loop.create_connection(lambda: _Exchange((head + body).encode(), answered), self._host, self._port)
            return await answered

    async def watch(self, path: str, cookie: str, on_drawing: Callable[[LivePage], None]) -> LivePage:
        """Open a live page; `on_drawing` is called with it after every complete update."""
        head = f"GET {path} HTTP/1.1\r\nHost: {self._host}:{self._port}\r\nCookie: tamaya={cookie}\r\n\r\n".encode()
        loop = asyncio.get_running_loop()
        _, page = await loop.create_connection(lambda: LivePage(head, on_drawing), self._host, self._port)
        return page


class _Exchange(asyncio.Protocol):
    """One request and its response, which ends with the connection."""

    def __init__(self, request: bytes, answered: asyncio.Future[WireResponse]) -> None:
        self._request, self._answered = request, answered
        self._parts: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast("asyncio.Transport", transport).write(self._request)

    def data_received(self, data: bytes) -> None:
        self._parts.append(data)

    def connection_lost(self, problem: Exception | None) -> None:
        head = b"".join(self._parts).partition(_HEAD_ENDS)[0]
        status = head[9:12]
        if not self._answered.done():
            self._answered.set_result(WireResponse(int(status) if status.isdigit() else 0, head))


class LivePage(asyncio.Protocol):
    """One live page, which reads the stream chunk by chunk and parses as little of an update as possible."""

    def __init__(self, request: bytes, on_drawing: Callable[[LivePage], None]) -> None:
        self._request, self._on_drawing = request, on_drawing
        self._transport: asyncio.Transport | None = None
        self._buffer = b""
        self._streaming = False
        self._drawing = b""
        self.turn = -1
        """The turn that the page shows; -1 before the first board."""
        self.shown = 0.0
        """When the page first showed that turn."""
        self.skipped = 0
        """The turns that the page never showed, or showed again after a later one."""
        self.drawings = self.bytes = 0
        self.closed = False

    @property
    def active(self) -> bool:
        """Whether the page asks its player for a move."""
        return bool(self._drawing)

    @property
    def ports(self) -> tuple[int, int]:
        """The ports at both ends of the connection, the server's first; only both identify it among several server ports."""
        if self._transport is None or self.closed:
            return 0, 0
        return self._transport.get_extra_info("peername")[1], self._transport.get_extra_info("sockname")[1]

    def moves(self) -> list[str]:
        """The moves that the page offers its player."""
        return [found[1].decode() for found in _MOVE.finditer(self._drawing) if _REFUSED not in found[2]]

    def close(self) -> None:
        """Close the page."""
        self.closed = True
        if self._transport:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the request."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._request)

    def connection_lost(self, problem: Exception | None) -> None:
        """Note that the stream has ended."""
        self.closed = True

    def data_received(self, data: bytes) -> None:
        """Process every complete chunk."""
        buffer = self._buffer + data if self._buffer else data
        start = 0 if self._streaming else self._begin(buffer)
        while self._streaming and (line := buffer.find(_LINE_ENDS, start)) >= 0:
            body = line + 2
            end = body + int(buffer[start:line], 16)
            if len(buffer) < end + 2:
                break
            self._take_in(buffer[body:end])
            start = end + 2
        self._buffer = buffer[start:]

    def _begin(self, buffer: bytes) -> int:
        """The start of the stream after the response's head; a response other than 200 closes the page."""
        if not buffer.startswith(_OK[: len(buffer)]):
            self.close()
        self._streaming = _HEAD_ENDS in buffer and not self.closed
        return buffer.index(_HEAD_ENDS) + len(_HEAD_ENDS) if self._streaming else 0

    def _take_in(self, message: bytes) -> None:
        place = message.find(_TURN)
        if place < 0:
            return
        place += len(_TURN)
        turn = int(message[place : message.index(b'"', place)])
        self.drawings += 1
        self.bytes += len(message)
        self._drawing = message if _ACTIVE in message else b""
        if turn != self.turn:
            self.shown = time.perf_counter()
            self.skipped += self.turn >= 0 and turn != self.turn + 1
            self.turn = turn
        self._on_drawing(self)
