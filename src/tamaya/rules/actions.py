"""Actions (clue, play, discard) and rearrangements: their text form and their numbers.

Seats and slots count from 0 in code and from 1 in text. Numbers are those of DeepMind's environment: discards, plays,
colour clues and value clues by distance to the receiver; announced plays, which it does not have, come last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from operator import index
from types import NoneType
from typing import NamedTuple, SupportsIndex

from tamaya.rules.cards import VALUES, Colour, read_colour
from tamaya.rules.errors import MalformedError, read_number
from tamaya.rules.message import say
from tamaya.rules.ruleset import Rules


@dataclass(frozen=True, slots=True)
class Clue:
    """Name one colour or one value to the teammate at `seat`."""

    seat: int
    hint: Colour | int

    def __post_init__(self) -> None:
        object.__setattr__(self, "seat", checked_index(self.seat))
        object.__setattr__(self, "hint", self.hint if isinstance(self.hint, Colour) else checked_index(self.hint))

    def __str__(self) -> str:
        return f"clue {self.seat + 1} {self.hint}"


@dataclass(frozen=True, slots=True)
class Play:
    """Play the card in a slot, with its colour announced where the rules allow that."""

    slot: int
    announced: Colour | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "slot", checked_index(self.slot))
        if not isinstance(self.announced, (Colour, NoneType)):
            raise _malformed_error(repr(self.announced))

    def __str__(self) -> str:
        return f"play {self.slot + 1}" + (f" as {self.announced}" if self.announced else "")


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard the card in a slot for a clue token."""

    slot: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "slot", checked_index(self.slot))

    def __str__(self) -> str:
        return f"discard {self.slot + 1}"


@dataclass(frozen=True, slots=True)
class Arrange:
    """Rearrange a hand: the old slot of each new one, and the new slots that lie sideways. It takes no turn."""

    seat: int
    order: tuple[int, ...]
    turned: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.order, Iterable) or not isinstance(self.turned, Iterable):
            raise _malformed_error(f"{self.order!r} {self.turned!r}")
        object.__setattr__(self, "seat", checked_index(self.seat))
        object.__setattr__(self, "order", tuple(map(checked_index, self.order)))
        object.__setattr__(self, "turned", tuple(sorted(set(map(checked_index, self.turned)))))

    def __str__(self) -> str:
        slots = (f"{old + 1}{'-' if new in self.turned else ''}" for new, old in enumerate(self.order))
        return f"arrange {self.seat + 1}: {' '.join(slots)}"


Action = Clue | Play | Discard
Move = Action | Arrange

MAX_MOVE_LENGTH = 100
"""The characters of a move, blanks included."""

_ACTION = re.compile(
    r"clue (?P<seat>\d{1,2}) (?P<hint>\w+)"
    r"|play (?P<play>\d{1,2})( as (?P<announced>\w+))?"
    r"|discard (?P<discard>\d{1,2})",
    re.ASCII | re.IGNORECASE,
)
_ARRANGE = re.compile(r"arrange (?P<seat>\d{1,2}): (?P<slots>\d{1,2}-?( \d{1,2}-?)*)", re.ASCII | re.IGNORECASE)


def _single_spaced(text: str) -> str:
    """The text with single blanks; empty for one that is longer than any move."""
    return " ".join(str(text).split()) if len(str(text)) <= MAX_MOVE_LENGTH else ""


def read_action(text: str) -> Action:
    """Parse an action such as ``clue 2 red``, ``play 1 as blue`` or ``discard 5``."""
    found = _ACTION.fullmatch(_single_spaced(text))
    if found is None:
        raise _malformed_error(text)
    if found["play"]:
        colour = read_colour(found["announced"]) if found["announced"] else None
        if found["announced"] and colour is None:
            raise _malformed_error(text)
        return Play(int(found["play"]) - 1, colour)
    if found["discard"]:
        return Discard(int(found["discard"]) - 1)
    value = read_number(found["hint"])
    hint = read_colour(found["hint"]) if value is None else value
    if hint is None:
        raise _malformed_error(text)
    return Clue(int(found["seat"]) - 1, hint)


