"""Validate values from outside: numbers in text, arguments of programs."""

from __future__ import annotations

from operator import index
from typing import SupportsIndex

from tamaya.rules.errors import MalformedError
from tamaya.rules.message import say
from tamaya.rules.ruleset import Rules

MAX_QUOTED = 40
"""The characters of an invalid value that a message quotes."""


def read_number(text: str, digits: int = 2) -> int | None:
    """Parse a number of at most `digits` plain digits; None for any other text.

    Numbers in requests and files are parsed here: `int` alone accepts digits of every script, signs and underscores, and
    fails on a very long number.
    """
    return int(text) if len(text) <= digits and text.isascii() and text.isdigit() else None


def checked_integer(name: str, number: object, least: int, most: int | None = None) -> int:
    """Return an integer in a range; raise `MalformedError` for anything else."""
    if isinstance(number, SupportsIndex) and not isinstance(number, bool):
        found = index(number)
        if least <= found and (most is None or found <= most):
            return found
    given = repr(number)[:MAX_QUOTED]
    if most is None:
        wrong = say("{name} must be a whole number from {least} on, not {given}.", name=name, least=least, given=given)
    else:
        wrong = say(
            "{name} must be a whole number from {least} to {most}, not {given}.", name=name, least=least, most=most, given=given
        )
    raise MalformedError("bad_number", wrong)


def checked_rules(given: object) -> Rules:
    """Return rules, the standard ones for None; raise `MalformedError` for anything else."""
    if given is None or isinstance(given, Rules):
        return given or Rules()
    raise MalformedError(
        "bad_rules",
        say(
            "Rules are made by {one} or {other}; this is {given}.",
            one="Rules(players=3)",
            other='read_rules("french players=3")',
            given=repr(given)[:MAX_QUOTED],
        ),
    )
