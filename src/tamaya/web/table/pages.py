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
from tamaya.web.context import RequestContext, form_number
from tamaya.web.table import board, result
from tamaya.web.table.lobby import LinkPreview, link_preview
from tamaya.web.table.snapshot import ADVICE_STEPS, live_snapshot

Fields = Mapping[str, str]
TableCommand = Callable[[RequestContext, Table, Fields], list[AnyEvent]]


async def table_page(request: Request) -> Response:
    """The lobby, the board or the result; for htmx, the live part alone."""
    ctx = RequestContext(request)
    table = await ctx.table()
    if table.brought:
        return ctx.redirect(f"/t/{table.code}/replay")
    ctx.services.tables.schedule_bots(table)
    if ctx.is_htmx:
        return ctx.live_response(table)
    variants = [VARIANTS[name] for name in table.settings.variants]
    return ctx.page(
        "table.html",
        table=table,
        variants=variants,
        notice=_notice(table),
        drawn=Markup(ctx.render_live(table)),
        link=_preview(ctx, table),
    )


def _preview(ctx: RequestContext, table: Table) -> LinkPreview:
    """The preview of a link to this table; chat servers, which name no language, get that of the edition."""
    names_language = "accept-language" in ctx.request.headers or ctx.profile.language
    speak = ctx.translate if names_language else catalogue(table.settings.edition.language)
    return link_preview(table, ctx.address, speak)


def _notice(table: Table) -> Message:
    """The notification for a player whose turn it is: whose table waits, and nothing of the game."""
    host = table.seat_of(table.host)
    if host is None:
        return say("It is your turn!")
    return say("Your turn at {name}'s table", name=table.seats[host].name)


async def invitation(request: Request) -> Response:
    """The table's address as a QR code."""
    ctx = RequestContext(request)
    table = await ctx.table()
    return await ctx.qr_code(f"{ctx.address}/t/{table.code}")


async def picture(request: Request) -> Response:
    """The result as a picture once the game is over; with names on request."""
    ctx = RequestContext(request)
    table = await ctx.table()
    if table.phase is not Phase.ENDED:
        raise IllegalError("game_not_over", say("The picture of the result can be had when the game is over."))
    snapshot = live_snapshot(table, ctx.profile.id, away=frozenset())
    svg = result.render_picture(snapshot, table.settings, ctx.language, request.query_params.get("names") == "yes")
    return Response(svg, media_type="image/svg+xml")


async def possibilities(request: Request) -> Response:
    """What the cards of a hand can be, as far as the table remembers clues."""
    ctx = RequestContext(request)
    table = await ctx.table()
    ctx.limit_expensive(table)
    seat = form_number(request.query_params, "seat")
    commands.seat_at(table, seat)
    snapshot = live_snapshot(table, ctx.profile.id, away=frozenset())
    return ctx.page("possibilities.html", possibilities=board.possibilities_of(snapshot, seat, ctx.language))