def read_move(text: str) -> Move:
    """Parse an action or a rearrangement such as ``arrange 1: 2 1- 3``."""
    found = _ARRANGE.fullmatch(_single_spaced(text))
    if found is None:
        return read_action(text)
    slots = found["slots"].split()
    order = tuple(int(slot.rstrip("-")) - 1 for slot in slots)
    return Arrange(int(found["seat"]) - 1, order, tuple(i for i, slot in enumerate(slots) if slot.endswith("-")))


def checked_index(value: object) -> int:
    """Return any kind of integer (NumPy's too, but no bool) as an int; raise `MalformedError` for anything else."""
    if type(value) is int:
        return value
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        raise _malformed_error(repr(value))
    return index(value)


def _malformed_error(text: str) -> MalformedError:
    return MalformedError(
        "malformed_action",
        say(
            "“{text}” is not an action; write one such as: {examples}.",
            text=str(text)[:40],
            examples=("clue 2 red", "clue 3 4", "play 1", "play 1 as blue", "discard 5"),
        ),
    )


class Numbering(NamedTuple):
    """The first number of each kind of action; actions are numbered from 0 to below ``total``."""

    discard: int
    play: int
    colour: int
    value: int
    announce: int
    total: int


@lru_cache(maxsize=256)
def numbering(rules: Rules) -> Numbering:
    """The numbers of each kind of action under these rules."""
    others, hand = rules.players - 1, rules.hand_size
    colour = 2 * hand
    value = colour + others * len(rules.named_colours)
    announce = value + others * len(VALUES)
    return Numbering(0, hand, colour, value, announce, announce + rules.announced_plays * hand * len(rules.suits))


def number_of(action: Action, rules: Rules, seat: int) -> int | None:
    """The number of an action for the player at a seat; None if it does not exist under these rules."""
    blocks = numbering(rules)
    match action:
        case Discard(slot) if 0 <= slot < rules.hand_size:
            return blocks.discard + slot
        case Play(slot, None) if 0 <= slot < rules.hand_size:
            return blocks.play + slot
        case Play(slot, colour) if 0 <= slot < rules.hand_size and rules.announced_plays and colour in rules.suits:
            return blocks.announce + slot * len(rules.suits) + rules.suits.index(colour)
        case Clue(target, hint) if 0 <= target < rules.players and target != seat:
            distance = (target - seat) % rules.players - 1
            if isinstance(hint, Colour):
                if hint in rules.named_colours:
                    return blocks.colour + distance * len(rules.named_colours) + rules.named_colours.index(hint)
            elif hint in VALUES:
                return blocks.value + distance * len(VALUES) + hint - 1
    return None


def action_of(number: int, rules: Rules, seat: int) -> Action:
    """The action with this number for the player at a seat."""
    actions = all_actions(rules, seat)
    if type(number) is not int or not 0 <= number < len(actions):
        raise MalformedError(
            "malformed_action",
            say(
                "{number} is no action; actions are numbered from 0 to {last}.", number=str(number)[:20], last=len(actions) - 1
            ),
        )
    return actions[number]


@lru_cache(maxsize=1_000)
def all_actions(rules: Rules, seat: int) -> tuple[Action, ...]:
    """All actions in the order of their numbers, for the player at a seat."""
    slots, announced = range(rules.hand_size), rules.suits if rules.announced_plays else ()
    others = [(seat + 1 + distance) % rules.players for distance in range(rules.players - 1)]
    return (
        *(Discard(slot) for slot in slots),
        *(Play(slot) for slot in slots),
        *(Clue(other, colour) for other in others for colour in rules.named_colours),
        *(Clue(other, value) for other in others for value in VALUES),
        *(Play(slot, colour) for slot in slots for colour in announced),
    )
