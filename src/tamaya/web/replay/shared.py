"""Shared replays: one viewer leads, and the pages of all others follow."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256

import msgspec
from markupsafe import Markup
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tamaya.rules import IllegalError, MalformedError, TamayaError, say
from tamaya.table import Bus, Table
from tamaya.web.context import Visit, form_number
from tamaya.web.http.rate_limits import Caller
from tamaya.web.rendering.templates import draw
from tamaya.web.replay.location import place_of
from tamaya.web.replay.pages import replay_page
from tamaya.web.stream import newest, streamed
from tamaya.web.table.presence import Presence

TOPIC = "circle"
ARRIVING = 30.0
"""How many seconds somebody who takes the lead has until their page is open."""
MOST = 20
"""How many companions of a circle are named: what is said of one has to fit into a message, with the longest names and as many
moves as can be tried."""
NEVER = float("-inf")


@dataclass(frozen=True, slots=True)
class Companion:
    """Somebody in a circle: the number by which others choose them, and what they are called."""

    number: int
    name: str


class Circle(msgspec.Struct, frozen=True):
    """People who look at the game of a table, in the order in which they came, by what they are called. `shown` is what the
    leader shows, as the query of an address; `arriving` says that the leader's page is not open yet. Of two states of a circle
    the one with the higher `age` counts."""

    code: str
    age: tuple[int, str] = (0, "")
    leader: str = ""
    shown: str = ""
    arriving: bool = False
    known: dict[str, str] = {}


class Circles:
    """All circles, each for as long as somebody is in it."""

    def __init__(
        self,
        presence: Presence,
        bus: Bus,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._presence, self._bus, self._clock, self._now = presence, bus, clock, now
        self._circles: dict[str, Circle] = {}
        self._arrivals: dict[str, float] = {}
        self._process = secrets.token_hex(4)
        bus.on_broadcast(TOPIC, self._hear)
        bus.on_broadcast("gap", lambda sender, text: self._ask())
        self._ask()

    @staticmethod
    def channel(code: str) -> str:
        """Where the bus has news of a circle."""
        return f"{code} together"

    @contextmanager
    def page_open(self, code: str, person: str, name: str, caller: Caller) -> Iterator[None]:
        """Count somebody to a circle while their page is open."""
        with self._presence.page_open(self.channel(code), person, caller):
            circle = self._with(code, person, name)
            self._change(circle, arriving=circle.arriving and circle.leader != person)
            yield

    def _with(self, code: str, person: str, name: str) -> Circle:
        """A circle that somebody has joined, without those who have left."""
        circle = self._circle(code)
        here = self._presence.here(self.channel(code)) | {person, circle.leader}
        known = {one: called for one, called in circle.known.items() if one in here}
        spare = [one for one in known if one not in (person, circle.leader)]
        unnamed = spare[: max(0, len(spare) + 2 - MOST)]
        named = {one: called for one, called in known.items() if one not in unnamed}
        return msgspec.structs.replace(circle, known=named | {person: name})

    def _circle(self, code: str) -> Circle:
        return self._circles.get(code) or Circle(code)

    def leader(self, code: str) -> str:
        """Who leads: nobody any more once the leader's page is closed."""
        circle = self._circle(code)
        arriving = circle.arriving and self._clock() < self._arrivals.get(code, NEVER) + ARRIVING
        return circle.leader if arriving or circle.leader in self._presence.here(self.channel(code)) else ""

    def shown(self, code: str) -> str:
        """What was shown last."""
        return self._circle(code).shown

    def companions(self, code: str) -> dict[str, Companion]:
        """Who is there, by person, in the order in which they came."""
        here = self._presence.here(self.channel(code)) | {self.leader(code)}
        return {one: Companion(_number(one), name) for one, name in self._circle(code).known.items() if one in here}

    def lead(self, code: str, person: str, name: str, shown: str, may_always: bool) -> None:
        """Take the lead: of a circle that nobody leads, or as somebody who may always do so."""
        leader = self.leader(code)
        if leader not in ("", person) and not may_always:
            known = self._circle(code).known
            raise IllegalError("is_led", say("{name} leads; ask for the lead.", name=known.get(leader, "")))
        self._forget_the_empty()
        circle, arriving = self._with(code, person, name), person not in self._presence.here(self.channel(code))
        self._change(circle, leader=person, shown=shown or circle.shown, arriving=arriving)
        if arriving:
            asyncio.get_running_loop().call_later(ARRIVING, self._presence.tell, self.channel(code))

    def show(self, code: str, person: str, shown: str) -> None:
        """Let everybody see this."""
        self._change(self._led_by(code, person), shown=shown)

    def give(self, code: str, person: str, number: int) -> None:
        """Let somebody else lead."""
        circle = self._led_by(code, person)
        found = [one for one, who in self.companions(code).items() if who.number == number]
        if not found:
            raise MalformedError("not_here", say("They have left; choose somebody who is there."))
        self._change(circle, leader=found[0], arriving=False)

    def stop(self, code: str, person: str) -> None:
        """Lead no more."""
        self._change(self._led_by(code, person), leader="", arriving=False)

    def _led_by(self, code: str, person: str) -> Circle:
        if self.leader(code) != person:
            raise IllegalError("not_leading", say("You do not lead."))
        return self._circle(code)

    def _change(self, circle: Circle, **changes: object) -> None:
        """Let a circle be otherwise from now on, here and in the other processes, and everybody see it."""
        changed = msgspec.structs.replace(circle, **changes)
        if changed == self._circle(circle.code):
            return
        age = max(circle.age[0] + 1, int(self._now() * 1000))  # a circle that was forgotten here may be remembered elsewhere
        changed = msgspec.structs.replace(changed, age=(age, self._process))
        self._keep(changed)
        self._tell(changed)
        self._presence.tell(self.channel(circle.code))

    def _keep(self, circle: Circle) -> None:
        awaited = self._circle(circle.code).arriving and self.leader(circle.code) == circle.leader
        if circle.arriving and not awaited:
            self._arrivals[circle.code] = self._clock()
        self._circles[circle.code] = circle

    def _forget_the_empty(self) -> None:
        for code in [code for code in self._circles if not self.companions(code)]:
            del self._circles[code]
            self._arrivals.pop(code, None)

    # Other processes.

    def _ask(self) -> None:
        """Want to know of the circles that others know of."""
        if self._bus.shared:
            self._bus.broadcast(TOPIC, "")

    def _tell(self, circle: Circle) -> None:
        if self._bus.shared:
            self._bus.broadcast(TOPIC, msgspec.json.encode(circle).decode())

    def _hear(self, sender: str, text: str) -> None:
        if not text:
            for circle in self._circles.values():
                self._tell(circle)
            return
        told = msgspec.json.decode(text, type=Circle)
        if told.age > self._circle(told.code).age:
            self._keep(told)
            self._bus.tell_here(self.channel(told.code), 0)


