"""What every request has to pass, and what every response carries."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tamaya.i18n import catalogue
from tamaya.rules import IllegalError, MalformedError, read_number, say
from tamaya.web.people import NOBODY, language_of

LARGEST_BODY = 16 * 1024
LARGEST_FILE = 1024 * 1024
ROOM = {"/bring": LARGEST_FILE}
"""How much a request to an address may hold where that is more than `LARGEST_BODY`."""
LONGEST_HOST = 259
"""The longest name that a server can have, 253 letters, and a port."""
POLICY = "; ".join(
    (
        "default-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "object-src 'none'",
        "worker-src 'self'",
        "manifest-src 'self'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
}


class TooLargeError(MalformedError):
    """A request with more in it than the form that it belongs to."""

    def __init__(self, most: int = LARGEST_BODY) -> None:
        super().__init__("too_large", say("That is too much at once; the most is {most} bytes.", most=most))


class TooOftenError(IllegalError):
    """Somebody who asks faster than people can."""

    def __init__(self) -> None:
        super().__init__("too_often", say("That was too fast; wait a moment and try again."))


class ForeignError(IllegalError):
    """A change that another site's page asked for."""

    def __init__(self) -> None:
        super().__init__("foreign_origin", say("Changes are accepted from this site's own pages only."))


class Guard:
    """ASGI middleware: bounds what requests hold and puts the security headers on every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        app = self._app if len(Headers(scope=scope).get("host", "")) <= LONGEST_HOST else _refuse_host
        await app(scope, _bounded(scope, receive), guarded_send)


async def _refuse_host(scope: Scope, receive: Receive, send: Send) -> None:
    """Say that no server is called that; a page would repeat the name in every link."""
    speak = catalogue(language_of(NOBODY, Request(scope)))
    message = say("No server has a name of more than {most} characters; check the address.", most=LONGEST_HOST)
    await PlainTextResponse(speak(message), 400)(scope, receive, send)


def _bounded(scope: Scope, receive: Receive) -> Receive:
    read, most = 0, ROOM.get(scope["path"], LARGEST_BODY)
    announced = read_number(Headers(scope=scope).get("content-length", ""), 20) or 0  # the server refuses longer ones

    async def bounded_receive() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if max(read, announced) > most:
            raise TooLargeError(most)
        return message

    return bounded_receive


def check_origin(headers: Headers, address: str) -> None:
    """Refuse a change unless the browser says that a page of the server it speaks to, or of `address`, asks for it."""
    own = {_place(address), headers.get("host", "").lower()} - {""}
    origin = headers.get("origin")
    if origin is None:
        if headers.get("sec-fetch-site") != "same-origin":
            raise ForeignError
    elif origin.partition("://")[2] not in own:
        raise ForeignError


def _place(address: str) -> str:
    """Host and port of an address as a browser names them: in small letters, without the usual port."""
    parts = urlsplit(address.lower())
    usual = {"http": ":80", "https": ":443"}.get(parts.scheme, "")
    return parts.netloc.removesuffix(usual)


@dataclass(frozen=True, eq=False)
class Limit:
    """So many times in so many seconds; two limits of the same numbers are counted apart."""

    times: int
    seconds: int


class Limits:
    """How often somebody may ask, counted in windows of fixed length."""

    CHANGES = Limit(60, 10)
    """Changes by one person."""
    CROWD = Limit(600, 10)
    """Changes from one address, behind which a whole club may sit."""
    COSTLY = Limit(30, 10)
    """Pages that take the server long, for one person: the form for a table, what cards can be."""
    CROWD_COSTLY = Limit(150, 10)
    """The same for one address."""
    DRAWINGS = Limit(20, 10)
    """QR codes that have to be drawn, for one address."""
    OPENINGS = Limit(30, 60)
    """New tables from one address."""
    SESSIONS = Limit(30, 60)
    """Sessions that begin, and personal links, from one address."""
    BROUGHT = Limit(200, 600)
    """Games brought from elsewhere, from one address."""
    STEPS = Limit(400, 10)
    """Moments of replays, for one person: a slider that is dragged asks for many."""
    SEARCHES = Limit(6, 60)
    """Games that the solver or the coach is set to work on, from one address."""
    TRIED = Limit(20, 60)
    """Tried moves that the coach is set to weigh, for one person."""
    GUESSES = Limit(60, 60)
    """Tables asked for that do not exist, from one address."""
    EXPORTS = Limit(3, 60)
    """Files of all games of one person."""
    STREAMS = 20
    """Live pages of one person at the same time."""
    CROWD_STREAMS = 500
    """Live pages from one address at the same time."""

    def __init__(self, active: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self.active, self._clock = active, clock
        self._windows: dict[Limit, tuple[float, Counter[str]]] = {}

    def check(self, limit: Limit, who: str, times: int = 1) -> None:
        """Count this, and refuse it if it is too much."""
        self._counts(limit)[who] += times
        self.check_only(limit, who)

    def take(self, limit: Limit, who: str, times: int) -> None:
        """Count so many, or refuse them all and count none."""
        counts = self._counts(limit)
        if self.active and counts[who] + times > limit.times:
            raise TooOftenError
        counts[who] += times

    def has_room(self, limit: Limit, who: str) -> bool:
        """Count this if it is not too much; for what can wait, so that nobody has to be refused."""
        counts = self._counts(limit)
        if counts[who] >= limit.times:
            return False
        counts[who] += 1
        return True

    def check_only(self, limit: Limit, who: str) -> None:
        """Refuse somebody who has asked too much, without counting this."""
        if self.active and self._counts(limit)[who] > limit.times:
            raise TooOftenError

    def _counts(self, limit: Limit) -> Counter[str]:
        """How often everybody asked in the window that is open now."""
        now = self._clock()
        start, counts = self._windows.get(limit, (0.0, Counter[str]()))
        if not start <= now < start + limit.seconds:
            start, counts = now, Counter()
        self._windows[limit] = start, counts
        return counts
