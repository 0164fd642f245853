"""What happened, as everyone at the table saw it. An event never tells the face of a card that somebody may not see."""

from __future__ import annotations

from dataclasses import dataclass

from tamaya.rules import Card, Colour


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
    """A card was played and either placed or, as mistake number `mistakes`, thrown away.

    `gained` clue tokens came back; `drew` is the number of the card drawn for it, if one was.
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
    """A player laid the hand out anew; the fields are those of `tamaya.rules.Arrange`."""

    turn: int
    seat: int
    order: tuple[int, ...]
    turned: tuple[int, ...]


Event = Clued | Played | Discarded | Arranged
