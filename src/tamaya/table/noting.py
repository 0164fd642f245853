"""Writing private notes, and showing them when the game is over."""

from __future__ import annotations

from tamaya.rules import IllegalError, MalformedError, say
from tamaya.table.commands import own_seat, require_running
from tamaya.table.events import AnyEvent, Noted, NotesShown
from tamaya.table.notes import notes_at
from tamaya.table.seats import Phase
from tamaya.table.settings import ClueMemory
from tamaya.table.table import Table

LONGEST_NOTE = 200
MOST_NOTED = 300
"""How often a player can write, change or delete a note in one game."""


def note(table: Table, person: str, text: str, card: int | None = None, turn: int | None = None) -> list[AnyEvent]:
    """Write a note on a card, by its number, or on the moment after a turn; without text, delete it."""
    seat = own_seat(table, person)
    require_running(table)
    if table.settings.memory is ClueMemory.NOTHING:
        raise IllegalError("no_notes", say("At this table everybody remembers for themselves: there are no notes."))
    text = " ".join(text.split())
    if len(text) > LONGEST_NOTE or not text.isprintable():
        raise MalformedError("bad_text", say("Write at most {most} printable characters.", most=LONGEST_NOTE))
    if (card is None) == (turn is None):
        raise MalformedError("bad_note", say("A note is on a card or on a turn."))
    if card is not None and card not in table.cards_drawn:
        raise MalformedError("unknown_card", say("There is no such card on the table."))
    if turn is not None and not 0 <= turn <= table.turn:
        raise MalformedError("no_such_turn", say("This game has turns from {first} to {last}.", first=0, last=table.turn))
    own = table.notes_for(person)
    found = [before.text for before in notes_at(own) if (before.card, before.turn) == (card, turn)]
    if text == "".join(found):
        return []
    if len(own) >= MOST_NOTED:
        raise IllegalError("too_many", say("You have written enough notes in this game."))
    return [Noted(seat, text, card, turn)]


def show_notes(table: Table, person: str, shown: bool) -> list[AnyEvent]:
    """After the game, let everybody read one's notes, or no longer."""
    seat = own_seat(table, person)
    if table.phase is not Phase.ENDED:
        raise IllegalError("game_not_over", say("Notes can be shown when the game is over."))
    if not any(note.seat == seat for note in notes_at(table.notes_for(person))):
        raise IllegalError("no_notes", say("You have written no notes in this game."))
    return [NotesShown(seat, shown)] if shown != (seat in table.shown_notes) else []
