"""A headless browser that calls the application as a server does, and keeps every byte it receives."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from html import unescape
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlencode

from starlette.applications import Starlette
from starlette.routing import Route

from tamaya.record import Record
from tamaya.storage import SqliteStore
from tamaya.table import Adviser, BotExecutor, Runtime, Table, hash_secret, import_game
from tamaya.web.app import ROUTES, create_app
from tamaya.web.http.cookies import COOKIE, Profile
from tamaya.web.http.sessions import claim_of
from tamaya.web.options import ServerOptions
from tamaya.web.services import services_of
from tests.limits import WAIT
from tests.support.databases import migrated_file
from tests.support.fakes import InlineAdviser, InlineExecutor, game_of, run, steady_chance

HOST = "hanabi.example"
SITE = f"http://{HOST}"
HTMX = {"hx-request": "true"}
Headers = list[tuple[bytes, bytes]]


@asynccontextmanager
async def serving(
    folder: Path,
    *,
    chance: Runtime | None = None,
    thinker: BotExecutor | None = None,
    adviser: Adviser | None = None,
    **options: Any,
) -> AsyncIterator[Starlette]:
    """The running application, with instant bots and deterministic randomness."""
    wishes = {"data": str(folder), "secret": "a secret of tests", "bot_pause": 0.0, "limits": False, **options}
    helpers: Any = {"bot_executor": thinker or InlineExecutor(), "adviser": adviser or InlineAdviser()}
    if not wishes.get("database"):
        migrated_file(Path(wishes["data"]) / "tables.sqlite")
    app = create_app(ServerOptions(**wishes), runtime=chance or steady_chance(), **helpers)
    async with app.router.lifespan_context(app):
        yield app


def with_app(folder: Path, steps: Callable[[Starlette], Awaitable[None]], **options: Any) -> None:
    """Run test steps with a running application."""

    async def use() -> None:
        async with serving(folder, **options) as app:
            await steps(app)

    run(use())


@dataclass(frozen=True)
class Answer:
    """A complete response."""

    status: int
    raw_headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def words(self) -> str:
        """The text with character references resolved."""
        return unescape(self.text)

    @property
    def headers(self) -> dict[str, str]:
        return {name.decode(): value.decode() for name, value in self.raw_headers}

    @property
    def cookies(self) -> list[str]:
        return [value.decode() for name, value in self.raw_headers if name == b"set-cookie"]


@dataclass
class Wire:
    """The ASGI channel of one request, which collects the response."""

    parts: Iterable[bytes] = (b"",)
    status: int = 0
    headers: Headers = field(default_factory=list)
    chunks: list[bytes] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self._parts = list(self.parts)

    async def receive(self) -> dict[str, Any]:
        if self._parts:
            body = self._parts.pop(0)
            return {"type": "http.request", "body": body, "more_body": bool(self._parts)}
        await asyncio.Event().wait()
        raise AssertionError

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], list(message["headers"])
        else:
            self.chunks.append(message.get("body", b""))
        self.news.set()

    @property
    def answer(self) -> Answer:
        return Answer(self.status, tuple(self.headers), b"".join(self.chunks))


class Stream:
    """A live page that collects messages until it is closed."""

    def __init__(self, app: Starlette, scope: dict[str, Any]) -> None:
        self.wire = Wire()
        self._task = asyncio.create_task(app(scope, self.wire.receive, self.wire.send))

    async def until(self, mark: bytes) -> None:
        """Wait for a message that contains these bytes; fails if the stream ends first."""
        while not any(mark in chunk for chunk in self.wire.chunks):
            self.wire.news.clear()
            news = asyncio.create_task(self.wire.news.wait())
            await asyncio.wait((news, self._task), timeout=WAIT / 2, return_when=asyncio.FIRST_COMPLETED)
            assert news.cancel() is False or self._task.done(), f"waited {WAIT / 2:g} s for {mark!r} after {self.wire.answer}"
            assert not self._task.done() or any(mark in chunk for chunk in self.wire.chunks), self.wire.answer

    async def ended(self) -> Answer:
        """Wait until the server ends the stream."""
        async with asyncio.timeout(WAIT / 2):
            await self._task
        return self.wire.answer

    async def close(self) -> Answer:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        return self.wire.answer


class FailedOnPurposeError(Exception):
    """An error that a test injects into the application."""


class Browser:
    """A visitor's browser: it keeps the cookie, and sends requests from its address."""

    def __init__(self, app: Starlette, *, cookie: str = "", language: str = "en", scheme: str = "http") -> None:
        self.app, self.cookie, self.scheme = app, cookie, scheme
        self.cookie_name = COOKIE
        self.language = language
        self.address = ("203.0.113.9", 50000)

    @property
    def person(self) -> str:
        """The visitor's id."""
        found = services_of(self.app).cookies._load_cached(self.cookie)
        return found[0].id if found else ""

    def scope(self, method: str, address: str, headers: Mapping[str, str]) -> dict[str, Any]:
        """The ASGI scope of a request."""
        path, _, query = address.partition("?")
        said = {"host": HOST, "accept-language": self.language}
        if self.cookie:
            said["cookie"] = f"{self.cookie_name}={self.cookie}"
        said |= headers
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "scheme": self.scheme,
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in said.items() if value],
            "client": self.address,
            "server": (HOST, 80),
            "state": {},
        }

    async def ask(self, method: str, address: str, **headers: str) -> Answer:
        """Send a request without a body; underscores in header names stand for hyphens."""
        return await self.send(method, address, [b""], {name.replace("_", "-"): value for name, value in headers.items()})

    async def send(self, method: str, address: str, parts: Iterable[bytes], headers: Mapping[str, str]) -> Answer:
        wire = Wire(parts)
        with suppress(FailedOnPurposeError):
            await self.app(self.scope(method, address, headers), wire.receive, wire.send)
        for line in wire.answer.cookies:
            for name, found in SimpleCookie(line).items():
                if found["max-age"] != "0":
                    self.cookie_name, self.cookie = name, found.value
        return wire.answer

    async def get(self, address: str, **headers: str) -> Answer:
        return await self.ask("GET", address, **headers)

    async def post(self, address: str, fields: Mapping[str, object] | None = None, **headers: str) -> Answer:
        """Send a form, from one of our own pages unless the headers say otherwise."""
        body = urlencode({name: str(value) for name, value in (fields or {}).items()}).encode()
        said = {
            "origin": f"{self.scheme}://{HOST}",
            "content-type": "application/x-www-form-urlencoded",
            "content-length": str(len(body)),
        }
        return await self.send("POST", address, [body], said | {name.replace("_", "-"): one for name, one in headers.items()})

    async def upload(self, address: str, file: bytes, fields: Mapping[str, str] | None = None) -> Answer:
        """Send a form with a file."""
        parts = [_part(f'name="{name}"', value.encode()) for name, value in (fields or {}).items()]
        parts.append(_part('name="file"; filename="games.json"', file))
        body = b"".join([*parts, b"--x--\r\n"])
        said = {"origin": f"{self.scheme}://{HOST}", "content-type": "multipart/form-data; boundary=x"}
        return await self.send("POST", address, [body], said | {"content-length": str(len(body))})

    async def act(self, table: str, command: str, **fields: object) -> Answer:
        """Send a command of the table's live page; the response is its new HTML."""
        return await self.post(f"/t/{table}/{command}", fields, hx_request="true")

    def stream(self, address: str, **headers: str) -> Stream:
        return Stream(self.app, self.scope("GET", address, {name.replace("_", "-"): one for name, one in headers.items()}))


