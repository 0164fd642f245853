"""Players' names in sentences of bots, which know only seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tamaya.i18n.second_person import TO_READER
from tamaya.rules import Message, say
from tamaya.rules.message import Value, quote


def player_at(seat: int) -> Message:
    """A player whose name is not known, for `with_names` to fill in where it is."""
    return say("player {seat}", seat=seat + 1)


def with_names(message: Message, names: Sequence[str], reader: int | None = None) -> Message:
    """The sentence with a name (`names` are in the order of the seats) wherever it calls a player by seat; to the reader it
    says you where it can."""
    said = _to_reader(message, reader)
    return replace(said, values={key: _named(value, names, reader) for key, value in message.values.items()})


def _to_reader(message: Message, reader: int | None) -> Message:
    if reader is None:
        return message
    you = player_at(reader)
    found = (TO_READER.get((message.text, key)) for key, value in message.values.items() if value == you)
    return next(filter(None, found), message)


def _named(value: Value, names: Sequence[str], reader: int | None) -> Value:
    if isinstance(value, tuple):
        return tuple(_named(part, names, reader) for part in value)  # type: ignore[return-value]
    if not isinstance(value, Message):
        return value
    known = (quote(name) for seat, name in enumerate(names) if name and value == player_at(seat))
    return next(known, None) or with_names(value, names, reader)
