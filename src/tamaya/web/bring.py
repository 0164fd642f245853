"""Games from elsewhere: pasted, uploaded or named by a link, each becomes a table to look at. Nothing is fetched from other
sites."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from starlette.requests import Request
from starlette.responses import Response

from tamaya.record import Entry, link, read_games
from tamaya.rules import Message, RecordError, say
from tamaya.table import Table, bring
from tamaya.table.commands import MOST_ARRANGEMENTS
from tamaya.web.guards import Limits
from tamaya.web.visit import Visit

MOST_GAMES = 100
"""How many games are brought at once."""
MOST_ARRANGED = 5000
"""How often hands are rearranged in all of them: other moves come to an end by themselves."""


@dataclass(frozen=True, slots=True)
class BroughtGame:
    """One game of a file: the table that it has become, if anything of it could be read, and what could not."""

    table: Table | None
    problem: Message | None


async def ask(request: Request) -> Response:
    """The form for games from elsewhere."""
    return _form(Visit(request))


def _form(visit: Visit, text: str = "", problem: Message | None = None) -> Response:
    return visit.page("bring.html", 400 if problem else 200, text=text, problem=problem, most=MOST_GAMES, example=link.ADDRESS)


async def receive(request: Request) -> Response:
    """Make tables of the games in a form. A single game is opened at once; of several there is a list."""
    visit = Visit(request)
    visit.check_change()
    visit.house.limits.check(Limits.OPENINGS, visit.client)
    fields = await visit.form(files=1)
    entries = await asyncio.to_thread(lambda: list(islice(_entries(fields), MOST_GAMES + 1)))
    readable = sum(entry.replay is not None for entry in entries[:MOST_GAMES])
    if not readable:
        nothing = say("Paste a game or its link, or choose a file.")
        return _form(visit, fields.get("text", ""), entries[0].error.message if entries and entries[0].error else nothing)
    visit.house.limits.check(Limits.BROUGHT, visit.client, readable)
    games = [await _bring(visit, entry) for entry in entries[:MOST_GAMES]]
    visit.remember(visit.person)
    if len(games) == 1 and games[0].table:
        return visit.redirect(f"/t/{games[0].table.code}/replay")
    return visit.page("brought.html", games=games, most=MOST_GAMES, left_out=len(entries) > MOST_GAMES)


def _entries(fields: Mapping[str, str]) -> Iterator[Entry]:
    """The games of a form, the pasted ones first."""
    for name in ("text", "file"):
        text = fields.get(name, "").strip("\ufeff \t\r\n")
        if text.count("arrange ") > MOST_ARRANGED:
            yield _rearranged_too_often(name, MOST_ARRANGED)
        elif text:
            yield from map(_bounded, read_games(text, name))


def _bounded(entry: Entry) -> Entry:
    """The same game, unless its hands are rearranged more often than a table allows."""
    replay = entry.replay
    if replay is None or len(replay.record.moves) - replay.game.turn <= MOST_ARRANGEMENTS:
        return entry
    return _rearranged_too_often(entry.id, MOST_ARRANGEMENTS)


def _rearranged_too_often(name: str, most: int) -> Entry:
    message = say("The hands of this game are rearranged too often; the most is {most} times.", most=most)
    return Entry(name, {}, None, RecordError("too_many", message))


async def _bring(visit: Visit, entry: Entry) -> BroughtGame:
    problem = entry.error.message if entry.error else None
    if entry.replay is None:
        return BroughtGame(None, problem)
    table = await visit.house.tables.begin(bring(entry.replay.record, visit.person.id, problem))
    return BroughtGame(table, problem)
