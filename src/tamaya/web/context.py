"""The context of one request: who is asking, in which language, and how to answer."""

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
from tamaya.web.bot_profiles import still_warming_at
from tamaya.web.http.client import address_of
from tamaya.web.http.cookies import NOT_YET, Person, language_of
from tamaya.web.http.rate_limits import Caller, Limit, Limits, is_settled
from tamaya.web.http.security import check_origin, comes_by_https
from tamaya.web.http.sessions import Visitor, visitor_of
from tamaya.web.rendering.templates import Reader, render

if TYPE_CHECKING:
    from tamaya.web.services import House


@dataclass
class Visit:
    """A request and the person who sent it."""

    request: Request
    house: House = field(init=False)
    visitor: Visitor = field(init=False)
    person: Person = field(init=False)
    is_new: bool = field(init=False)
    changes: bool = field(init=False, default=False)
    remembers: bool = field(init=False)
    language: str = field(init=False)

    def __post_init__(self) -> None:
        self.house = self.request.app.state.house
        self.visitor = visitor_of(self.request)
        self.person = self.visitor.person or self.house.people.newcomer()
        self.is_new = self.visitor.person is None
        self.remembers = self.visitor.newcomer or (self.visitor.plain and self._secure)
        self.language = language_of(self.person, self.request)

    @property
    def address(self) -> str:
        """Where people reach this server."""
        return self.house.options.address.rstrip("/") or str(self.request.base_url).rstrip("/")

    @property
    def _secure(self) -> bool:
        return comes_by_https(self.request, self.house.options.address)

    @property
    def from_page(self) -> bool:
        """Whether a page asks for a part of itself."""
        return self.request.headers.get("hx-request") == "true"

    def check_change(self) -> None:
        """Refuse a change that another site's page asks for, or that comes too fast."""
        self._check_origin()
        self.check_limit(Limits.CHANGES)
        self.changes = True

    def check_costly(self, table: Table | None = None) -> None:
        """Refuse somebody who asks too fast for what takes the server long, perhaps of a table."""
        self.check_limit(Limits.COSTLY, table)

    def check_limit(self, limit: Limit, table: Table | None = None, times: int = 1) -> None:
        """Refuse what is beyond a limit; those who sit at the `table` are not held up by strangers."""
        self.house.limits.check(limit, self.caller(table), times)

    def check_opening(self) -> None:
        """Refuse a new table to somebody who opens too many."""
        self.house.limits.check_opening(self.caller())

    def caller(self, table: Table | None = None) -> Caller:
        """Who is asking, as limits count them."""
        person = "" if self.is_new else self.person.id
        seated = table is not None and table.seat_of(person) is not None
        settled = bool(person) and is_settled(self.person.since, time.time())
        return Caller(person, self.client, settled, seated)

    def _check_origin(self) -> None:
        check_origin(self.request.headers, self.request.scope["scheme"], self.house.options.address)

    @property
    def name(self) -> str:
        """What the person is called; somebody without a name is a guest."""
        return available_name(self._called, ())

    @property
    def _called(self) -> str:
        return visible(self.person.name) or self.speak(say("Guest"))

    @property
    def speak(self) -> Catalogue:
        """The words of the person's language."""
        return catalogue(self.language)

    @property
    def client(self) -> str:
        """The network address of the browser, as far as it says whose it is."""
        return address_of(self.request.client.host) if self.request.client else ""

    async def form(self, files: int = 0) -> Mapping[str, str]:
        """The fields of a form; of a repeated field all values, with a space between them. It may bring so many `files`, of
        which the text counts. A form with half a character in it is refused: nothing could keep it."""
        fields: dict[str, str] = {}
        async with self.request.form(max_files=files, max_fields=50) as form:
            for name, value in form.multi_items():
                text = value if isinstance(value, str) else (await value.read()).decode("utf-8-sig", errors="replace")
                if problem := half_character(name + text):
                    raise MalformedError("half_character", problem)
                fields[name] = f"{fields[name]} {text}" if name in fields else text
        return fields

    async def table(self) -> Table:
        """The table that the address names, if the person may look at it."""
        table = await self.find(self.request.path_params["code"])
        if not table.may_look(self.person.id):
            raise no_spectators()
        return table

    async def table_to_change(self, as_known: bool = False) -> Table:
        """The same for a change; who sits there is not held up by strangers. `as_known` is for whoever hands their decision to
        `Tables.change`, which asks the store where it has to: the table may be older then."""
        self._check_origin()
        table = await self.find(self.request.path_params["code"], as_known)
        if not table.may_look(self.person.id):
            table = await self.table()
        self.check_limit(Limits.CHANGES, table)
        self.changes = True
        return table

    async def past_table(self) -> Table:
        """The table that the address names, if the person may look back at its game."""
        table = await self.find(self.request.path_params["code"])
        if table.phase is Phase.OPEN:
            raise IllegalError("not_started", say("The game has not begun."))
        if not table.may_look_back(self.person.id):
            raise no_spectators()
        return table

    async def find(self, code: str, as_known: bool = False) -> Table:
        """The table of a code, as it is now or `as_known` in this process. Whoever asks for many that do not exist learns
        nothing from one that does; others who come from the same address do."""
        limits, tables = self.house.limits, self.house.tables
        try:
            table = await (tables.get_cached if as_known else tables.get)(code.lower())
        except MalformedError:
            limits.check(Limits.GUESSES, self.caller())
            raise
        if table.seat_of(self.person.id) is None:
            limits.check_own(Limits.GUESSES, self.caller())
        return table

    def page(self, template: str, status: int = 200, **context: Any) -> Response:
        """A whole page."""
        url = self.request.url
        here = f"{url.path}?{url.query}" if url.query else url.path
        back = here if self.request.method == "GET" else "/"
        html = render(template, self.language, person=self.person, back=back, ended=self.visitor.ended, **context)
        return self.with_cookie(HTMLResponse(html, status))

    async def qr_code(self, text: str) -> Response:
        """A text as a QR code, for somebody who has opened one of our pages and does not want too many."""
        if self.is_new:
            raise IllegalError("stranger", say("This picture is for visitors of its page; open the page first."))
        picture = await self.house.codes.draw(text, lambda: self.check_limit(Limits.DRAWINGS))
        return Response(picture, media_type="image/svg+xml")

    def live_part(self, table: Table) -> HTMLResponse:
        """The live part of a table's page."""
        return HTMLResponse(self.draw(table))

    def draw(self, table: Table) -> str:
        """The live part of a table's page, as text."""
        named, coached = bool(self.person.name), self.person.coached
        advice, next_discard = self.house.advice.shown(table, self.person.id), self.person.next_discard
        reader = Reader(self.person.id, self._called, self.language, self.address, named, coached, next_discard, advice)
        presence = self.house.presence
        away = presence.missing(table) if table.phase is Phase.OPEN else presence.away(table)
        return self.house.drawings.draw(table, reader, away, still_warming_at(self.house.searching, table))

    def with_cookie(self, response: Response) -> Response:
        """The response with a cookie, if the browser does not have this person's yet. With their first change, and not before,
        a session begins; a cookie whose session has ended stays until then, too, for it may be a mistake of the host."""
        if self.changes and response.status_code < 400 and not self.visitor.secret:
            self.remembers |= self.visitor.ended
            if self.house.limits.admits(Limits.SESSIONS, self.caller(), always=True):
                self.begin_session()
        begins = not self.is_new and self.person.since == NOT_YET
        if begins and self.house.limits.admits(Limits.NEWCOMERS, Caller("", self.client)):
            self.remember(msgspec.structs.replace(self.person, since=int(time.time())))
        if self.remembers:
            self.house.people.remember(response, self.person, self._secure, self.visitor.secret)
        return response

    def begin_session(self) -> None:
        """Let a session begin with the answer."""
        self.visitor.secret, self.visitor.begins = self.house.sessions.new(self.person.id, self.request)
        self.remembers = True

    def remember(self, person: Person) -> None:
        """Let the answer carry a cookie for this person with other preferences."""
        self.person, self.remembers = person, True

    async def count_finished(self) -> None:
        """Remember how many games the person has played to their end, as far as that matters."""
        if not self.person.first_games:
            return
        over = await self.house.tables.store.tables_of(self.person.id, GameFilter(state=GameState.OVER))
        person = self.person.having_finished(sum(game.kind is not GameKind.BROUGHT for game in over))
        if person != self.person:
            self.remember(person)

    def redirect(self, path: str) -> Response:
        """An answer that sends the browser on to another page."""
        going = RedirectResponse(path, 303)
        if self.from_page:
            return self.with_cookie(Response(headers={"HX-Redirect": going.headers["location"]}))
        return self.with_cookie(going)


def no_spectators() -> IllegalError:
    """The refusal of somebody without a seat where nobody watches."""
    return IllegalError("no_spectators", say("This table has no spectators."))


def form_number(fields: Mapping[str, str], name: str) -> int:
    """A field of a form that holds a whole number."""
    found = read_number(fields.get(name, ""), 5)
    if found is not None:
        return found
    raise MalformedError("bad_form", say("“{field}” is missing or is no whole number; go back and choose again.", field=name))
