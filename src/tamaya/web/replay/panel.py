"""The panel beneath a replay: facts, the solver's answer and the coach's analysis."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tamaya.coach.coach import AnalysisProgress, TriedMove, coached_record
from tamaya.coach.solver import SolverProgress
from tamaya.review import FactMark, GameFacts, MarkKind, facts_of
from tamaya.review.analysis import GameAnalysis, MoveAnalysis, MoveGrade
from tamaya.review.analysis_sentences import known_until
from tamaya.rules import IllegalError, read_action, say
from tamaya.table import Phase, Table
from tamaya.web.context import RequestContext
from tamaya.web.http.rate_limits import RateLimiter, TooOftenError
from tamaya.web.rendering.cache import RENDER_CACHE
from tamaya.web.rendering.templates import render_component
from tamaya.web.replay.coach_view import AnalysisStatus, log_verdicts, render_move, render_tried, summary_of
from tamaya.web.replay.facts_view import render_game, render_solver_progress, render_strip, render_turn
from tamaya.web.replay.location import END, ReplayLocation, location_of
from tamaya.web.table.snapshot import LogVerdict

BYTES_PER_TURN = 1_600
"""Measured size of the facts of one turn."""


class FactsCache:
    """The facts of finished games, worked out once each and cached."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    async def get(self, table: Table) -> GameFacts:
        """The facts of a finished game."""
        record, slot = table.record(), ("facts", table.code)
        found: GameFacts | None = RENDER_CACHE.get_for(table, slot)
        if found is None:
            async with self._lock:
                found = RENDER_CACHE.get_for(table, slot) or await asyncio.to_thread(facts_of, record)
                RENDER_CACHE.put_for(table, slot, found, BYTES_PER_TURN * table.turn)
        return found


@dataclass(frozen=True, slots=True)
class GameReview:
    """The facts of a finished game, the coach's progress, and its verdict on a tried move."""

    facts: GameFacts
    coached: AnalysisProgress
    tried: TriedMove = field(default_factory=TriedMove)


async def review_of(ctx: RequestContext, table: Table, place: ReplayLocation) -> GameReview | None:
    """The review of a finished game; None while it goes on, and before a player has tried a move of their own choice."""
    if table.phase is Phase.PLAYING or (place.as_player and not place.tried_moves):
        return None
    review = GameReview(await ctx.services.facts.get(table), await ctx.services.coach.progress(table))
    if compared_judgement(place, review):
        table.past().what_if(place.turn, place.tried_moves)  # refuses illegal moves
        return replace(review, tried=_tried(ctx, table, place, review.coached.analysis))
    return review


def _tried(ctx: RequestContext, table: Table, place: ReplayLocation, coaching: GameAnalysis) -> TriedMove:
    """The coach's verdict on a tried move; beyond the rate limit the board is shown without it."""

    def may_begin() -> None:
        ctx.check_limit(RateLimiter.TRIED_MOVES)

    try:
        return ctx.services.coach.try_move(table, place.turn + 1, place.tried_moves[0], coaching, may_begin)
    except TooOftenError as problem:
        return TriedMove(True, error=problem.message)


def compared_judgement(place: ReplayLocation, review: GameReview) -> MoveAnalysis | None:
    """The judgement on the move that a single tried move replaces, if the viewer has seen it."""
    if len(place.tried_moves) != 1:
        return None
    return next((one for one in _known(review, place.seen_until).judgements if one.turn == place.turn + 1), None)


@dataclass(frozen=True, slots=True)
class ReviewPanel:
    """The parts of a review on the page: the turn, coach, facts and solver, the strip above the slider, the verdict, marks and
    log verdicts, and where the better line goes on."""

    now: Markup = field(default_factory=Markup)
    coach: Markup = field(default_factory=Markup)
    story: Markup = field(default_factory=Markup)
    strip: Markup = field(default_factory=Markup)
    verdict: Markup = field(default_factory=Markup)
    marks: tuple[FactMark, ...] = ()
    verdicts: Mapping[int, LogVerdict] = field(default_factory=dict)
    onward: str = ""


