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
from tamaya.web.context import RequestContext, form_number
from tamaya.web.games.pages import game_row, is_waiting
from tamaya.web.http.cookies import COACH_SETTINGS, THEMES

PLAYERS = ALLOWED["players"]
MAX_LISTED = 8
"""Games on the start page."""


async def home(request: Request) -> Response:
    """The start page."""
    ctx = RequestContext(request)
    me = ctx.profile.id
    mine = await ctx.services.store.tables_of(me, limit=MAX_LISTED)
    listed = await ctx.services.store.open_tables(me, limit=20)
    await ctx.update_finished_games()
    return ctx.page(
        "home.html",
        mine=[game_row(table, me) for table in mine],
        waiting=[table for table in mine if is_waiting(table, me)],
        address=ctx.address,
        listed=listed,
        editions=EDITIONS,
        players=PLAYERS,
    )


async def play_now(request: Request) -> Response:
    """Open a table with bots and start the game at once; with seats left for friends, wait for them."""
    ctx = RequestContext(request)
    ctx.require_same_origin()
    ctx.check_new_table()
    fields = await ctx.form()
    players = form_number(fields, "players") if "players" in fields else 3
    bots = form_number(fields, "bots") if "bots" in fields else players - 1
    bot = fields.get("bot") or DEFAULT_BOT
    ahead = ctx.profile.first_games
    settings = Settings(str(EDITIONS["standard"].rules(players)), watching=SpectatorMode.NOBODY, slow_games=ahead)
    me, chance = ctx.profile.id, ctx.services.tables.runtime
    decisions: list[Decision] = [
        partial(commands.seat_bot, person=me, seat=seat, bot=bot) for seat in range(1, min(bots, players - 1) + 1)
    ]
    if bots >= players - 1:
        decisions.append(lambda table: commands.start(table, me, 0 if ahead else chance.seat(players), chance.deal))
    table = await ctx.services.tables.create(settings, me, ctx.name, *decisions)
    ctx.update_profile(ctx.profile)
    return ctx.redirect(f"/t/{table.code}")


async def learn(request: Request) -> Response:
    """Open the table of the guided first deal."""
    ctx = RequestContext(request)
    ctx.require_same_origin()
    ctx.check_new_table()
    settings = Settings(
        str(EDITIONS["standard"].rules(lesson.PLAYERS)),
        watching=SpectatorMode.NOBODY,
        lesson=True,
        slow_games=max(1, ctx.profile.first_games),
    )
    me, chance = ctx.profile.id, ctx.services.tables.runtime
    bots = [partial(commands.seat_bot, person=me, seat=seat, bot=DEFAULT_BOT) for seat in range(1, lesson.PLAYERS)]
    start = partial(commands.start_lesson, person=me, deal=chance.deal)
    table = await ctx.services.tables.create(settings, me, ctx.name, *bots, start)
    ctx.update_profile(ctx.profile)
    return ctx.redirect(f"/t/{table.code}")


async def join(request: Request) -> Response:
    """Go to the table of a code, as typed or pasted."""
    ctx = RequestContext(request)
    ctx.require_same_origin()
    typed = (await ctx.form()).get("code", "").strip()
    table = await ctx.find_table(typed.rstrip("/").rpartition("/")[2].replace(" ", "").replace("-", ""))
    return ctx.redirect(f"/t/{table.code}")


async def preferences(request: Request) -> Response:
    """Store preferences: language, theme, name, sound, keys, tips."""
    ctx = RequestContext(request)
    ctx.require_same_origin()
    fields = await ctx.form()
    person = ctx.profile
    if "language" in fields:
        person = msgspec.structs.replace(person, language=catalogue(fields["language"]).language)
    if "theme" in fields:
        person = msgspec.structs.replace(person, theme=_one_of(THEMES, fields["theme"]))
    if "sound" in fields:
        person = msgspec.structs.replace(person, sound=fields["sound"] == "on")
    if "keys" in fields:
        person = msgspec.structs.replace(person, keys=fields["keys"] == "on")
    if "coach" in fields:
        person = msgspec.structs.replace(person, coach=_one_of(COACH_SETTINGS, fields["coach"]))
    if "next_discard" in fields:
        person = msgspec.structs.replace(person, next_discard=fields["next_discard"] == "on")
    if "name" in fields:
        person = msgspec.structs.replace(person, name=commands.checked_name(fields["name"]))
    back = fields.get("back", "/")
    ctx.update_profile(person)
    return ctx.redirect(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/")


def _one_of(choices: Sequence[str], value: str) -> str:
    if value not in choices:
        raise MalformedError("bad_form", say("There is no such choice; go back and choose again."))
    return value
