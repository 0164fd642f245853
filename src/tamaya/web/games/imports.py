"""Import games from elsewhere: pasted, uploaded or named by a link. Nothing is fetched from other sites."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from starlette.requests import Request
from starlette.responses import Response

from tamaya.record import Entry, Replay, hanab_live, read_games
from tamaya.rules import Message, RecordError, say
from tamaya.table import AnyEvent, import_game
from tamaya.web.context import RequestContext
from tamaya.web.http.rate_limits import RateLimiter

MAX_GAMES = 100
"""Games per import."""


@dataclass(frozen=True, slots=True)
class UnreadEntry:
    """A game of a file that could not be read: its `place`, from 1, and the reason."""

    place: int
    problem: Message


async def import_form(request: Request) -> Response:
    """The import form."""
    return _form(RequestContext(request))


def _form(ctx: RequestContext, text: str = "", problem: Message | None = None) -> Response:
    return ctx.page(
        "bring.html", 400 if problem else 200, text=text, problem=problem, most=MAX_GAMES, example=hanab_live.ADDRESS
    )


async def import_games(request: Request) -> Response:
    """Make tables of the games in a form. A single game opens at once; several lead to the list, after the errors if there are
    any."""
    ctx = RequestContext(request)
    ctx.require_same_origin()
    ctx.check_new_table()
    fields = await ctx.form(max_files=1)
    entries = await asyncio.to_thread(lambda: list(islice(_entries(fields), MAX_GAMES + 1)))
    chosen = entries[:MAX_GAMES]
    games = [(entry.replay, entry.error) for entry in chosen if entry.replay]
    if not games:
        nothing = say("Paste a game or its link, or choose a file.")
        return _form(ctx, fields.get("text", ""), entries[0].error.message if entries and entries[0].error else nothing)
    ctx.check_limit(RateLimiter.IMPORTS, times=len(games))
    tables = await ctx.services.tables.begin_all([_import_events(ctx, *game) for game in games])
    ctx.update_profile(ctx.profile)
    if len(chosen) == 1:
        return ctx.redirect(f"/t/{tables[0].code}/replay")
    unread = [UnreadEntry(place, entry.error.message) for place, entry in enumerate(chosen, 1) if entry.error]
    left_out = len(entries) > MAX_GAMES
    if not unread and not left_out:
        return ctx.redirect("/games")
    return ctx.page("brought.html", unread=unread, most=MAX_GAMES, left_out=left_out)


def _entries(fields: Mapping[str, str]) -> Iterator[Entry]:
    """The games of a form, pasted ones first."""
    for name in ("text", "file"):
        text = fields.get(name, "").strip("\ufeff \t\r\n")
        if text:
            yield from read_games(text, name)


def _import_events(ctx: RequestContext, replay: Replay, error: RecordError | None) -> list[AnyEvent]:
    return import_game(replay.record, ctx.profile.id, error.message if error else None)
