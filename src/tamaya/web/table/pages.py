"""The page of a table, its commands, and the files of its game."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping

import msgspec
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from tamaya.bots import DEFAULT_BOT
from tamaya.i18n import catalogue
from tamaya.record import hanab_live, native
from tamaya.rules import VARIANTS, IllegalError, MalformedError, Message, say
from tamaya.table import Phase, Table, commands
from tamaya.table.events import AnyEvent
from tamaya.table.names import available_name
from tamaya.web.context import Visit, form_number
from tamaya.web.table import board, result
from tamaya.web.table.lobby import LinkPreview, link_preview
from tamaya.web.table.snapshot import STEPS, live_moment

Fields = Mapping[str, str]
Decide = Callable[[Visit, Table, Fields], list[AnyEvent]]


async def table_page(request: Request) -> Response:
    """The table: its lobby, its board or its result, whichever it has come to; for a page that asks, the live part alone."""
    visit = Visit(request)
    table = await visit.table()
    if table.brought:
        return visit.redirect(f"/t/{table.code}/replay")
    visit.house.tables.schedule_bots(table)
    if visit.from_page:
        return visit.live_part(table)
    variants = [VARIANTS[name] for name in table.settings.variants]
    return visit.page(
        "table.html",
        table=table,
        variants=variants,
        notice=_notice(table),
        drawn=Markup(visit.draw(table)),
        link=_preview(visit, table),
    )


def _preview(visit: Visit, table: Table) -> LinkPreview:
    """What a chat shows of a link to this table. Its servers name no language: they are answered in that of the edition."""
    asked = "accept-language" in visit.request.headers or visit.person.language
    speak = visit.speak if asked else catalogue(table.settings.edition.language)
    return link_preview(table, visit.address, speak)


def _notice(table: Table) -> Message:
    """What a notification says to somebody whose turn it is: whose table waits, and nothing of the game."""
    host = table.seat_of(table.host)
    if host is None:
        return say("It is your turn!")
    return say("Your turn at {name}'s table", name=table.seats[host].name)


async def invitation(request: Request) -> Response:
    """The table's address as a QR code."""
    visit = Visit(request)
    table = await visit.table()
    return await visit.qr_code(f"{visit.address}/t/{table.code}")


async def picture(request: Request) -> Response:
    """The result as a picture, once the game is over; with names, if they are wished."""
    visit = Visit(request)
    table = await visit.table()
    if table.phase is not Phase.ENDED:
        raise IllegalError("game_not_over", say("The picture of the result can be had when the game is over."))
    moment = live_moment(table, visit.person.id, away=frozenset())
    drawn = result.draw_picture(moment, table.settings, visit.language, request.query_params.get("names") == "yes")
    return Response(drawn, media_type="image/svg+xml")


async def possibilities(request: Request) -> Response:
    """What the cards of a hand can be, as far as the table remembers it."""
    visit = Visit(request)
    table = await visit.table()
    visit.check_costly(table)
    seat = form_number(request.query_params, "seat")
    commands.seat_at(table, seat)
    moment = live_moment(table, visit.person.id, away=frozenset())
    return visit.page("possibilities.html", possibilities=board.possibilities(moment, seat, visit.language))


