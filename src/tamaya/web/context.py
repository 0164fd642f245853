"""The context of one request: its visitor, their language, and helpers that build the response."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from tamaya.i18n import Catalogue, catalogue
from tamaya.rules import IllegalError, MalformedError, read_number, say
from tamaya.rules.message import half_character
from tamaya.table import GameFilter, GameKind, GameState, Phase, Table
from tamaya.table.names import available_name, visible
from tamaya.web.bot_profiles import compile_notices_at
from tamaya.web.http.client import address_of
from tamaya.web.http.cookies import NOT_RETURNED, Profile, language_of
from tamaya.web.http.rate_limits import Client, Limit, RateLimiter, is_settled
from tamaya.web.http.security import check_origin, is_https
from tamaya.web.http.sessions import RequestSession, session_of
from tamaya.web.rendering.templates import render

if TYPE_CHECKING:
    from tamaya.web.services import Services
    from tamaya.web.table.snapshot import ShownAdvice


@dataclass(frozen=True, slots=True)
class Viewer:
    """A visitor for whom a table is rendered.

    `person` is their id, `named` tells whether they chose their name, `address` is the public base URL of the server.
    """

    person: str
    name: str
    language: str
    address: str
    named: bool = True
    tips_enabled: bool = False
    next_discard: bool = False
    advice: ShownAdvice | None = None


@dataclass
class RequestContext:
    """A request and the visitor who sent it."""

    request: Request
    services: Services = field(init=False)
    session: RequestSession = field(init=False)
    profile: Profile = field(init=False)
    is_new: bool = field(init=False)
    is_change: bool = field(init=False, default=False)
    sets_cookie: bool = field(init=False)
    language: str = field(init=False)

    def __post_init__(self) -> None:
        self.services = self.request.app.state.services
        self.session = session_of(self.request)
        self.profile = self.session.profile or self.services.cookies.new_profile()
        self.is_new = self.session.profile is None
        self.sets_cookie = self.session.is_new or (self.session.is_plain and self._is_https)
        self.language = language_of(self.profile, self.request)

    @property
    def address(self) -> str:
        """The public base URL of this server."""
        return self.services.options.address.rstrip("/") or str(self.request.base_url).rstrip("/")

    @property
    def _is_https(self) -> bool:
        return is_https(self.request, self.services.options.address)

    @property
    def is_htmx(self) -> bool:
        """Whether htmx asks for a part of a page."""
        return self.request.headers.get("hx-request") == "true"

    def require_same_origin(self) -> None:
        """Count a change, or refuse it if it comes from another site or too soon."""
        self._check_origin()
        self.check_limit(RateLimiter.CHANGES)
        self.is_change = True

    def limit_expensive(self, table: Table | None = None) -> None:
        """Count a request that is expensive to serve, or refuse it."""
        self.check_limit(RateLimiter.EXPENSIVE, table)

    def check_limit(self, limit: Limit, table: Table | None = None, times: int = 1) -> None:
        """Count N uses of a limit, or refuse them; players of the `table` are counted apart from strangers."""
        self.services.limits.check(limit, self.client(table), times)

    def check_new_table(self) -> None:
        """Count a new table, or refuse it."""
        self.services.limits.check_new_table(self.client())

    def client(self, table: Table | None = None) -> Client:
        """The visitor as rate limits count them."""
        person = "" if self.is_new else self.profile.id
        seated = table is not None and table.seat_of(person) is not None
        settled = bool(person) and is_settled(self.profile.since, time.time())
        return Client(person, self.client_address, settled, seated)

    def _check_origin(self) -> None:
        check_origin(self.request.headers, self.request.scope["scheme"], self.services.options.address)

    @property
    def name(self) -> str:
        """The visitor's name, or “Guest”."""
        return available_name(self._display_name, ())

    @property
    def _display_name(self) -> str:
        return visible(self.profile.name) or self.translate(say("Guest"))

    @property
    def translate(self) -> Catalogue:
        """The catalogue of the visitor's language."""
        return catalogue(self.language)

    @property
    def client_address(self) -> str:
        """The browser's IPv4 address or IPv6 network."""
        return address_of(self.request.client.host) if self.request.client else ""

    async def form(self, max_files: int = 0) -> Mapping[str, str]:
        """The fields of a form; the values of a repeated field are joined by spaces, a file counts as its text.

        Lone surrogates are refused, as they cannot be stored.
        """
        fields: dict[str, str] = {}
        async with self.request.form(max_files=max_files, max_fields=50) as form:
            for name, value in form.multi_items():
                text = value if isinstance(value, str) else (await value.read()).decode("utf-8-sig", errors="replace")
                if problem := half_character(name + text):
                    raise MalformedError("half_character", problem)
                fields[name] = f"{fields[name]} {text}" if name in fields else text
        return fields

    async def table(self) -> Table:
        """The table that the URL names, if the visitor may watch it."""
        table = await self.find_table(self.request.path_params["code"])
        if not table.may_look(self.profile.id):
            raise no_spectators_error()
        return table

    async def table_for_update(self, cached: bool = False) -> Table:
        """The same for a change, which is counted.

        A `cached` table may be outdated; it serves callers that pass their decision to `TableService.change`, which reads the
        store when needed.
        """
        self._check_origin()
        table = await self.find_table(self.request.path_params["code"], cached)
        if not table.may_look(self.profile.id):
            table = await self.table()
        self.check_limit(RateLimiter.CHANGES, table)
        self.is_change = True
        return table

    async def table_for_replay(self) -> Table:
        """The table that the URL names, if the visitor may see the replay of its game."""
        table = await self.find_table(self.request.path_params["code"])
        if table.phase is Phase.OPEN:
            raise IllegalError("not_started", say("The game has not begun."))
        if not table.may_look_back(self.profile.id):
            raise no_spectators_error()
        return table

    async def find_table(self, code: str, cached: bool = False) -> Table:
        """The table with this code, current or as `cached` in this process.

        Rate-limited, so that table codes cannot be guessed; wrong guesses by others behind the same address do not count.
        """
        limits, tables = self.services.limits, self.services.tables
        try:
            table = await (tables.get_cached if cached else tables.get)(code.lower())
        except MalformedError:
            limits.check(RateLimiter.UNKNOWN_CODES, self.client())
            raise
        if table.seat_of(self.profile.id) is None:
            limits.check_own(RateLimiter.UNKNOWN_CODES, self.client())
        return table

    def page(self, template: str, status: int = 200, **context: Any) -> Response:
        """A whole page."""
        url = self.request.url
        here = f"{url.path}?{url.query}" if url.query else url.path
        back = here if self.request.method == "GET" else "/"
        html = render(template, self.language, person=self.profile, back=back, ended=self.session.has_ended, **context)
        return self.with_cookie(HTMLResponse(html, status))

    async def qr_code(self, text: str) -> Response:
        """A text as a QR code; refused to visitors without a cookie, and rate-limited."""
        if self.is_new:
            raise IllegalError("stranger", say("This picture is for visitors of its page; open the page first."))
        picture = await self.services.qr_codes.draw(text, lambda: self.check_limit(RateLimiter.QR_CODES))
        return Response(picture, media_type="image/svg+xml")

    def live_response(self, table: Table) -> HTMLResponse:
        """The live part of a table's page."""
        return HTMLResponse(self.render_live(table))

    def render_live(self, table: Table) -> str:
        """The HTML of the live part of a table's page."""
        named, coached = bool(self.profile.name), self.profile.tips_enabled
        advice, next_discard = self.services.advice.shown(table, self.profile.id), self.profile.next_discard
        is_open, presence = table.phase is Phase.OPEN, self.services.presence
        name = self._display_name if is_open else ""  # a board says "you"
        viewer = Viewer(self.profile.id, name, self.language, self.address, named, coached, next_discard, advice)
        away = presence.missing(table) if is_open else presence.away(table)
        notices = compile_notices_at(self.services.search_pool, table) if any(table.bots) else ()
        return self.services.boards.render(table, viewer, away, notices)

    def with_cookie(self, response: Response) -> Response:
        """Set the visitor's cookie on the response where it is missing or outdated, and return the response.

        A session begins with the visitor's first change. Until then, a cookie whose session has ended is kept as well: the host
        may have ended it by mistake.
        """
        if self.is_change and response.status_code < 400 and not self.session.secret:
            self.sets_cookie |= self.session.has_ended
            if self.services.limits.try_acquire(RateLimiter.SESSIONS, self.client(), always=True):
                self.begin_session()
        begins = not self.is_new and self.profile.since == NOT_RETURNED
        if begins and self.services.limits.try_acquire(RateLimiter.RETURNING_VISITORS, Client("", self.client_address)):
            self.update_profile(msgspec.structs.replace(self.profile, since=int(time.time())))
        if self.sets_cookie:
            self.services.cookies.set_cookie(response, self.profile, self._is_https, self.session.secret)
        return response

    def begin_session(self) -> None:
        """Begin a session with this response."""
        self.session.secret, self.session.started = self.services.sessions.new(self.profile.id, self.request)
        self.sets_cookie = True

    def update_profile(self, profile: Profile) -> None:
        """Change the visitor's profile, and set it as a cookie on the response."""
        self.profile, self.sets_cookie = profile, True

    async def update_finished_games(self) -> None:
        """Update how many games a beginner has finished."""
        if not self.profile.first_games:
            return
        over = await self.services.store.tables_of(self.profile.id, GameFilter(state=GameState.OVER))
        person = self.profile.with_finished_games(sum(game.kind is not GameKind.BROUGHT for game in over))
        if person != self.profile:
            self.update_profile(person)

    def redirect(self, path: str) -> Response:
        """A redirect to another page, by a header where htmx asks."""
        going = RedirectResponse(path, 303)
        if self.is_htmx:
            return self.with_cookie(Response(headers={"HX-Redirect": going.headers["location"]}))
        return self.with_cookie(going)


def no_spectators_error() -> IllegalError:
    """The refusal of a spectator at a table without spectators."""
    return IllegalError("no_spectators", say("This table has no spectators."))


def form_number(fields: Mapping[str, str], name: str) -> int:
    """The whole number in a form field."""
    found = read_number(fields.get(name, ""), 5)
    if found is not None:
        return found
    raise MalformedError("bad_form", say("“{field}” is missing or is no whole number; go back and choose again.", field=name))
