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
from tamaya.web.context import Visit
from tamaya.web.http.rate_limits import Limits, TooOftenError
from tamaya.web.rendering.cache import SHELF
from tamaya.web.rendering.templates import draw
from tamaya.web.replay.coach_view import CoachWork, draw_move, draw_tried, story_of, verdicts
from tamaya.web.replay.facts_view import draw_now, draw_search, draw_story, draw_strip
from tamaya.web.replay.location import END, Place, place_of
from tamaya.web.table.snapshot import LogVerdict

A_TURN = 1_600
"""The bytes that the facts of one turn take, as measured."""


class FactsCache:
    """The facts of finished games, each worked out once while the cache has room for it."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    async def get(self, table: Table) -> GameFacts:
        """The facts of a table's game; refused while it goes on."""
        record, slot = table.record(), ("facts", table.code)
        found: GameFacts | None = SHELF.get_of(table, slot)
        if found is None:
            async with self._lock:
                found = SHELF.get_of(table, slot) or await asyncio.to_thread(facts_of, record)
                SHELF.put_of(table, slot, found, A_TURN * table.turn)
        return found


@dataclass(frozen=True, slots=True)
class GameReview:
    """What is known of a game that is over: its facts, how far the coach is, and what it says of a move that is tried."""

    facts: GameFacts
    coached: AnalysisProgress
    tried: TriedMove = field(default_factory=TriedMove)


async def review_of(visit: Visit, table: Table, place: Place) -> GameReview | None:
    """What is known of a game for somebody at a place of it; nothing while it goes on, and nothing for those who try a move
    themselves before they have."""
    if table.phase is Phase.PLAYING or (place.yourself and not place.then):
        return None
    reviews = visit.house.reviews
    review = GameReview(await visit.house.facts.get(table), await reviews.coached(table))
    if compared_with(place, review):
        table.past().what_if(place.turn, place.then)  # refuses what cannot be done
        return replace(review, tried=_tried(visit, table, place, review.coached.coaching))
    return review


def _tried(visit: Visit, table: Table, place: Place, coaching: GameAnalysis) -> TriedMove:
    """What the coach says of a move that somebody tries; those who try too many see the board all the same."""

    def may_begin() -> None:
        visit.check_limit(Limits.TRIED)

    try:
        return visit.house.reviews.tried(table, place.turn + 1, place.then[0], coaching, may_begin)
    except TooOftenError as problem:
        return TriedMove(True, refused=problem.message)


def compared_with(place: Place, review: GameReview) -> MoveAnalysis | None:
    """The judgement of the move instead of which one is tried, where the reader has seen it."""
    if len(place.then) != 1:
        return None
    return next((one for one in _known(review, place.seen).judgements if one.turn == place.turn + 1), None)


@dataclass(frozen=True, slots=True)
class DrawnReview:
    """What a page shows of it: the moment, what the coach and the facts say of the whole, the line above the slider, what the
    coach says of the move, the marks and the verdicts by turn, and where a better line goes on."""

    now: Markup = field(default_factory=Markup)
    coach: Markup = field(default_factory=Markup)
    story: Markup = field(default_factory=Markup)
    strip: Markup = field(default_factory=Markup)
    verdict: Markup = field(default_factory=Markup)
    marks: tuple[FactMark, ...] = ()
    verdicts: Mapping[int, LogVerdict] = field(default_factory=dict)
    onward: str = ""


def draw_review(visit: Visit, table: Table, place: Place, review: GameReview) -> DrawnReview:
    """All that there is to say, as far as the reader has been."""
    reader, language, whole = table.seat_of(visit.person.id), visit.language, place.seen == table.turn
    facts, coaching = review.facts.until(place.seen), _known(review, place.seen)
    solver = draw_solver(table, visit.house.reviews.known(table.record()), place, visit) if whole else Markup()
    said = _said(table, place, review, coaching, language, reader)
    start = f"/t/{table.code}/replay/coach?{place.query}&seen={place.seen}"
    coach = review.coached
    work = CoachWork(start, coach.requested, len(coaching.judgements), coaching.turns, coach.compiled, coach.error)
    story = story_of(coaching, whole, coached_record(table), place, reader) if coaching.judgements else None
    return DrawnReview(
        now=draw_now(facts, place.turn, place, language, reader, coaching, said + draw(work, language)),
        coach=draw(story, language) if story else Markup(),
        story=draw_story(facts, place, language, solver, reader),
        verdict=said,
        strip=draw_strip(facts, place.turn, place, language, reader, coaching),
        marks=tuple(sorted({*facts.marks, *_marks(coaching)}, key=lambda mark: mark.turn)),
        verdicts=verdicts(known_until(coaching, place.turn) if place.trying else coaching),
        onward=_onward(place, coaching),
    )


def _onward(place: Place, coaching: GameAnalysis) -> str:
    """Where the next move of the better line leads, for somebody who follows it."""
    line = next((one.line for one in coaching.judgements if one.turn == place.turn + 1), ())
    tried = len(place.then)
    if place.yourself or not 0 < tried < len(line) or tuple(map(str, place.then)) != line[:tried]:
        return ""
    return place.after(place.turn, tuple(map(read_action, line[: tried + 1])))


def _said(table: Table, place: Place, review: GameReview, coaching: GameAnalysis, language: str, reader: int | None) -> Markup:
    """What the coach says of the move that led to a place."""
    if judged := compared_with(place, review):
        own = place.yourself and judged.seat == reader and judged.verdict.is_flag
        slip, every_hand = f"{table.code} {judged.turn}" * own, place.after(place.turn, place.then) if place.yourself else ""
        return draw_tried(judged, review.tried, table.record(), slip, every_hand, language, reader)
    found = None if place.trying else next((one for one in coaching.judgements if one.turn == place.turn), None)
    if found is None:
        return Markup()
    return draw_move(found, table.record(), place, language, reader)


def _known(review: GameReview, seen: int) -> GameAnalysis:
    return known_until(review.coached.coaching, seen)


def _marks(coaching: GameAnalysis) -> set[FactMark]:
    kinds = {MoveGrade.SLIP: MarkKind.SLIP, MoveGrade.BLUNDER: MarkKind.BLUNDER}
    return {FactMark(one.turn, kinds[one.verdict]) for one in coaching.judgements if one.verdict in kinds}


def draw_solver(table: Table, search: SolverProgress, place: Place, visit: Visit) -> Markup:
    """What the solver says of the game, with links to each move of its line."""
    again = f"/t/{table.code}/replay/solver?{urlencode({'turn': END, 'eyes': place.eyes_word})}"
    return draw_search(table.record(), search, place, again, visit.language, table.seat_of(visit.person.id))


async def solver(request: Request) -> Response:
    """How far the solver is, or what it found out; only for somebody who has seen the end of the game."""
    visit = Visit(request)
    table = await visit.past_table()
    visit.check_costly(table)
    record, place = table.record(), place_of(visit, table)
    if place.seen < table.turn:
        raise IllegalError("end_not_seen", say("Look at the end of the game first: what could have been tells how it went."))
    reviews, anew = visit.house.reviews, request.query_params.get("anew") == "yes"
    if anew or not reviews.known(record).begun:
        visit.check_limit(Limits.SEARCHES)
    return HTMLResponse(draw_solver(table, reviews.search(record, anew), place, visit))
