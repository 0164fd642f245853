"""Seats, notes, remarks and the phases of a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from tamaya.rules import Message, say


class Phase(StrEnum):
    """Where a table is in its life."""

    OPEN = "open"
    PLAYING = "playing"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Seat:
    """Who has a seat: nobody, a person, a bot, or a bot that plays for a person. Of somebody who `parted` with the game after
    its end, the name is left."""

    person: str = ""
    bot: str = ""
    name: str = ""
    parted: bool = False

    @property
    def free(self) -> bool:
        """Whether somebody can sit down here."""
        return not self.name


@dataclass(frozen=True, slots=True)
class Removal:
    """Somebody whom the host removed from a seat, under the name they had there; `let_back` says that they may sit again."""

    person: str
    name: str
    let_back: bool = False


def readmit(removals: tuple[Removal, ...], number: int) -> tuple[Removal, ...]:
    """The removals of a table after the host let somebody back."""
    return (*removals[:number], replace(removals[number], let_back=True), *removals[number + 1 :])


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """Something that was said at a table after so many turns: by whom, and the words."""

    turn: int
    name: str
    words: Message | str


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


@dataclass(frozen=True, slots=True)
class TakeBackRequest:
    """The player at `seat` would like to go back to `turn`, before their last action; those at `agreed` have said yes."""

    seat: int
    turn: int
    agreed: frozenset[int] = frozenset()

    def open_to(self, people: Iterable[int]) -> tuple[int, ...]:
        """Of the seats at which people play, those that have yet to answer."""
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