def endpoint(decide: Decide) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of a command: it decides on the table as it is and answers with the table as it is then."""

    async def respond(request: Request) -> Response:
        visit = Visit(request)
        table = await visit.table_to_change(as_known=True)
        fields = await visit.form()
        table = await visit.house.tables.update(table.code, lambda now: decide(visit, now, fields))
        if decide is _rename or (decide is _sit and not visit.person.name and not _made_up(visit, fields)):
            visit.remember(msgspec.structs.replace(visit.person, name=commands.checked_name(fields["name"])))
        return visit.with_cookie(visit.live_part(table)) if visit.from_page else visit.redirect(f"/t/{table.code}")

    return respond


def _made_up(visit: Visit, fields: Fields) -> bool:
    """Whether somebody without a name sits down under one that the table made up for them."""
    return not fields.get("name") or fields["name"].startswith(visit.name)


def _sit(visit: Visit, table: Table, fields: Fields) -> list[AnyEvent]:
    seat = form_number(fields, "seat") if "seat" in fields else None
    return commands.sit(table, visit.person.id, fields.get("name") or available_name(visit.name, table.names), seat)


def _rename(visit: Visit, table: Table, fields: Fields) -> list[AnyEvent]:
    return commands.rename(table, visit.person.id, fields.get("name", ""))


def _start(visit: Visit, table: Table, fields: Fields) -> list[AnyEvent]:
    chance = visit.house.tables.chance
    first = form_number(fields, "first") if "first" in fields else table.settings.first(chance.seat)
    host_away = table.host in visit.house.presence.away(table)
    return commands.start(table, visit.person.id, first, chance.deal, host_away)


def _take_over(visit: Visit, table: Table, fields: Fields) -> list[AnyEvent]:
    own = table.seat_of(visit.person.id)
    seat = form_number(fields, "seat") if "seat" in fields or own is None else own
    away = seat < len(table.seats) and table.seats[seat].person in visit.house.presence.away(table)
    return commands.take_over(table, visit.person.id, seat, fields.get("bot") or DEFAULT_BOT, away)


def _move(visit: Visit, table: Table, fields: Fields) -> list[AnyEvent]:
    action, turn = fields.get("move", ""), form_number(fields, "turn")
    line = form_number(fields, "line") if "line" in fields else 0
    return commands.move(table, visit.person.id, action, turn, fields.get("hand"), line)


def _take_back(visit: Visit, table: Table, fields: Fields) -> list[AnyEvent]:
    return commands.take_back(table, visit.person.id, form_number(fields, "turn"), form_number(fields, "line"))


def _answer(visit: Visit, table: Table, fields: Fields) -> list[AnyEvent]:
    return commands.answer(table, visit.person.id, fields.get("agrees") == "yes", form_number(fields, "question"))


def _note(visit: Visit, table: Table, fields: Fields) -> list[AnyEvent]:
    about = {name: form_number(fields, name) for name in ("card", "turn") if name in fields}
    return commands.note(table, visit.person.id, fields.get("text", ""), **about)


COMMANDS: Mapping[str, Decide] = {
    "sit": _sit,
    "rename": _rename,
    "stand": lambda visit, table, fields: commands.leave_seat(table, visit.person.id, form_number(fields, "seat")),
    "let-back": lambda visit, table, fields: commands.readmit(table, visit.person.id, form_number(fields, "removal")),
    "bot": lambda visit, table, fields: commands.seat_bot(
        table, visit.person.id, form_number(fields, "seat"), fields.get("bot") or DEFAULT_BOT
    ),
    "start": _start,
    "move": _move,
    "arrange": lambda visit, table, fields: commands.arrange(table, visit.person.id, fields.get("hand", "")),
    "say": lambda visit, table, fields: commands.send_message(
        table, visit.person.id, fields.get("remark", ""), fields.get("text", "")
    ),
    "take-back": _take_back,
    "answer": _answer,
    "note": _note,
    "show-notes": lambda visit, table, fields: commands.show_notes(table, visit.person.id, fields.get("shown") == "yes"),
    "take-over": _take_over,
    "give-back": lambda visit, table, fields: commands.give_back(table, visit.person.id),
}
"""What a table's page can ask for, by the last part of the address."""


async def advice(request: Request) -> Response:
    """Ask for advice, or for more of it: the idea, the move, the reason. What is told is drawn for nobody but its player."""
    visit = Visit(request)
    table, fields, me = await visit.table_to_change(), await visit.form(), visit.person.id
    turn, line, step = (form_number(fields, name) for name in ("turn", "line", "step"))
    if step not in STEPS:
        raise MalformedError("bad_form", say("There is no such choice; go back and choose again."))
    desk = visit.house.advice
    commands.take_advice(table, me, turn, line)  # whoever may not ask keeps nobody thinking
    seat = commands.seat_to_advise(table, me)
    if desk.shown(table, me) is None:
        visit.check_costly(table)
    found = await desk.think(table, seat)
    now = await visit.house.tables.update(table.code, lambda now: commands.take_advice(now, me, turn, line))
    desk.show(table, seat, found, step)
    return visit.live_part(now) if visit.from_page else visit.redirect(f"/t/{table.code}")


async def rematch(request: Request) -> Response:
    """Go on with the same people at another table; whoever asks second is led to the same one."""
    visit = Visit(request)
    table = await visit.table_to_change()
    following = await visit.house.tables.rematch(table.code, visit.person.id)
    await visit.count_finished()
    return visit.redirect(f"/t/{following.code}")


async def record(request: Request) -> Response:
    """The ended game as a file: our own format, Hanab Live's, or a link for Hanab Live."""
    visit = Visit(request)
    table = await visit.past_table()
    game = table.record()
    form = request.path_params["form"]
    if form not in ("tamaya", "hanab-live", "link"):
        raise HTTPException(404)
    if form == "link":
        return PlainTextResponse(hanab_live.write_link(game) + "\n")
    text = native.write(game) if form == "tamaya" else json.dumps(hanab_live.to_json(game), ensure_ascii=False)
    name = f"hanabi-{table.code}.json" if form == "tamaya" else f"hanabi-{table.code}-hanab-live.json"
    return Response(text, media_type="application/json", headers={"content-disposition": f'attachment; filename="{name}"'})
