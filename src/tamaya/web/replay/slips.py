"""My slips: the player's own costly moves, to try again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from tamaya.review.analysis import GameAnalysis
from tamaya.review.analysis_sentences import SIGNS, VERDICTS
from tamaya.rules import Message, say
from tamaya.table import GameFilter, GameState, Table, TableSummary
from tamaya.web.context import RequestContext
from tamaya.web.games.filters import read_page
from tamaya.web.replay.location import ReplayLocation

PAGE_SIZE = 50
"""Games per page."""


@dataclass(frozen=True, slots=True)
class SlipRow:
    """A slip in the list: the game, the position, the verdict, and where to try it again. It does not tell what was played or
    what was better."""

    name: str
    kind: str
    sign: str
    verdict: Message
    names: tuple[str, ...]
    when: float
    position: Message
    address: str


async def my_slips(request: Request) -> Response:
    """The person's own slips in games that the coach has judged, newest first; without turns that a bot took for them, or that
    were taken in the game they played on from."""
    ctx = RequestContext(request)
    ctx.limit_expensive()
    page, me, store = read_page(request.query_params), ctx.profile.id, ctx.services.store
    games = await store.tables_of(me, GameFilter(state=GameState.OVER), PAGE_SIZE + 1, (page - 1) * PAGE_SIZE)
    rows: list[SlipRow] = []
    for game in games[:PAGE_SIZE]:
        rows += await _slips(ctx, game)
    return ctx.page("slips.html", rows=rows, page=page, more=len(games) > PAGE_SIZE)


async def _slips(ctx: RequestContext, game: TableSummary) -> list[SlipRow]:
    coaching = await ctx.services.coach.finished_analysis(game.code)
    if coaching is None or not any(one.verdict.is_flag for one in coaching.judgements):
        return []
    table = await ctx.services.tables.get(game.code)
    seat = table.seat_of(ctx.profile.id)
    return [] if seat is None else list(_rows(table, seat, coaching, game))


def _rows(table: Table, seat: int, coaching: GameAnalysis, game: TableSummary) -> Iterator[SlipRow]:
    others = tuple(name for place, name in enumerate(table.names) if place != seat)
    for one in reversed(coaching.of(seat)):
        if one.verdict.is_flag and table.acted_here(one.turn):
            view = table.past().view(one.turn - 1, seat)
            position = say(
                "Turn {turn}. Points: {points}; clue tokens: {tokens}; cards left: {deck}.",
                turn=one.turn,
                points=view.points,
                tokens=view.clue_tokens,
                deck=view.deck_count,
            )
            yield SlipRow(
                name=f"{table.code} {one.turn}",
                kind=one.verdict.value,
                sign=SIGNS[one.verdict],
                verdict=VERDICTS[one.verdict],
                names=others,
                when=game.updated_at if game.ended is None else game.ended,
                position=position,
                address=ReplayLocation(table.code, one.turn - 1, seat, table.turn).as_player_at(one.turn - 1, seat),
            )
