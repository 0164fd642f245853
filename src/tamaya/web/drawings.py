"""Drawings of tables, each kept for as long as nothing changes at its table."""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakKeyDictionary

from markupsafe import Markup

from tamaya.rules import Message
from tamaya.table import Phase, Table
from tamaya.web.board import draw_board, draw_discards_and_talk, draw_log
from tamaya.web.lobby import draw_lobby
from tamaya.web.moment import Moment, live_moment
from tamaya.web.pages import Reader


class Drawings:
    """Draws tables. A `Table` is never changed, so that what was drawn of it holds until the next one takes its place."""

    def __init__(self) -> None:
        self._kept: WeakKeyDictionary[Table, dict[object, Markup]] = WeakKeyDictionary()

    def draw(self, table: Table, reader: Reader, away: frozenset[str], cold: tuple[Message, ...] = ()) -> Markup:
        """The live part of the page for a reader; `away` are the people of this table whom no page shows right now, `cold` says
        which bots are not ready yet."""
        if table.phase is Phase.OPEN:
            return draw_lobby(table, reader, away, cold)
        kept = self._kept.setdefault(table, {})
        key = table.seat_of(reader.person), reader.language, reader.coached, reader.next_discard, away, cold, reader.advice
        if key not in kept:
            moment = live_moment(table, reader.person, away)
            moment = replace(moment, coached=reader.coached, wants_next_discard=reader.next_discard, cold=cold)
            moment = replace(moment, advice=reader.advice)
            kept[key] = draw_board(moment, reader.language, self._side(table, moment, reader))
        return kept[key]

    def _side(self, table: Table, moment: Moment, reader: Reader) -> Markup:
        """The log as it is told to a seat, or to all others who may see as much; discard pile and talk, which are the same for
        everybody."""
        kept = self._kept.setdefault(table, {})
        log, rest = (reader.language, moment.seat, table.sees_every_hand(reader.person)), reader.language
        if log not in kept:
            kept[log] = draw_log(moment, reader.language)
        if rest not in kept:
            kept[rest] = draw_discards_and_talk(moment, reader.language)
        return kept[log] + kept[rest]
