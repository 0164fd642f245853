"""The replay that people look at together: one leads, and the pages of all others follow."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass

from markupsafe import Markup
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tamaya.rules import TamayaError
from tamaya.table import Table
from tamaya.web.circles import Companion
from tamaya.web.pages import draw
from tamaya.web.place import place_of
from tamaya.web.replay import replay_page
from tamaya.web.stream import newest, streamed
from tamaya.web.visit import Visit, form_number

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
    return streamed(visit, _bars(visit, await _ended(visit)))


async def _bars(visit: Visit, table: Table) -> AsyncGenerator[bytes, None]:
    house, code = visit.house, table.code

    async def draw_now(_: int) -> tuple[str, int]:
        return draw_bar(visit, table), 0

    with suppress(TamayaError), house.circles.page_open(code, visit.person.id, visit.name, visit.client):
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
    table.past().suppose(place.turn, place.then)
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
