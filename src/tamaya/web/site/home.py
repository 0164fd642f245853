"""The start page, and preferences."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tamaya.bots import DEFAULT_BOT
from tamaya.i18n import catalogue
from tamaya.rules import EDITIONS, MalformedError, say
from tamaya.rules.ruleset import ALLOWED
from tamaya.table import Decision, Settings, SpectatorMode, commands, lesson
from tamaya.web.context import Visit, form_number
from tamaya.web.games.pages import game_row, is_waiting
from tamaya.web.http.cookies import COACHING, THEMES

PLAYERS = ALLOWED["players"]
NEWEST = 8
"""How many of one's games the start page shows."""


async def home(request: Request) -> Response:
    """The start page."""
    visit = Visit(request)
    me = visit.person.id
    mine = await visit.house.tables.store.tables_of(me, limit=NEWEST)
    listed = await visit.house.tables.store.open_tables(me, limit=20)
    await visit.count_finished()
    return visit.page(
        "home.html",
        mine=[game_row(table, me) for table in mine],
        waiting=[table for table in mine if is_waiting(table, me)],
        address=visit.address,
        listed=listed,
        editions=EDITIONS,
        players=PLAYERS,
    )


async def play_now(request: Request) -> Response:
    """Open a table with bots and start the game at once; if seats are left for friends, wait for them."""
    visit = Visit(request)
    visit.check_change()
    visit.check_opening()
    fields = await visit.form()
    players = form_number(fields, "players") if "players" in fields else 3
    bots = form_number(fields, "bots") if "bots" in fields else players - 1
    bot = fields.get("bot") or DEFAULT_BOT
    ahead = visit.person.first_games
    settings = Settings(str(EDITIONS["standard"].rules(players)), watching=SpectatorMode.NOBODY, slow_games=ahead)
    me, chance = visit.person.id, visit.house.tables.chance
    decisions: list[Decision] = [
        partial(commands.seat_bot, person=me, seat=seat, bot=bot) for seat in range(1, min(bots, players - 1) + 1)
    ]
    if bots >= players - 1:
        decisions.append(lambda table: commands.start(table, me, 0 if ahead else chance.seat(players), chance.deal))
    table = await visit.house.tables.create(settings, me, visit.name, *decisions)
    visit.remember(visit.person)
    return visit.redirect(f"/t/{table.code}")


async def learn(request: Request) -> Response:
    """Open the table of the guided first deal."""
    visit = Visit(request)
    visit.check_change()
    visit.check_opening()
    settings = Settings(
        str(EDITIONS["standard"].rules(lesson.PLAYERS)),
        watching=SpectatorMode.NOBODY,
        lesson=True,
        slow_games=max(1, visit.person.first_games),
    )
    me, chance = visit.person.id, visit.house.tables.chance
    bots = [partial(commands.seat_bot, person=me, seat=seat, bot=DEFAULT_BOT) for seat in range(1, lesson.PLAYERS)]
    start = partial(commands.start_lesson, person=me, deal=chance.deal)
    table = await visit.house.tables.create(settings, me, visit.name, *bots, start)
    visit.remember(visit.person)
    return visit.redirect(f"/t/{table.code}")


async def join(request: Request) -> Response:
    """Go to the table of a code, however it was typed or pasted."""
    visit = Visit(request)
    visit.check_change()
    typed = (await visit.form()).get("code", "").strip()
    table = await visit.find(typed.rstrip("/").rpartition("/")[2].replace(" ", "").replace("-", ""))
    return visit.redirect(f"/t/{table.code}")


async def preferences(request: Request) -> Response:
    """Remember a language, a theme, a name, or whether sounds, keys and the coach are wanted."""
    visit = Visit(request)
    visit.check_change()
    fields = await visit.form()
    person = visit.person
    if "language" in fields:
        person = msgspec.structs.replace(person, language=catalogue(fields["language"]).language)
    if "theme" in fields:
        person = msgspec.structs.replace(person, theme=_one_of(THEMES, fields["theme"]))
    if "sound" in fields:
        person = msgspec.structs.replace(person, sound=fields["sound"] == "on")
    if "keys" in fields:
        person = msgspec.structs.replace(person, keys=fields["keys"] == "on")
    if "coach" in fields:
        person = msgspec.structs.replace(person, coach=_one_of(COACHING, fields["coach"]))
    if "next_discard" in fields:
        person = msgspec.structs.replace(person, next_discard=fields["next_discard"] == "on")
    if "name" in fields:
        person = msgspec.structs.replace(person, name=commands.checked_name(fields["name"]))
    back = fields.get("back", "/")
    visit.remember(person)
    return visit.redirect(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/")


def _one_of(choices: Sequence[str], wish: str) -> str:
    if wish not in choices:
        raise MalformedError("bad_form", say("There is no such choice; go back and choose again."))
    return wish
