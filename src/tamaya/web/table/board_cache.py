"""Rendered boards, cached per table and viewer."""

from __future__ import annotations

from dataclasses import dataclass, replace

from markupsafe import Markup

from tamaya.rules import Message
from tamaya.table import Phase, Table
from tamaya.web.rendering.cache import BOARDS, SHELF, Gapped, Shelf, text_in
from tamaya.web.rendering.templates import Reader
from tamaya.web.table.badges import fillings_at
from tamaya.web.table.board import draw_discards_and_talk, draw_with_gaps
from tamaya.web.table.lobby import draw_lobby
from tamaya.web.table.log import draw_log
from tamaya.web.table.snapshot import Moment, ShownAdvice, live_moment


@dataclass(frozen=True, slots=True)
class _Board:
    """A board as it was drawn for somebody with this advice, and what was last put into its gaps."""

    advice: ShownAdvice | None
    away: frozenset[str]
    cold: tuple[Message, ...]
    drawn: Gapped


class Drawings:
    """Draws tables. A `Table` is never changed, so that what was drawn of it holds until the next one takes its place. Who is
    away changes more often: a board has gaps for that, and is not drawn anew."""

    def __init__(self, kept: Shelf | None = None) -> None:
        self._kept = kept or Shelf(BOARDS)

    @property
    def size(self) -> int:
        """How many bytes boards and all their parts take that are kept, about."""
        return self._kept.size + SHELF.size

    def draw(self, table: Table, reader: Reader, away: frozenset[str], cold: tuple[Message, ...] = ()) -> str:
        """The live part of the page for a reader; `away` are the people of this table whom no page shows right now, `cold` says
        which bots are not ready yet."""
        if table.phase is Phase.OPEN:
            return draw_lobby(table, reader, away, cold)
        seat, language, advice = table.seat_of(reader.person), reader.language, reader.advice
        slot = "board", table.code, seat, language, reader.next_discard, reader.coached and seat is not None
        board: _Board | None = self._kept.get_of(table, slot)
        if board and board.advice == advice:
            if (board.away, board.cold) == (away, cold):
                return board.drawn.text
            drawn = board.drawn
        else:
            moment = live_moment(table, reader.person, away)
            moment = replace(moment, coached=reader.coached, wants_next_discard=reader.next_discard, advice=advice)
            drawn = draw_with_gaps(moment, language, self._side(table, moment, language))
        drawn = drawn.filled(fillings_at(table, seat, away, cold, language))
        self._kept.put_of(table, slot, _Board(advice, away, cold, drawn), text_in(drawn.text))
        return drawn.text

    def _side(self, table: Table, moment: Moment, language: str) -> Markup:
        """The log as it is told to the reader; discard pile and talk, which are the same for everybody."""
        slot = "side", table.code, language
        side: Markup | None = self._kept.get_of(table, slot)
        if side is None:
            side = draw_discards_and_talk(moment, language)
            self._kept.put_of(table, slot, side, text_in(side))
        return Markup("".join((draw_log(moment, language), side)))
