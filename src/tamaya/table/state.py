"""Seats, notes, remarks and the phases of a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from tamaya.rules import Message, say


class Phase(StrEnum):
    """The phase of a table: before, during or after its game."""

    OPEN = "open"
    PLAYING = "playing"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Seat:
    """Who has a seat: a person, a bot, a bot that plays for a person, or none of these. If the person has deleted the ended
    game, the name remains and the seat is `parted`."""

    person: str = ""
    bot: str = ""
    name: str = ""
    parted: bool = False

    @property
    def free(self) -> bool:
        """Whether the seat can be taken."""
        return not self.name


@dataclass(frozen=True, slots=True)
class Removal:
    """A person whom the host removed from a seat, and the name they had there; with `let_back`, they may sit down again."""

    person: str
    name: str
    let_back: bool = False


def readmit(removals: tuple[Removal, ...], number: int) -> tuple[Removal, ...]:
    """The removals of a table after the host has undone one of them."""
    return (*removals[:number], replace(removals[number], let_back=True), *removals[number + 1 :])


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A message at a table, its author, and the turn after which it was sent."""

    turn: int
    name: str
    words: Message | str


@dataclass(frozen=True, slots=True)
class Note:
    """A note of the player at `seat`, `written` after that turn: on a card, by its number in the deal, or on the moment after a
    turn. Empty `text` deletes an earlier note."""

    seat: int
    written: int
    text: str
    card: int | None = None
    turn: int | None = None

    @property
    def about(self) -> tuple[int, int | None, int | None]:
        """Whose note it is and what it is on: a later note with the same key replaces it."""
        return self.seat, self.card, self.turn


def notes_at(notes: Iterable[Note], turn: int | None = None) -> tuple[Note, ...]:
    """The notes as they were after a turn, or as they are now."""
    latest = {note.about: note for note in notes if turn is None or note.written <= turn}
    return tuple(note for note in latest.values() if note.text)


def notes_after_take_back(notes: Iterable[Note], turn: int) -> tuple[Note, ...]:
    """The notes after a take-back to a turn; none is lost. Later ones count as written just after that turn, and notes on later
    turns are appended to the note on it."""
    kept = [replace(note, written=min(note.written, turn + 1)) for note in notes]
    later = [note for note in notes_at(kept) if note.turn is not None and note.turn > turn]
    kept = [note for note in kept if note.turn is None or note.turn <= turn]
    for note in later:
        moved = replace(note, turn=turn)
        texts = [other.text for other in notes_at(kept) if other.about == moved.about]
        kept.append(replace(moved, text=" · ".join([*texts, note.text])))
    return tuple(kept)


@dataclass(frozen=True, slots=True)
class TakeBackRequest:
    """The player at `seat` asks to go back to `turn`, before their last action; the seats `agreed` have said yes."""

    seat: int
    turn: int
    agreed: frozenset[int] = frozenset()

    def awaited_from(self, people: Iterable[int]) -> tuple[int, ...]:
        """The seats, of those at which people play, that have yet to answer."""
        return tuple(seat for seat in people if seat != self.seat and seat not in self.agreed)


REMARKS: Mapping[str, Message] = {
    "know-nothing": say("I still know nothing about my hand."),
    "remember": say("Do you remember what you hold?"),
    "thinking": say("Let me think."),
    "your-turn": say("It is your turn!"),
    "well-done": say("Beautiful!"),
    "oops": say("Oh no!"),
    "sorry": say("Sorry, that was me."),
    "thanks": say("Thank you."),
    "soon-back": say("I will be right back."),
    "good-game": say("Good game!"),
}
