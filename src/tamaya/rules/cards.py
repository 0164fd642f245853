"""Colours, values and cards, and the short text form of a card (``R3``)."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from tamaya.rules.errors import MalformedError
from tamaya.rules.message import Message, say, say_in

VALUES = (1, 2, 3, 4, 5)
COPIES = (3, 2, 2, 2, 1)


class Colour(StrEnum):
    """The colours, in the order in which research environments number them (red, yellow, green, white, blue)."""

    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    WHITE = "white"
    BLUE = "blue"
    MULTICOLOUR = "multicolour"

    @property
    def letter(self) -> str:
        """The initial that stands for the colour in records and in English."""
        return self.value[0].upper()

    @property
    def word(self) -> Message:
        """The colour's name, for translation."""
        return _WORDS[self]


_WORDS = {
    Colour.RED: say_in("colour", "red"),
    Colour.YELLOW: say_in("colour", "yellow"),
    Colour.GREEN: say_in("colour", "green"),
    Colour.WHITE: say_in("colour", "white"),
    Colour.BLUE: say_in("colour", "blue"),
    Colour.MULTICOLOUR: say_in("colour", "multicolour"),
}
BASE_COLOURS = tuple(colour for colour in Colour if colour is not Colour.MULTICOLOUR)
_BY_NAME = {name: colour for colour in Colour for name in (colour.value, colour.letter.lower())}


def read_colour(text: str) -> Colour | None:
    """The colour of an English name or letter in any case; None for anything else."""
    return _BY_NAME.get(text.lower())


class Card(NamedTuple):
    """What is printed on a card."""

    colour: Colour
    value: int

    def __str__(self) -> str:
        return f"{self.colour.letter}{self.value}"

    @property
    def word(self) -> Message:
        """The card's name, for translation."""
        return say_in("card", "{colour} {value}", colour=self.colour.word, value=self.value)


def read_card(text: str) -> Card:
    """Parse a card such as ``R3``: a letter and a value."""
    text = str(text)
    colour = read_colour(text[:1])
    if colour is None or text[1:] not in ("1", "2", "3", "4", "5"):
        raise MalformedError(
            "malformed_card",
            say("“{text}” is not a card; write one of R, Y, G, W, B, M and a value from 1 to 5, such as R3.", text=text[:20]),
        )
    return Card(colour, int(text[1:]))
