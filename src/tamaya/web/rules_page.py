"""The rules in words and pictures: of any edition with any variants, and of a table as it is really played."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from tamaya.i18n import explain
from tamaya.rules import EDITIONS, VARIANTS, Edition, Message, Rules, find_edition, find_variant, say
from tamaya.table import Phase, Starter, Table
from tamaya.web.home import PLAYERS
from tamaya.web.pictures import pictures
from tamaya.web.visit import Visit, form_number


async def any_rules(request: Request) -> Response:
    """The rules of any edition with any variants."""
    visit = Visit(request)
    query = request.query_params
    edition = find_edition(query.get("edition", "standard"))
    names = [find_variant(name, edition).name for name in query.getlist("variant") if name]
    players = form_number({"players": query.get("players", "3")}, "players")
    return _page(visit, edition.rules(players, names), edition, names)


async def table_rules(request: Request) -> Response:
    """The rules that a table has agreed on, with its own tokens and settings, and the way back to it."""
    visit = Visit(request)
    table = await visit.table()
    settings = table.settings
    return _page(visit, settings.rules, settings.edition, settings.variants, table)


def starter_of(table: Table) -> Message:
    """Who has the first turn at a table, or how that will be decided."""
    starter, seats = table.settings.starter, table.seats
    if table.phase is not Phase.OPEN:
        return say("{name} starts.", name=seats[0].name)  # the seats were turned when the game began
    if starter == Starter.CUSTOM:
        return table.settings.edition.starter
    if starter == Starter.RANDOM:
        return say("A player drawn at random starts.")
    name = seats[int(starter) - 1].name
    return say("{name} starts.", name=name) if name else say("The player at seat {seat} starts.", seat=starter)


def _page(visit: Visit, rules: Rules, edition: Edition, names: Sequence[str], table: Table | None = None) -> Response:
    return visit.page(
        "rules.html",
        sections=explain(rules, edition, starter_of(table) if table else None),
        pictures=pictures(rules, visit.language),
        edition=edition,
        editions=EDITIONS,
        titles=[edition.title_of(VARIANTS[name]) for name in names],
        variants=VARIANTS,
        chosen=names,
        rules=rules,
        players=PLAYERS,
        table=table,
    )
