"""Random malformed requests: bad headers, forms, cookies, methods, numbers and encodings, and noise."""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from contextlib import suppress
from urllib.parse import quote, urlencode

from tests.faults.wire import HERE, Wire

CONNECTIONS = 6
PIPELINED = 25
"""How many requests are sent at once over one connection, which the last one ends."""
BATCH_TIMEOUT = 60.0
_STATUS = re.compile(rb"HTTP/1\.1 (\d\d\d) ")
LONG = "9" * 4301
"""More digits than Python converts to a number."""
COMMANDS = (
    *("sit", "rename", "stand", "bot", "start", "move", "arrange", "say", "take-back", "answer", "note", "show-notes"),
    *("take-over", "give-back", "advice", "rematch", "replay/together/lead", "nothing"),
)
PAGES = (
    *("/t/{code}", "/t/{code}/possibilities", "/t/{code}/replay", "/t/{code}/record/tamaya", "/t/{code}/result.svg"),
    *("/t/{code}/qr.svg", "/teammates/x", "/me/x", "/t/%00", "/t/%ff%fe", "/static/%2e%2e/key", "/preview/99.png", "/games"),
)
FIELDS = (
    *("seat", "name", "bot", "first", "move", "turn", "line", "hand", "text", "card", "question", "step", "eyes", "then"),
    "other",
)
VALUES = (
    *("-1", "99999", "1e3", "１", "²", "", " ", "\x00", "\r\n", "None", "NaN", LONG, "play 9", "clue 2 ²", "x" * 300, "\ud800"),
    *("clue 99 99", "arrange 1: 1", "0 1 2 3 4", "../../key", "' OR 1=1 --", "<script>", "%00", "\u202e", "deep", "random"),
)
METHODS = ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW", "GET!", "post", "HEAD")
KINDS = (
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded; charset=utf-16",
    "multipart/form-data; boundary=x",
    "multipart/form-data; boundary=",
    "multipart/form-data",
    "application/json",
    "",
)
ENDINGS = (
    b"GET / HTTP/9.9\r\n\r\n\xff\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\n : y\r\n\r\n\xff\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\na: \x00\r\n\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET  /  HTTP/1.1\r\nHost: x\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + LONG.encode() + b"\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
    b"POST /join HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
    b"POST /join HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    b"\r\n\r\n\r\n\r\n\xff\r\n\r\n",
)


class Rubbish:
    """Generates malformed requests, the same for the same seed."""

    def __init__(self, port: int, code: str, cookie: str, seed: int) -> None:
        self._port, self._code, self._cookie, self._chance = port, code, cookie, random.Random(seed)
        self.sent = 0
        self.statuses: Counter[int] = Counter()

    async def pour(self, count: int) -> None:
        """Send this many."""
        await asyncio.gather(*(self._lane(count) for _ in range(CONNECTIONS)))

    async def _lane(self, count: int) -> None:
        while self.sent < count:
            some = [self._request() for _ in range(self._chance.randrange(PIPELINED))]
            self.sent += len(some) + 1
            await self._send(b"".join(some) + self._ending())

    async def _send(self, data: bytes) -> None:
        """Send requests over a new connection, and count the responses until the server closes it."""
        async with asyncio.timeout(BATCH_TIMEOUT):
            reader, writer = await Wire(self._port).connect()
            try:
                writer.write(data)
                with suppress(ConnectionError):
                    rest = b""
                    while part := await reader.read(2**16):
                        self.statuses.update(int(found) for found in _STATUS.findall(rest[-12:] + part))
                        rest = part
            finally:
                writer.transport.abort()

    def _request(self) -> bytes:
        """A request that is parsed, refused, and leaves the connection open."""
        chance = self._chance
        if chance.random() < 0.5:
            return self._form()
        query = urlencode(self._fields(), errors="replace")
        path = chance.choice(PAGES).replace("{code}", chance.choice((self._code, "aaaaaaaaaa")))
        return self._head(chance.choice(("GET", *METHODS)) if chance.random() < 0.5 else "GET", f"{path}?{query}", b"")

    def _form(self) -> bytes:
        chance = self._chance
        kind = chance.choice((KINDS[0], KINDS[0], *KINDS))
        body = urlencode(self._fields(), errors="replace").encode()
        if chance.random() < 0.3:
            body = chance.randbytes(chance.randrange(200))
        return self._head("POST", f"/t/{self._code}/{chance.choice(COMMANDS)}", body, f"Content-Type: {kind}")

    def _fields(self) -> dict[str, str]:
        return {name: self._chance.choice(VALUES) for name in self._chance.sample(FIELDS, self._chance.randrange(5))}

    def _head(self, method: str, path: str, body: bytes, *more: str) -> bytes:
        chance, here = self._chance, f"{HERE}:{self._port}"
        cookies = (self._cookie, f"{self._cookie}x", f"tamaya={quote('ü' * 9)}", "tamaya=" + "x" * 2000, "=;=;", "tamaya")
        odd = (
            f"Origin: {chance.choice(('null', 'http://evil.example', 'x'))}",
            f"Accept-Language: en;q={LONG}",
            f"Range: bytes={LONG}-",
            f"X-Forwarded-For: {LONG}",
            "HX-Request: \xff",
            f"Last-Event-ID: {LONG}",
        )
        lines = (
            f"{method} {path} HTTP/1.1",
            f"Host: {here}",
            f"Origin: http://{here}" if chance.random() < 0.8 else chance.choice(odd),
            "HX-Request: true" if chance.random() < 0.9 else chance.choice(odd),
            f"Cookie: {chance.choice(cookies)}",
            f"Content-Length: {len(body)}",
            *more,
        )
        return "\r\n".join((*lines, "", "")).encode("latin-1") + body

    def _ending(self) -> bytes:
        """A request that cannot be parsed, or noise, after which the server closes the connection."""
        if self._chance.random() < 0.2:
            return self._chance.randbytes(40).replace(b"\n", b"x") + b"\r\n\r\n"
        return self._chance.choice(ENDINGS)