def _number(person: str) -> int:
    """The number of somebody, the same in every process, which says nothing about who they are."""
    return int.from_bytes(sha256(person.encode()).digest()[:2])


Act = Callable[[Visit, Table, Mapping[str, str]], None]


@dataclass(frozen=True, slots=True)
class TogetherBar:
    """Who looks at a game together, as one of them sees it: the leader's name, whether the reader leads or may, and where
    everybody is looking. `link` is what others are given."""

    code: str
    link: str
    shown: str
    leader: str
    leads: bool
    may_lead: bool
    others: tuple[Companion, ...]


async def together(request: Request) -> Response:
    """The page on which everybody sees what the leader shows."""
    visit = Visit(request)
    table = await _ended(visit)
    place = place_of(visit, table, QueryParams(visit.house.circles.shown(table.code)))
    return await replay_page(visit, table, place, "together.html", company=draw_bar(visit, table))


async def _ended(visit: Visit) -> Table:
    """The table that the address names, whose game is over."""
    table = await visit.past_table()
    table.past()
    return table


def draw_bar(visit: Visit, table: Table) -> Markup:
    """Who is there and who leads, for one of them."""
    circles, me = visit.house.circles, visit.person.id
    leader, companions = circles.leader(table.code), circles.companions(table.code)
    bar = TogetherBar(
        code=table.code,
        link=f"{visit.address}/t/{table.code}/replay/together",
        shown=f"/t/{table.code}/replay?{circles.shown(table.code)}" if circles.shown(table.code) else "",
        leader=companions[leader].name if leader in companions else "",
        leads=leader == me,
        may_lead=not leader or _may_always_lead(visit, table),
        others=tuple(who for person, who in companions.items() if person != me),
    )
    return draw(bar, visit.language)


def _may_always_lead(visit: Visit, table: Table) -> bool:
    """Whether somebody need not ask for the lead: whoever has played the game or brought it."""
    return visit.person.id in table.people


async def together_stream(request: Request) -> Response:
    """Who is there and what is shown, whenever it changes."""
    visit = Visit(request)
    table = await _ended(visit)
    return streamed(visit, table, _bars(visit, table))


async def _bars(visit: Visit, table: Table) -> AsyncGenerator[bytes, None]:
    house, code = visit.house, table.code

    async def draw_now(_: int) -> tuple[str, int]:
        return draw_bar(visit, table), 0

    with suppress(TamayaError), house.circles.page_open(code, visit.person.id, visit.name, visit.caller(table)):
        async with aclosing(newest(house.tables.bus, house.circles.channel(code), draw_now)) as messages:
            async for message in messages:
                yield message


def endpoint(act: Act) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of what somebody can do there; it answers with what they see then."""

    async def respond(request: Request) -> Response:
        visit = Visit(request)
        visit.check_change()
        table = await _ended(visit)
        act(visit, table, await visit.form())
        if visit.from_page:
            return visit.with_cookie(HTMLResponse(draw_bar(visit, table)))
        return visit.redirect(f"/t/{table.code}/replay/together")

    return respond


def _shown(visit: Visit, table: Table) -> str:
    """The moment that the address of a change names, checked; nothing if it names none."""
    query = visit.request.query_params
    place = place_of(visit, table)
    table.past().what_if(place.turn, place.then)
    return place.query if "turn" in query else ""


def _join(visit: Visit, table: Table, fields: Mapping[str, str]) -> None:
    """Come to look together; where nobody leads, by leading."""
    if not visit.house.circles.leader(table.code):
        _lead(visit, table, fields)


def _lead(visit: Visit, table: Table, fields: Mapping[str, str]) -> None:
    always = _may_always_lead(visit, table)
    visit.house.circles.lead(table.code, visit.person.id, visit.name, _shown(visit, table), always)
    visit.remember(visit.person)


COMMANDS: Mapping[str, Act] = {
    "join": _join,
    "lead": _lead,
    "show": lambda visit, table, fields: visit.house.circles.show(table.code, visit.person.id, _shown(visit, table)),
    "give": lambda visit, table, fields: visit.house.circles.give(table.code, visit.person.id, form_number(fields, "to")),
    "stop": lambda visit, table, fields: visit.house.circles.stop(table.code, visit.person.id),
}
"""What people who look together can ask for, by the last part of the address."""
