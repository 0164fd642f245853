"""Private notes on cards and on turns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Note:
    """What the player at `seat` wrote when so many turns had been `written`: on a card, by its number in the deal, or on the
    moment after a turn. Empty `text` takes an earlier note away."""

    seat: int
    written: int
    text: str
    card: int | None = None
    turn: int | None = None

    @property
    def about(self) -> tuple[int, int | None, int | None]:
        """Whose note it is and on what: a later note about the same takes its place."""
        return self.seat, self.card, self.turn


def notes_at(notes: Iterable[Note], turn: int | None = None) -> tuple[Note, ...]:
    """The notes as they stood after a turn, or as they stand."""
    latest = {note.about: note for note in notes if turn is None or note.written <= turn}
    return tuple(note for note in latest.values() if note.text)


def taken_back_to(notes: Iterable[Note], turn: int) -> tuple[Note, ...]:
    """The notes once the game has gone back to a turn: nothing that was written is lost. What was written later counts as
    written just after that turn, and notes on later turns are added to the one on it."""
    kept = [replace(note, written=min(note.written, turn + 1)) for note in notes]
    later = [note for note in notes_at(kept) if note.turn is not None and note.turn > turn]
    kept = [note for note in kept if note.turn is None or note.turn <= turn]
    for note in later:
        moved = replace(note, turn=turn)
        texts = [other.text for other in notes_at(kept) if other.about == moved.about]
        kept.append(replace(moved, text=" · ".join([*texts, note.text])))
    return tuple(kept)
