"""HTTP as bare as it can be, so that it can be cut off anywhere, and what came before can still be told."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode

PATIENCE = 30.0
"""Seconds after which an answer that has not come counts as lost; a server waits for its database for less."""
SILENCE = 40.0
"""Seconds after which a stream that says nothing counts as lost; it says that it is still there more often."""
LONGEST = 2**22
HERE = "127.0.0.1"
_COOKIE = re.compile(r"(?im)^set-cookie: ([^=\s]+=[^;\s]+)")


class LostError(Exception):
    """No answer came, so that nobody knows what became of the question."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server said to one request."""

    status: int
    head: str
    body: str

    def header(self, name: str) -> str:
        """One header, or nothing."""
        found = re.search(rf"(?im)^{name}: ([^\r\n]*)", self.head)
        return found[1] if found else ""


class Wire:
    """The way of one browser to a server: from an address of this machine, with the cookie that it was given."""

    def __init__(self, port: int, source: str = HERE) -> None:
        self.port, self.source, self.cookie = port, source, ""

    async def arrive(self) -> None:
        """Become somebody, as every browser does: by opening a page and keeping the cookie, whatever it is called."""
        answer = await self.ask("GET", "/")
        found = _COOKIE.search(answer.head)
        assert found, f"nobody was given a cookie: {answer.head}"
        self.cookie = found[1]

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection of its own."""
        return await asyncio.open_connection(HERE, self.port, limit=LONGEST, local_addr=(self.source, 0))

    def head(self, method: str, path: str, *more: str) -> str:
        """How a request begins that one of our pages makes."""
        here = f"{HERE}:{self.port}"
        lines = (f"{method} {path} HTTP/1.1", f"Host: {here}", f"Origin: http://{here}", "HX-Request: true", *more)
        return "\r\n".join((*lines, f"Cookie: {self.cookie}", "", ""))

    async def ask(self, method: str, path: str, fields: Mapping[str, object] | None = None) -> Answer:
        """One request over a connection of its own; `LostError` if no answer came."""
        body = urlencode(fields or {})
        more = ("Connection: close", "Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}")
        try:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await self.connect()
                try:
                    writer.write((self.head(method, path, *more) + body).encode())
                    return await _answer(reader)
                finally:
                    writer.close()
        except (OSError, TimeoutError) as problem:
            raise LostError(f"{method} {path}: {problem!r}") from None

    async def post(self, path: str, **fields: object) -> Answer:
        """Ask for a change."""
        return await self.ask("POST", path, fields)

    async def listen(self, path: str) -> AsyncIterator[str]:
        """The messages of a stream until it ends or is lost."""
        writer = None
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            try:
                async with asyncio.timeout(PATIENCE):
                    reader, writer = await self.connect()
                    writer.write(self.head("GET", path).encode())
                    begin = await reader.readuntil(b"\r\n\r\n")
                while begin.startswith(b"HTTP/1.1 200") and (chunk := await _chunk(reader)):
                    yield chunk
            finally:
                if writer:
                    writer.close()


async def _answer(reader: asyncio.StreamReader) -> Answer:
    """An answer that ends with the connection. Its first line is an answer even if nothing follows."""
    parts = bytearray()
    with suppress(ConnectionError):
        while part := await reader.read(2**16):
            parts += part
    head, _, body = bytes(parts).partition(b"\r\n\r\n")
    status = head[9:12]
    if not status.isdigit():
        raise LostError("the connection was cut off")
    return Answer(int(status), head.decode("latin-1"), body.decode(errors="replace"))


async def _chunk(reader: asyncio.StreamReader) -> str:
    async with asyncio.timeout(SILENCE):
        size = int(await reader.readuntil(b"\r\n"), 16)
        return (await reader.readexactly(size + 2))[:-2].decode()
