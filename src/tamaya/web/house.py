"""Everything that serving needs, in one place, and the few things that every request does with it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from tamaya.i18n import Catalogue, catalogue
from tamaya.rules import IllegalError, MalformedError, TamayaError, say
from tamaya.table import Table, Tables
from tamaya.web.board import Drawings, Reader
from tamaya.web.guards import Limits, TooOftenError, check_origin
from tamaya.web.options import Options
from tamaya.web.pages import render
from tamaya.web.people import People, Person, language_of

if TYPE_CHECKING:
    from collections.abc import Iterator

GRACE = 5.0
"""The seconds after which somebody whose page has closed counts as away: a reload takes less."""


class Presence:
    """Who has a live page of which table open in this process."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._here: Counter[tuple[str, str]] = Counter()
        self._streams: Counter[str] = Counter()
        self._leaving: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self._telling: set[asyncio.Task[None]] = set()

    def check(self, person: str) -> None:
        """Refuse one more live page to somebody who has too many."""
        if self._streams[person] >= Limits.STREAMS:
            raise TooOftenError

    @contextmanager
    def page(self, table: Table, person: str) -> Iterator[None]:
        """Count somebody as present while their page is open."""
        key = (table.code, person)
        if leaving := self._leaving.pop(key, None):
            leaving.cancel()
        self._streams[person] += 1
        self._here[key] += 1
        if self._here[key] == 1 and table.seat_of(person) is not None:
            self._tell(table.code)
        try:
            yield
        finally:
            self._streams[person] -= 1
            self._here[key] -= 1
            self._streams += Counter()
            if self._here[key] <= 0:
                self._leaving[key] = asyncio.get_running_loop().call_later(GRACE, self._left, key)

    def _left(self, key: tuple[str, str]) -> None:
        del self._leaving[key], self._here[key]
        self._tell(key[0])

    def _tell(self, code: str) -> None:
        telling = asyncio.get_running_loop().create_task(self._tables.bus.publish(code, 0))
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)

    def away(self, table: Table) -> frozenset[str]:
        """The people of a table who have no page of it open."""
        return frozenset(seat.person for seat in table.seats if seat.person and (table.code, seat.person) not in self._here)


@dataclass
class House:
    """What a running server consists of."""

    options: Options
    people: People
    limits: Limits
    tables: Tables
    drawings: Drawings = field(default_factory=Drawings)
    presence: Presence = field(init=False)

    def __post_init__(self) -> None:
        self.presence = Presence(self.tables)


@dataclass
class Visit:
    """One request: who asks, in which language, and how they are answered."""

    request: Request
    house: House = field(init=False)
    person: Person = field(init=False)
    is_new: bool = field(init=False)
    language: str = field(init=False)

    def __post_init__(self) -> None:
        self.house = self.request.app.state.house
        known = self.house.people.who(self.request)
        self.person = known or self.house.people.newcomer()
        self.is_new = known is None
        self.language = language_of(self.person, self.request)

    @property
    def address(self) -> str:
        """Where people reach this server."""
        return self.house.options.address.rstrip("/") or str(self.request.base_url).rstrip("/")

    @property
    def from_page(self) -> bool:
        """Whether a page asks for a part of itself."""
        return self.request.headers.get("hx-request") == "true"

    def check_change(self) -> None:
        """Refuse a change that is not this person's own, or comes too fast."""
        check_origin(self.request.headers, self.house.options.address)
        self.house.limits.check(Limits.CHANGES, self.person.id)
        self.house.limits.check(Limits.CROWD, self.client)

    @property
    def name(self) -> str:
        """What the person is called; somebody without a name is a guest."""
        return self.person.name or self.speak(say("Guest"))

    @property
    def speak(self) -> Catalogue:
        """The words of the person's language."""
        return catalogue(self.language)

    @property
    def client(self) -> str:
        """The address that asks."""
        return self.request.client.host if self.request.client else ""

    async def form(self) -> Mapping[str, str]:
        """The fields of a form; of a repeated field all values, with a space between them."""
        fields: dict[str, str] = {}
        async with self.request.form(max_files=0, max_fields=50) as form:
            for name, value in form.multi_items():
                if isinstance(value, str):
                    fields[name] = f"{fields[name]} {value}" if name in fields else value
        return fields

    async def table(self) -> Table:
        """The table that the address names, if the person may look at it."""
        try:
            table = await self.house.tables.find(self.request.path_params["code"].lower())
        except TamayaError:
            self.house.limits.check(Limits.GUESSES, self.client)
            raise
        if table.seat_of(self.person.id) is None:
            self.house.limits.check_only(Limits.GUESSES, self.client)
        if not table.may_look(self.person.id):
            raise IllegalError("no_spectators", say("This table has no spectators."))
        return table

    def page(self, template: str, status: int = 200, **context: Any) -> Response:
        """A whole page."""
        html = render(template, self.language, person=self.person, path=self.request.url.path, address=self.address, **context)
        return self.remembered(HTMLResponse(html, status))

    def live(self, table: Table) -> HTMLResponse:
        """The live part of a table's page."""
        return HTMLResponse(self.drawn(table))

    def drawn(self, table: Table) -> str:
        """The live part of a table's page, as text."""
        reader = Reader(self.person.id, self.name, self.language, self.address)
        return self.house.drawings.draw(table, reader, self.house.presence.away(table))

    def remembered(self, response: Response) -> Response:
        """The response, with a cookie for somebody who has none yet."""
        if self.is_new:
            self.house.people.remember(response, self.person, self.address.startswith("https:"))
        return response

    def become(self, person: Person) -> None:
        """Be somebody else from this answer on, or the same with other wishes."""
        self.person, self.is_new = person, True

    def to(self, path: str) -> Response:
        """Go on to another page."""
        going = RedirectResponse(path, 303)
        if self.from_page:
            return self.remembered(Response(headers={"HX-Redirect": going.headers["location"]}))
        return self.remembered(going)


def number(fields: Mapping[str, str], name: str) -> int:
    """A whole number of a form."""
    text = fields.get(name, "")
    if text.isascii() and text.isdigit() and len(text) < 6:
        return int(text)
    raise MalformedError("bad_form", say("“{field}” is missing or is no whole number; go back and choose again.", field=name))
