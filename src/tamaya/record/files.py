"""Files of games: our own, Hanab Live's JSON or link, or one JSON object a line, told apart by what is in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from tamaya.record import hanablive, link, native
from tamaya.record.checks import mapping, require_whole_characters
from tamaya.record.pieces import LONGEST_RECORD, lines_of, pieces_of_file, pieces_of_text, require_readable
from tamaya.record.record import Replay
from tamaya.record.salvage import before_damage, parse_json
from tamaya.rules import MalformedError, Message, RecordError, say
from tamaya.rules.message import printable

# A damaged game without these parts is not replayed, because its rules would be a guess.
WHOLE_HEADS = ({*native.KEYS} - {*native.OPTIONAL}, {"players", "deck", "options", "actions"})


@dataclass(frozen=True)
class Entry:
    """One game of a file: its id, the result it should have, and its replay or why it has none."""

    id: str
    expected: Mapping[str, Any]
    replay: Replay | None
    error: RecordError | None


def from_json(data: object, cut: bool = False) -> Replay:
    """Replay a game from plain values in our own format or Hanab Live's; `cut` says that moves may be missing."""
    require_whole_characters(data)
    if isinstance(data, dict) and "format" in data:
        return native.from_json(data, cut)
    if isinstance(data, dict) and "deck" in data and "actions" in data:
        return hanablive.from_json(data)
    raise _unknown_format()


def _unknown_format() -> RecordError:
    return RecordError(
        "unknown_format", say("This is no record: it is neither Tamaya's own format nor Hanab Live's JSON or link.")
    )


def from_text(text: str) -> Replay:
    """Replay the one game in a text; if the text is damaged, the part before the damage."""
    require_readable(text)
    if text.lstrip().startswith(("{", "[")):
        return _replay_of(*_read(text))
    link.refuse_a_number(text)
    if text.lstrip().startswith("http") or text.count(",") in (1, 2, 3):
        return link.read(text)
    raise _unknown_format()


def _read(text: str) -> tuple[object, Message | None]:
    """The values of a text and what is damaged in it; of a damaged text, what is whole before the damage."""
    try:
        return parse_json(text), None
    except json.JSONDecodeError as problem:
        where = say("The file is damaged in line {line}, column {column}.", line=problem.lineno, column=problem.colno)
        return before_damage(text), where


def _replay_of(data: object, damage: Message | None) -> Replay:
    if damage is None:
        return from_json(data)
    if not isinstance(data, dict) or not any(head <= set(data) for head in WHOLE_HEADS):
        has_moves = isinstance(data, dict) and "actions" in data
        raise RecordError("malformed_json", _without_rules(damage) if has_moves else damage)
    result = from_json(data, cut=True)
    message = say("Move {place}: {problem}", place=len(result.record.moves) + 1, problem=damage)
    return replace(result, error=result.error or RecordError("malformed_json", message))


def _without_rules(damage: Message) -> Message:
    return say("{problem} What is left does not say which variant was played, so it cannot be replayed.", problem=damage)


def read_file(path: Path) -> Iterator[Entry]:
    """The games of a file, one after the other, however many; ``-`` is the standard input."""
    try:
        yield from _games(pieces_of_file(path), path.name)
    except RecordError as error:  # games have theirs in their entries: this one is the file's
        yield Entry(path.name or str(path), {}, None, error)


def read_games(text: str, name: str) -> Iterator[Entry]:
    """The games of a text that is called `name`, one after the other."""
    return _games(pieces_of_text(text), name)


def _games(pieces: Iterator[str], name: str) -> Iterator[Entry]:
    head = next(pieces)
    lines = lines_of(head, pieces)
    first = list(islice(lines, 2))
    if len(first) > 1 and not _is_whole(head) and _is_a_game_a_line(first):
        for place, line in enumerate(chain(first, lines), start=1):
            yield _entry(f"{name}:{place}", line)
    else:
        yield _entry(name, head)


def _is_a_game_a_line(first: Sequence[str]) -> bool:
    """JSON Lines or a list of links, by the first lines; a single record spread over lines has none that is whole in itself."""
    if not first[0].lstrip().startswith(("{", "[")):
        return True
    return any(line.startswith("{") and _is_whole(line) for line in first)


def _is_whole(text: str) -> bool:
    """Whether a text that one game can have is JSON without damage."""
    return len(text) <= LONGEST_RECORD and _read(text)[1] is None


def _entry(name: str, text: str) -> Entry:
    expected: Mapping[str, Any] = {}
    try:
        require_readable(text)
        if text.lstrip().startswith("{"):
            data, damage = _read(text)
            require_whole_characters(data)
            if isinstance(data, dict) and "game" in data:
                name = printable(str(data.get("id", name)))
                expected = mapping(data.get("expected", {}), "expected")
                data = data["game"]
            result = _replay_of(data, damage)
        else:
            result = from_text(text)
    except MalformedError as problem:
        return Entry(name, expected, None, RecordError(problem.code, problem.message))
    return Entry(name, expected, result, result.error)
