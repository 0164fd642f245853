"""Checks of what a program asks for that need no NumPy."""

from __future__ import annotations

from operator import index
from typing import SupportsIndex

from tamaya.rules import MalformedError, Rules, say

SHOWN = 40


def whole(name: str, number: object, least: int, most: int | None = None) -> int:
    """A whole number in a range."""
    if isinstance(number, SupportsIndex) and not isinstance(number, bool):
        found = index(number)
        if least <= found and (most is None or found <= most):
            return found
    given = repr(number)[:SHOWN]
    if most is None:
        wrong = say("{name} must be a whole number from {least} on, not {given}.", name=name, least=least, given=given)
    else:
        wrong = say(
            "{name} must be a whole number from {least} to {most}, not {given}.", name=name, least=least, most=most, given=given
        )
    raise MalformedError("bad_number", wrong)


def rules(given: object) -> Rules:
    """Rules; the standard ones where none are given."""
    if given is None or isinstance(given, Rules):
        return given or Rules()
    raise MalformedError(
        "bad_rules",
        say(
            "Rules are made by {one} or {other}; this is {given}.",
            one="Rules(players=3)",
            other='read_rules("french players=3")',
            given=repr(given)[:SHOWN],
        ),
    )