def _part(what: str, content: bytes) -> bytes:
    return b"--x\r\ncontent-disposition: form-data; %b\r\n\r\n%b\r\n" % (what.encode(), content)


def member(app: Starlette, name: str, **more: Any) -> Browser:
    """A visitor with a settled cookie."""
    person = Profile(f"p-{name.lower()}", name)
    return Browser(app, cookie=services_of(app).cookies.serialize(person), **more)


def stop_the_clock(app: Starlette) -> list[float]:
    """Give the rate limits a clock that only the test advances."""
    time = [1000.0]
    services_of(app).limits._clock = lambda: time[0]
    return time


def sqlite_store_of(app: Starlette) -> SqliteStore:
    """The SQLite store of an application."""
    store = services_of(app).tables.store
    assert isinstance(store, SqliteStore)
    return store


async def the_table(app: Starlette, code: str) -> Table:
    """The table with this code."""
    found: Table = await services_of(app).tables.get(code)
    return found


async def brought(app: Starlette, record: Record) -> str:
    """Import a game; returns the code of its table."""
    table = await services_of(app).tables.begin(import_game(record, "p-host"))
    return str(table.code)


async def kept_lines(app: Starlette) -> dict[str, list[str]]:
    """The stored events of every table, which a refused request must not change."""
    services = services_of(app)
    return {code: await services.tables.store.read_events(code) for code in services.tables._cache}


