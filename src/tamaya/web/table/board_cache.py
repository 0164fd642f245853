"""Rendered boards, cached per table and viewer."""

from __future__ import annotations

from dataclasses import dataclass, replace

from markupsafe import Markup

from tamaya.rules import Message
from tamaya.table import Phase, Table
from tamaya.web.context import Viewer
from tamaya.web.rendering.cache import BOARD_CACHE_SIZE, RENDER_CACHE, PlaceholderHtml, RenderCache, text_size
from tamaya.web.table.badges import live_badges_html
from tamaya.web.table.board import render_discards_and_chat, render_with_placeholders
from tamaya.web.table.lobby import render_lobby
from tamaya.web.table.log import render_log
from tamaya.web.table.snapshot import GameSnapshot, ShownAdvice, live_snapshot


@dataclass(frozen=True, slots=True)
class _Board:
    """A board as it was drawn for somebody with this advice, and what was last put into its gaps."""

    advice: ShownAdvice | None
    away: frozenset[str]
    cold: tuple[Message, ...]
    drawn: PlaceholderHtml


class BoardCache:
    """Draws tables. A `Table` is never changed, so that what was drawn of it holds until the next one takes its place. Who is
    away changes more often: a board has gaps for that, and is not drawn anew."""

    def __init__(self, kept: RenderCache | None = None) -> None:
        self._kept = kept or RenderCache(BOARD_CACHE_SIZE)

    @property
    def size(self) -> int:
        """How many bytes boards and all their parts take that are kept, about."""
        return self._kept.size + RENDER_CACHE.size

    def render(self, table: Table, viewer: Viewer, away: frozenset[str], cold: tuple[Message, ...] = ()) -> str:
        """The live part of the page for a reader; `away` are the people of this table whom no page shows right now, `cold` says
        which bots are not ready yet."""
        if table.phase is Phase.OPEN:
            return render_lobby(table, viewer, away, cold)
        seat, language, advice = table.seat_of(viewer.person), viewer.language, viewer.advice
        slot = "board", table.code, seat, language, viewer.next_discard, viewer.tips_enabled and seat is not None
        board: _Board | None = self._kept.get_for(table, slot)
        if board and board.advice == advice:
            if (board.away, board.cold) == (away, cold):
                return board.drawn.text
            drawn = board.drawn
        else:
            snapshot = live_snapshot(table, viewer.person, away)
            snapshot = replace(
                snapshot, tips_enabled=viewer.tips_enabled, wants_next_discard=viewer.next_discard, advice=advice
            )
            drawn = render_with_placeholders(snapshot, language, self._side(table, snapshot, language))
        drawn = drawn.fill(live_badges_html(table, seat, away, cold, language))
        self._kept.put_for(table, slot, _Board(advice, away, cold, drawn), text_size(drawn.text))
        return drawn.text

    def _side(self, table: Table, snapshot: GameSnapshot, language: str) -> Markup:
        """The log as it is told to the reader; discard pile and talk, which are the same for everybody."""
        slot = "side", table.code, language
        side: Markup | None = self._kept.get_for(table, slot)
        if side is None:
            side = render_discards_and_chat(snapshot, language)
            self._kept.put_for(table, slot, side, text_size(side))
        return Markup("".join((render_log(snapshot, language), side)))
