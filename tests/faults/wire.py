"""A minimal HTTP client, whose connections can be cut anywhere."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode

RESPONSE_TIMEOUT = 30.0
"""The response timeout; a server waits for its database for less."""
STREAM_TIMEOUT = 40.0
"""The timeout of a silent stream; a server sends heartbeats more often."""
MAX_LINE = 2**22
HERE = "127.0.0.1"
_COOKIE = re.compile(r"(?im)^set-cookie: ([^=\s]+=[^;\s]+)")


class LostError(Exception):
    """No response came, so the result of the request is unknown."""


@dataclass(frozen=True, slots=True)
class Response:
    """The response to one request."""

    status: int
    head: str
    body: str

    def header(self, name: str) -> str:
        """The value of a header, if present."""
        found = re.search(rf"(?im)^{name}: ([^\r\n]*)", self.head)
        return found[1] if found else ""


class Wire:
    """A browser's connections to a server, from one local address and with its cookie."""

    def __init__(self, port: int, source: str = HERE) -> None:
        self.port, self.source, self.cookie = port, source, ""

    async def get_cookie(self) -> None:
        """Get a cookie by loading a page, as every browser does."""
        response = await self.request("GET", "/")
        found = _COOKIE.search(response.head)
        assert found, f"no cookie was set: {response.head}"
        self.cookie = found[1]

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a connection."""
        return await asyncio.open_connection(HERE, self.port, limit=MAX_LINE, local_addr=(self.source, 0))

    def head(self, method: str, path: str, *more: str) -> str:
        """The head of a request as one of our pages sends it."""
        here = f"{HERE}:{self.port}"
        lines = (f"{method} {path} HTTP/1.1", f"Host: {here}", f"Origin: http://{here}", "HX-Request: true", *more)
        return "\r\n".join((*lines, f"Cookie: {self.cookie}", "", ""))

    async def request(self, method: str, path: str, fields: Mapping[str, object] | None = None) -> Response:
        """Send a request over a new connection; raises `LostError` if no response comes."""
        body = urlencode(fields or {})
        more = ("Connection: close", "Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}")
        try:
            async with asyncio.timeout(RESPONSE_TIMEOUT):
                reader, writer = await self.connect()
                try:
                    writer.write((self.head(method, path, *more) + body).encode())
                    return await _read_response(reader)
                finally:
                    writer.close()
        except (OSError, TimeoutError) as problem:
            raise LostError(f"{method} {path}: {problem!r}") from None

    async def post(self, path: str, **fields: object) -> Response:
        """Post a form."""
        return await self.request("POST", path, fields)

    async def listen(self, path: str) -> AsyncIterator[str]:
        """The messages of a stream until it ends or is lost."""
        writer = None
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            try:
                async with asyncio.timeout(RESPONSE_TIMEOUT):
                    reader, writer = await self.connect()
                    writer.write(self.head("GET", path).encode())
                    begin = await reader.readuntil(b"\r\n\r\n")
                while begin.startswith(b"HTTP/1.1 200") and (chunk := await _chunk(reader)):
                    yield chunk
            finally:
                if writer:
                    writer.close()


async def _read_response(reader: asyncio.StreamReader) -> Response:
    """Read a response that ends with the connection. Its status line counts even if nothing follows."""
    parts = bytearray()
    with suppress(ConnectionError):
        while part := await reader.read(2**16):
            parts += part
    head, _, body = bytes(parts).partition(b"\r\n\r\n")
    status = head[9:12]
    if not status.isdigit():
        raise LostError("the connection was cut off")
    return Response(int(status), head.decode("latin-1"), body.decode(errors="replace"))


async def _chunk(reader: asyncio.StreamReader) -> str:
    async with asyncio.timeout(STREAM_TIMEOUT):
        size = int(await reader.readuntil(b"\r\n"), 16)
        return (await reader.readexactly(size + 2))[:-2].decode()