def render_panel(ctx: RequestContext, table: Table, place: ReplayLocation, review: GameReview) -> ReviewPanel:
    """The review as far as the viewer has seen the game."""
    reader, language, whole = table.seat_of(ctx.profile.id), ctx.language, place.seen_until == table.turn
    facts, coaching = review.facts.until(place.seen_until), _known(review, place.seen_until)
    solver = render_solver(table, ctx.services.solver.progress(table.record()), place, ctx) if whole else Markup()
    said = _render_verdict(table, place, review, coaching, language, reader)
    start = f"/t/{table.code}/replay/coach?{place.query}&seen={place.seen_until}"
    coach = review.coached
    work = AnalysisStatus(start, coach.requested, len(coaching.judgements), coaching.turns, coach.compiled, coach.error)
    story = summary_of(coaching, whole, coached_record(table), place, reader) if coaching.judgements else None
    return ReviewPanel(
        now=render_turn(facts, place.turn, place, language, reader, coaching, said + render_component(work, language)),
        coach=render_component(story, language) if story else Markup(),
        story=render_game(facts, place, language, solver, reader),
        verdict=said,
        strip=render_strip(facts, place.turn, place, language, reader, coaching),
        marks=tuple(sorted({*facts.marks, *_marks(coaching)}, key=lambda mark: mark.turn)),
        verdicts=log_verdicts(known_until(coaching, place.turn) if place.trying else coaching),
        onward=_next_in_line(place, coaching),
    )


def _next_in_line(place: ReplayLocation, coaching: GameAnalysis) -> str:
    """The address of the next move of the better line, for a viewer who follows it."""
    line = next((one.line for one in coaching.judgements if one.turn == place.turn + 1), ())
    tried = len(place.tried_moves)
    if place.as_player or not 0 < tried < len(line) or tuple(map(str, place.tried_moves)) != line[:tried]:
        return ""
    return place.after(place.turn, tuple(map(read_action, line[: tried + 1])))


def _render_verdict(
    table: Table, place: ReplayLocation, review: GameReview, coaching: GameAnalysis, language: str, reader: int | None
) -> Markup:
    """The coach's verdict on the move that led to a place."""
    if judged := compared_judgement(place, review):
        own = place.as_player and judged.seat == reader and judged.verdict.is_flag
        slip, every_hand = (
            f"{table.code} {judged.turn}" * own,
            place.after(place.turn, place.tried_moves) if place.as_player else "",
        )
        return render_tried(judged, review.tried, table.record(), slip, every_hand, language, reader)
    found = None if place.trying else next((one for one in coaching.judgements if one.turn == place.turn), None)
    if found is None:
        return Markup()
    return render_move(found, table.record(), place, language, reader)


def _known(review: GameReview, seen: int) -> GameAnalysis:
    return known_until(review.coached.analysis, seen)


def _marks(coaching: GameAnalysis) -> set[FactMark]:
    kinds = {MoveGrade.SLIP: MarkKind.SLIP, MoveGrade.BLUNDER: MarkKind.BLUNDER}
    return {FactMark(one.turn, kinds[one.verdict]) for one in coaching.judgements if one.verdict in kinds}


def render_solver(table: Table, search: SolverProgress, place: ReplayLocation, ctx: RequestContext) -> Markup:
    """The solver's answer, with links to each move of its line."""
    again = f"/t/{table.code}/replay/solver?{urlencode({'turn': END, 'eyes': place.eyes_word})}"
    return render_solver_progress(table.record(), search, place, again, ctx.language, table.seat_of(ctx.profile.id))


async def solver(request: Request) -> Response:
    """The solver's answer or progress; only for viewers who have seen the end."""
    ctx = RequestContext(request)
    table = await ctx.table_for_replay()
    ctx.limit_expensive(table)
    record, place = table.record(), location_of(ctx, table)
    if place.seen_until < table.turn:
        raise IllegalError("end_not_seen", say("Look at the end of the game first: what could have been tells how it went."))
    win_solver, retry = ctx.services.solver, request.query_params.get("anew") == "yes"
    if retry or not win_solver.progress(record).requested:
        ctx.check_limit(RateLimiter.SEARCHES)
    return HTMLResponse(render_solver(table, win_solver.request(record, retry), place, ctx))
