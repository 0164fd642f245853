"""Validate untrusted plain values: each function returns the value with its proper type or raises `RecordError`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tamaya.rules import Message, RecordError, say
from tamaya.rules.message import half_character

MAX_NAME_LENGTH = 40
MAX_BOT_LENGTH = 100
MAX_TURNS = 1000


def field_error(what: str, expected: Message | str) -> RecordError:
    """The error for an invalid part of a record."""
    return RecordError(
        "malformed_record", say("The record is damaged: “{what}” should be {wanted}.", what=what[:40], wanted=expected)
    )


def require_whole_characters(values: object) -> None:
    """Refuse plain values with half a character (a lone surrogate) in one of their strings."""
    waiting = [values]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str) and (problem := half_character(value)):
            raise RecordError("half_character", problem)
        if isinstance(value, dict):
            waiting += [*value, *value.values()]
        elif isinstance(value, list):
            waiting += value


def mapping(value: object, what: str) -> Mapping[str, Any]:
    """A JSON object."""
    if not isinstance(value, dict):
        raise field_error(what, say("an object with named parts"))
    return value


def sequence(value: object, what: str) -> list[Any]:
    """A JSON array."""
    if not isinstance(value, list):
        raise field_error(what, say("a list"))
    return value


def integer(value: object, what: str, least: int, most: int) -> int:
    """An integer within bounds."""
    if type(value) is not int or not least <= value <= most:
        raise field_error(what, say("a whole number from {least} to {most}", least=least, most=most))
    return value


def names(value: object, players: int | None = None) -> tuple[str, ...]:
    """The players' names: two to five, or as many as the rules require."""
    found = sequence(value, "players")
    least, most = (2, 5) if players is None else (players, players)
    if not least <= len(found) <= most:
        raise RecordError(
            "wrong_players",
            say(
                "Players named in the record: {found}; it needs from {least} to {most}.",
                found=len(found),
                least=least,
                most=most,
            ),
        )
    for name in found:
        if not is_name(name):
            raise field_error(
                "players", say("a list of names with 1 to {most} printable characters each", most=MAX_NAME_LENGTH)
            )
    return tuple(found)


def is_name(name: object, max_length: int = MAX_NAME_LENGTH) -> bool:
    """Whether a value can be a player's name."""
    return isinstance(name, str) and 0 < len(name) <= max_length and name.isprintable() and not name.isspace()
