"""The replay of a game: any moment at its own address, what other moves would have led to, and playing on from there.

While the game goes on, a player's look back at it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tamaya.engine import View
from tamaya.record import hanab_live
from tamaya.review import FactMark
from tamaya.rules import VARIANTS, IllegalError, MalformedError, Message, RecordError, Rules, say, say_n
from tamaya.table import Origin, Phase, SpectatorMode, Table, continue_from
from tamaya.table.names import available_name
from tamaya.web.context import RequestContext, form_number
from tamaya.web.http.rate_limits import RateLimiter
from tamaya.web.rendering.templates import render_component
from tamaya.web.replay.location import ReplayLocation, location_of, read_actions
from tamaya.web.replay.panel import GameReview, ReviewPanel, render_panel, review_of
from tamaya.web.table.board import possibilities_of
from tamaya.web.table.board_cache import render_board
from tamaya.web.table.components import ReplayFrame
from tamaya.web.table.snapshot import GameSnapshot, past_snapshot, tried_snapshot


@dataclass(frozen=True, slots=True)
class ReplayControls:
    """The controls of a replay; `last`: this is the last turn, `now`: the game still goes on."""

    place: ReplayLocation
    last: bool
    now: bool
    names: tuple[str, ...]
    marks: tuple[FactMark, ...]
    problem: Message | None
    verdict: Markup
    strip: Markup
    onward: str

    @property
    def next_mark(self) -> int | None:
        """The next marked turn that the viewer has seen."""
        return next((mark.turn for mark in self.marks if mark.turn > self.place.turn), None)

    @property
    def step(self) -> Message:
        """The heading of the place."""
        if self.place.as_player and not self.place.tried_moves:
            return say("Turn {turn}: what would you do?", turn=self.place.turn + 1)
        if self.place.trying and not self.place.tried_moves:
            return say("Turn {turn}: try any move.", turn=self.place.turn)
        if self.place.trying:
            return say_n("{n} move tried after turn {turn}", "{n} moves tried after turn {turn}", len(self.place.tried_moves),
                         turn=self.place.turn)  # fmt: skip
        return say("Turn {turn}", turn=self.place.turn)

    @property
    def undone(self) -> str:
        """The address without the last tried move."""
        return replace(self.place, tried_moves=self.place.tried_moves[:-1]).link

    @property
    def tried(self) -> str:
        """The address for trying other moves."""
        return replace(self.place, trying=True).link


@dataclass(frozen=True, slots=True)
class ReplayMore:
    """What else the viewer can do with the game; `forms` are the export formats."""

    place: ReplayLocation
    now: bool
    forms: tuple[str, ...]
    origin: Origin | None
    facts: Markup
    coach: Markup
    story: Markup


async def replay(request: Request) -> Response:
    """A moment of a game; for htmx, that part alone."""
    ctx = RequestContext(request)
    table = await ctx.table_for_replay()
    place = location_of(ctx, table)
    ctx.check_limit(RateLimiter.REPLAY_STEPS, table)
    if place.trying:
        ctx.limit_expensive(table)
    if ctx.is_htmx:
        return HTMLResponse(render_location(ctx, table, place, await review_of(ctx, table, place)))
    return await replay_page(ctx, table, place)


async def start_coach(request: Request) -> Response:
    """Start the coach on a finished game."""
    ctx = RequestContext(request)
    ctx.require_same_origin()
    table = await ctx.table_for_replay()
    table.past()
    place, coach = location_of(ctx, table), ctx.services.coach
    if not (await coach.progress(table)).requested:
        ctx.check_limit(RateLimiter.SEARCHES)
        if not (await coach.request(table)).requested:
            raise IllegalError("too_busy", say("The coach has too much to do just now; ask again in a few minutes."))
    if ctx.is_htmx:
        return HTMLResponse(render_location(ctx, table, place, await review_of(ctx, table, place)))
    return ctx.redirect(place.link)


async def replay_page(
    ctx: RequestContext, table: Table, place: ReplayLocation, template: str = "replay.html", **more: Any
) -> Response:
    """The whole page at a place of a replay."""
    return ctx.page(
        template,
        table=table,
        variants=[VARIANTS[name] for name in table.settings.variants],
        drawn=render_location(ctx, table, place, await review_of(ctx, table, place)),
        **more,
    )


async def possibilities(request: Request) -> Response:
    """What the cards of a hand could be at a moment."""
    ctx = RequestContext(request)
    table = await ctx.table_for_replay()
    ctx.limit_expensive(table)
    seat = form_number(request.query_params, "seat")
    snapshot = _snapshot_at(ctx, table, location_of(ctx, table))
    if seat >= len(table.seats):
        raise MalformedError("unknown_seat", say("The seats of this table go from 1 to {players}.", players=len(table.seats)))
    return ctx.page("possibilities.html", possibilities=possibilities_of(snapshot, seat, ctx.language))


async def play_on_from(request: Request) -> Response:
    """Open a table that goes on from a moment of the game."""
    ctx = RequestContext(request)
    ctx.require_same_origin()
    ctx.check_new_table()
    table = await ctx.table_for_replay()
    fields = await ctx.form()
    then = read_actions(fields["then"].split("|") if fields.get("then") else ())
    turn = min(form_number(fields, "turn"), table.past().turns)
    name = available_name(ctx.name, [seat.name for seat in table.seats if seat.bot])
    opened = await ctx.services.tables.begin(continue_from(table, ctx.profile.id, name, turn, then))
    ctx.update_profile(ctx.profile)
    return ctx.redirect(f"/t/{opened.code}")


def render_location(ctx: RequestContext, table: Table, place: ReplayLocation, review: GameReview | None) -> Markup:
    """The board at a place of a replay, with its controls and reviews."""
    snapshot, playing = _snapshot_at(ctx, table, place), table.phase is Phase.PLAYING
    panel = render_panel(ctx, table, place, review) if review else ReviewPanel()
    controls = ReplayControls(
        place=place,
        last=place.turn == table.turn,
        now=playing,
        names=snapshot.names,
        marks=panel.marks,
        problem=table.problem if place.seen_until == table.turn or ctx.profile.id == table.host else None,
        verdict=panel.verdict,
        strip=panel.strip,
        onward=panel.onward,
    )
    reviews = panel.now, panel.coach, panel.story
    more = ReplayMore(place, playing, _export_formats(table.settings.rules), table.settings.origin, *reviews)
    frame = ReplayFrame(render_component(controls, ctx.language), render_component(more, ctx.language), place.fields)
    snapshot = replace(snapshot, verdicts=panel.verdicts)
    return render_board(snapshot, ctx.language, frame)


def _snapshot_at(ctx: RequestContext, table: Table, place: ReplayLocation) -> GameSnapshot:
    person, view = ctx.profile.id, _view_at(ctx, table, place)
    if place.trying:
        eyes = place.eyes if place.as_player else SpectatorMode.HANDS
        return tried_snapshot(
            table, person, view, place.turn, table.past().what_if_meanings(place.turn, place.tried_moves, eyes)
        )
    playing = table.phase is Phase.PLAYING
    return past_snapshot(table, person, view, {} if playing else table.past().meanings(place.eyes))


def _view_at(ctx: RequestContext, table: Table, place: ReplayLocation) -> View:
    """The view at a place."""
    if place.trying:
        seat = place.eyes if place.as_player and isinstance(place.eyes, int) else None
        return table.past().what_if(place.turn, place.tried_moves, seat)
    if table.phase is Phase.PLAYING:
        return table.earlier_view_for(ctx.profile.id, place.turn)
    return table.past().view(place.turn, place.eyes)


def _export_formats(rules: Rules) -> tuple[str, ...]:
    """The export formats that can express these rules; a Hanab Live link carries no options."""
    try:
        hanab_live.variant_of(rules)
    except RecordError:
        return ("tamaya",)
    return ("tamaya", "hanab-live") if hanab_live.options_of(rules) else ("tamaya", "hanab-live", "link")