async def open_table(host: Browser, *guests: Browser, **fields: object) -> str:
    """Open a table and seat the guests; returns its code."""
    wishes = {"edition": "standard", "players": 1 + len(guests), **fields}
    answer = await host.post("/new", wishes)
    assert answer.status == 303, answer.text
    code = answer.headers["location"].rpartition("/")[2]
    for guest in guests:
        assert (await guest.act(code, "sit")).status == 200
    return code


async def start_game(host: Browser, *guests: Browser, **fields: object) -> str:
    """Start a game in which the host plays first; returns the table's code."""
    code = await open_table(host, *guests, **fields)
    answer = await host.act(code, "start", first=0)
    assert answer.status == 200, answer.text
    return code


async def end_game(app: Starlette, code: str, *players: Browser) -> None:
    """Play the first legal action until the game is over; bots play by themselves."""
    by_person = {player.person: player for player in players}
    while (table := await the_table(app, code)).to_move is not None:
        if table.bot_to_move:
            await asyncio.sleep(0)
            continue
        player = by_person[table.seats[table.to_move].person]
        text = str(game_of(table).legal_actions()[0])
        assert (await player.act(code, "move", move=text, turn=table.turn, line=table.branch)).status == 200


POSTS = sorted(route.path for route in ROUTES if isinstance(route, Route) and "POST" in (route.methods or ()))


def address_of(path: str, code: str, app: Starlette, person: Browser) -> str:
    """A path that matches a route."""
    return path.replace("{code}", code).replace("{token}", secrets.token_urlsafe(16))


def signed_by(browser: Browser) -> tuple[Profile, str]:
    """The profile and the session secret in a browser's cookie."""
    found = services_of(browser.app).cookies._load_cached(browser.cookie)
    assert found, "the browser has no cookie of ours"
    return found


async def personal_link(app: Starlette, person: Browser) -> str:
    """Create a personal link for a visitor; returns its token."""
    token, (found, secret) = secrets.token_urlsafe(16), signed_by(person)
    await services_of(app).sessions.save_login_link(claim_of(found, secret), token, found)
    return token


ENDED = "This device is no longer signed in"


def copy_of(browser: Browser) -> Browser:
    """Another browser with a copy of the cookie."""
    thief = Browser(browser.app, cookie=browser.cookie)
    thief.cookie_name = browser.cookie_name
    return thief


async def on_another_device(app: Starlette, browser: Browser) -> Browser:
    """Another browser, signed in as the same visitor by a personal link."""
    phone = Browser(app)
    assert (await phone.post(f"/me/{await personal_link(app, browser)}")).status == 303
    assert phone.person == browser.person
    return phone


def session_of(browser: Browser) -> str:
    """The stored hash of the session in a browser's cookie, empty if it has none."""
    secret = signed_by(browser)[1]
    return hash_secret(secret) if secret else ""


async def rows(app: Starlette, person: str) -> int:
    return len(await services_of(app).sessions.store.sessions_of(person))
