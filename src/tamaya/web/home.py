"""The pages around the table: home, preferences and personal links."""

from __future__ import annotations

from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tamaya.bots import DEFAULT_BOT
from tamaya.i18n import catalogue
from tamaya.rules import EDITIONS, MalformedError, say
from tamaya.rules.ruleset import ALLOWED
from tamaya.table import Decision, Phase, Settings, Watching, commands
from tamaya.web.guards import Limits
from tamaya.web.people import THEMES
from tamaya.web.visit import Visit, form_number

PLAYERS = ALLOWED["players"]


async def home(request: Request) -> Response:
    """The start page."""
    visit = Visit(request)
    mine = await visit.house.tables.store.tables_of(visit.person.id, limit=20)
    listed = await visit.house.tables.store.listed(limit=20)
    return visit.page(
        "home.html",
        mine=mine,
        listed=[table for table in listed if visit.person.id not in table.people and "" in table.names],
        phases=Phase,
        editions=EDITIONS,
        players=PLAYERS,
        default_bot=DEFAULT_BOT,
    )


async def play_now(request: Request) -> Response:
    """Open a table with bots and start the game at once; if seats are left for friends, wait for them."""
    visit = Visit(request)
    visit.check_change()
    visit.house.limits.check(Limits.OPENINGS, visit.client)
    fields = await visit.form()
    players = form_number(fields, "players") if "players" in fields else 3
    bots = form_number(fields, "bots") if "bots" in fields else players - 1
    bot = fields.get("bot") or DEFAULT_BOT
    settings = Settings(str(EDITIONS["standard"].rules(players)), watching=Watching.NOBODY)
    me, chance = visit.person.id, visit.house.tables.chance
    decisions: list[Decision] = [
        partial(commands.seat_bot, person=me, seat=seat, bot=bot) for seat in range(1, min(bots, players - 1) + 1)
    ]
    if bots >= players - 1:
        decisions.append(lambda table: commands.start(table, me, chance.seat(players), chance.deal))
    table = await visit.house.tables.open(settings, me, visit.name, *decisions)
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
    """Remember a language, a theme, a name, or whether sounds are wanted."""
    visit = Visit(request)
    visit.check_change()
    fields = await visit.form()
    person = visit.person
    if "language" in fields:
        person = msgspec.structs.replace(person, language=catalogue(fields["language"]).language)
    if "theme" in fields:
        if fields["theme"] not in THEMES:
            raise MalformedError("bad_form", say("There is no such choice; go back and choose again."))
        person = msgspec.structs.replace(person, theme=fields["theme"])
    if "sound" in fields:
        person = msgspec.structs.replace(person, sound=fields["sound"] == "on")
    if "keys" in fields:
        person = msgspec.structs.replace(person, keys=fields["keys"] == "on")
    if "name" in fields:
        person = msgspec.structs.replace(person, name=commands.checked_name(fields["name"]))
    back = fields.get("back", "/")
    visit.remember(person)
    return visit.redirect(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/")


async def my_link(request: Request) -> Response:
    """One's own personal link."""
    visit = Visit(request)
    return visit.page("my_link.html", link=_personal_link(visit))


async def my_link_code(request: Request) -> Response:
    """One's own personal link as a QR code."""
    visit = Visit(request)
    return await visit.qr_code(_personal_link(visit))


def _personal_link(visit: Visit) -> str:
    return f"{visit.address}/me/{visit.house.people.link(visit.person)}"


async def use_link(request: Request) -> Response:
    """Let this device act for the person of a personal link, after asking: the link may be somebody else's."""
    visit = Visit(request)
    person = visit.house.people.person_of_link(request.path_params["token"])
    if person is None:
        raise MalformedError("bad_link", say("This personal link is damaged; make a new one on your other device."))
    if request.method != "POST":
        return visit.page("use_link.html", other=person, same=person.id == visit.person.id)
    visit.check_change()
    visit.remember(person)
    return visit.redirect("/")


async def health(request: Request) -> Response:
    """Whether the server works, for monitoring."""
    await request.app.state.house.tables.store.listed(limit=1)
    return Response("ok\n", media_type="text/plain")
