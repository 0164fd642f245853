"""The rules in words and pictures: of any edition with any variants, and of a table as it is really played."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from tamaya.i18n import explain
from tamaya.rules import EDITIONS, VARIANTS, Edition, Rules, find_edition, find_variant
from tamaya.table import Table
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


def _page(visit: Visit, rules: Rules, edition: Edition, names: Sequence[str], table: Table | None = None) -> Response:
    return visit.page(
        "rules.html",
        sections=explain(rules, edition),
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
