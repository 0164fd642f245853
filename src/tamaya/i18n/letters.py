"""One letter for each colour in each language; no two colours share a letter."""

from __future__ import annotations

from collections.abc import Mapping

from tamaya.rules import Colour, Message, say_in

LETTERS: Mapping[Colour, Message] = {
    Colour.RED: say_in("letter on a red card", "R"),
    Colour.YELLOW: say_in("letter on a yellow card", "Y"),
    Colour.GREEN: say_in("letter on a green card", "G"),
    Colour.WHITE: say_in("letter on a white card", "W"),
    Colour.BLUE: say_in("letter on a blue card", "B"),
    Colour.MULTICOLOUR: say_in("letter on a multicolour card", "M"),
}
