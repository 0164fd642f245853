"""Drawings of tables that are kept for as long as the table stands like that."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from markupsafe import Markup

from tamaya.i18n import catalogue
from tamaya.table import Phase, Table
from tamaya.web.board import board, lobby, side
from tamaya.web.pages import Reader, render


class Drawings:
    """Draws tables, and keeps each drawing for as long as the table stands like that."""

    def __init__(self) -> None:
        self._kept: WeakKeyDictionary[Table, dict[object, Markup]] = WeakKeyDictionary()

    def draw(self, table: Table, reader: Reader, away: frozenset[str]) -> Markup:
        """The live part of the page for a reader; `away` are the people of this table whom no page shows right now."""
        if table.phase is Phase.OPEN:
            return render("lobby.html", reader.language, **lobby(table, reader, away))
        kept = self._kept.setdefault(table, {})
        key = (table.seat_of(reader.person), reader.language, away)
        if key not in kept:
            shared = self._shared(table, reader)
            kept[key] = render("board.html", reader.language, shared=shared, **board(table, reader, away))
        return kept[key]

    def _shared(self, table: Table, reader: Reader) -> Markup:
        """What everybody at the table who may see as much reads alike: log, discard pile and talk."""
        kept = self._kept.setdefault(table, {})
        key = (reader.language, table.sees_every_hand(reader.person))
        if key not in kept:
            beside = side(table, catalogue(reader.language), table.explanations_for(reader.person))
            kept[key] = render("side.html", reader.language, **beside)
        return kept[key]