def command_endpoint(command: TableCommand) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of a command: run it, and answer with the table after it."""

    async def respond(request: Request) -> Response:
        ctx = RequestContext(request)
        table = await ctx.table_for_update(cached=True)
        fields = await ctx.form()
        table = await ctx.services.tables.update(table.code, lambda now: command(ctx, now, fields))
        if command is _rename or (command is _sit and not ctx.profile.name and not _has_made_up_name(ctx, fields)):
            ctx.update_profile(msgspec.structs.replace(ctx.profile, name=commands.checked_name(fields["name"])))
        return ctx.with_cookie(ctx.live_response(table)) if ctx.is_htmx else ctx.redirect(f"/t/{table.code}")

    return respond


def _has_made_up_name(ctx: RequestContext, fields: Fields) -> bool:
    """Whether a player without a name sits down under a name made up by the table."""
    return not fields.get("name") or fields["name"].startswith(ctx.name)


def _sit(ctx: RequestContext, table: Table, fields: Fields) -> list[AnyEvent]:
    seat = form_number(fields, "seat") if "seat" in fields else None
    return commands.sit(table, ctx.profile.id, fields.get("name") or available_name(ctx.name, table.names), seat)


def _rename(ctx: RequestContext, table: Table, fields: Fields) -> list[AnyEvent]:
    return commands.rename(table, ctx.profile.id, fields.get("name", ""))


def _start(ctx: RequestContext, table: Table, fields: Fields) -> list[AnyEvent]:
    chance = ctx.services.tables.runtime
    first = form_number(fields, "first") if "first" in fields else table.settings.first(chance.seat)
    host_away = table.host in ctx.services.presence.away(table)
    return commands.start(table, ctx.profile.id, first, chance.deal, host_away)


def _take_over(ctx: RequestContext, table: Table, fields: Fields) -> list[AnyEvent]:
    own = table.seat_of(ctx.profile.id)
    seat = form_number(fields, "seat") if "seat" in fields or own is None else own
    away = seat < len(table.seats) and table.seats[seat].person in ctx.services.presence.away(table)
    return commands.take_over(table, ctx.profile.id, seat, fields.get("bot") or DEFAULT_BOT, away)


def _move(ctx: RequestContext, table: Table, fields: Fields) -> list[AnyEvent]:
    action, turn = fields.get("move", ""), form_number(fields, "turn")
    line = form_number(fields, "line") if "line" in fields else 0
    return commands.move(table, ctx.profile.id, action, turn, fields.get("hand"), line)


def _take_back(ctx: RequestContext, table: Table, fields: Fields) -> list[AnyEvent]:
    return commands.take_back(table, ctx.profile.id, form_number(fields, "turn"), form_number(fields, "line"))


def _answer(ctx: RequestContext, table: Table, fields: Fields) -> list[AnyEvent]:
    return commands.answer(table, ctx.profile.id, fields.get("agrees") == "yes", form_number(fields, "question"))


def _note(ctx: RequestContext, table: Table, fields: Fields) -> list[AnyEvent]:
    about = {name: form_number(fields, name) for name in ("card", "turn") if name in fields}
    return commands.note(table, ctx.profile.id, fields.get("text", ""), **about)


COMMANDS: Mapping[str, TableCommand] = {
    "sit": _sit,
    "rename": _rename,
    "stand": lambda ctx, table, fields: commands.leave_seat(table, ctx.profile.id, form_number(fields, "seat")),
    "let-back": lambda ctx, table, fields: commands.readmit(table, ctx.profile.id, form_number(fields, "removal")),
    "bot": lambda ctx, table, fields: commands.seat_bot(
        table, ctx.profile.id, form_number(fields, "seat"), fields.get("bot") or DEFAULT_BOT
    ),
    "start": _start,
    "move": _move,
    "arrange": lambda ctx, table, fields: commands.arrange(table, ctx.profile.id, fields.get("hand", "")),
    "say": lambda ctx, table, fields: commands.send_message(
        table, ctx.profile.id, fields.get("remark", ""), fields.get("text", "")
    ),
    "take-back": _take_back,
    "answer": _answer,
    "note": _note,
    "show-notes": lambda ctx, table, fields: commands.show_notes(table, ctx.profile.id, fields.get("shown") == "yes"),
    "take-over": _take_over,
    "give-back": lambda ctx, table, fields: commands.give_back(table, ctx.profile.id),
}
"""The commands of a table's page, by the last part of the address."""


async def advice(request: Request) -> Response:
    """Ask for the next step of advice: the idea, the move, the reason."""
    ctx = RequestContext(request)
    table, fields, person = await ctx.table_for_update(), await ctx.form(), ctx.profile.id
    turn, line, step = (form_number(fields, name) for name in ("turn", "line", "step"))
    if step not in ADVICE_STEPS:
        raise MalformedError("bad_form", say("There is no such choice; go back and choose again."))
    service = ctx.services.advice
    commands.take_advice(table, person, turn, line)  # refuses before the adviser does any work
    seat = commands.seat_to_advise(table, person)
    if service.shown(table, person) is None:
        ctx.limit_expensive(table)
    advice = await service.think(table, seat)
    now = await ctx.services.tables.update(table.code, lambda now: commands.take_advice(now, person, turn, line))
    service.show(table, seat, advice, step)
    return ctx.live_response(now) if ctx.is_htmx else ctx.redirect(f"/t/{table.code}")


async def rematch(request: Request) -> Response:
    """Go on with the same people at another table; a second request leads to the same one."""
    ctx = RequestContext(request)
    table = await ctx.table_for_update()
    successor = await ctx.services.tables.rematch(table.code, ctx.profile.id)
    await ctx.update_finished_games()
    return ctx.redirect(f"/t/{successor.code}")


async def record(request: Request) -> Response:
    """The finished game as a file in our own format or Hanab Live's, or as a link for Hanab Live."""
    ctx = RequestContext(request)
    table = await ctx.table_for_replay()
    game = table.record()
    form = request.path_params["form"]
    if form not in ("tamaya", "hanab-live", "link"):
        raise HTTPException(404)
    if form == "link":
        return PlainTextResponse(hanab_live.write_link(game) + "\n")
    text = native.write(game) if form == "tamaya" else json.dumps(hanab_live.to_json(game), ensure_ascii=False)
    name = f"hanabi-{table.code}.json" if form == "tamaya" else f"hanabi-{table.code}-hanab-live.json"
    return Response(text, media_type="application/json", headers={"content-disposition": f'attachment; filename="{name}"'})
