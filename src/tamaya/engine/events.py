"""Events of a game (clue, play, discard, rearrangement) as every player saw them, and their conversion to plain values.

An event never contains a card that a player may not see.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any

from tamaya.rules import Card, Clue, Colour, Discard, Play, Rules


@dataclass(frozen=True, slots=True)
class Clued:
    """A clue was given; `slots` and `numbers` are those of the cards it touched."""

    turn: int
    seat: int
    target: int
    hint: Colour | int
    slots: tuple[int, ...]
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A card was played and either placed or, as mistake number `mistakes`, discarded.

    `gained` clue tokens were regained; `drew` is the number of the card drawn as a replacement, if any.
    """

    turn: int
    seat: int
    slot: int
    number: int
    card: Card
    announced: Colour | None
    placed: bool
    gained: int
    mistakes: int
    drew: int | None


@dataclass(frozen=True, slots=True)
class Discarded:
    """A card was discarded."""

    turn: int
    seat: int
    slot: int
    number: int
    card: Card
    gained: int
    drew: int | None


@dataclass(frozen=True, slots=True)
class Arranged:
    """A player rearranged their hand; the fields are those of `tamaya.rules.Arrange`."""

    turn: int
    seat: int
    order: tuple[int, ...]
    turned: tuple[int, ...]


Event = Clued | Played | Discarded | Arranged


def plain(value: Any) -> Any:
    """Convert a value to dictionaries, lists, strings and numbers.

    Cards and actions become their short text form; events carry their kind as ``"event"``.
    """
    match value:
        case Rules():
            return plain(value.to_json())
        case Card() | Clue() | Play() | Discard():
            return str(value)
        case Enum():
            return plain(value.name.lower() if isinstance(value, int) else value.value)
        case Mapping():
            return {str(plain(key)): plain(item) for key, item in value.items()}
        case tuple() | list():
            return [plain(item) for item in value]
        case _ if is_dataclass(value):
            kind = {"event": type(value).__name__.lower()} if isinstance(value, Event) else {}
            return kind | {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return value
