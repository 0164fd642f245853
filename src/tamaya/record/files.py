"""Files of games: our own, Hanab Live's JSON or link, or one JSON object a line, told apart by what is in them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tamaya.record import hanablive, link, native
from tamaya.record.checks import mapping
from tamaya.record.record import Replay
from tamaya.record.salvage import before_damage, parse_json
from tamaya.rules import MalformedError, Message, RecordError, say
from tamaya.rules.message import printable

# A damaged game without these parts is not replayed, because its rules would be a guess.
WHOLE_HEADS = ({*native.KEYS} - {*native.OPTIONAL}, {"players", "deck", "options", "actions"})

LONGEST_RECORD = 250_000
"""How many characters the text of one game has at most: several times as many as any that can be played here."""


@dataclass(frozen=True)
class Entry:
    """One game of a file: its id, the result it should have, and its replay or why it has none."""

    id: str
    expected: Mapping[str, Any]
    replay: Replay | None
    error: RecordError | None


def from_json(data: object, cut: bool = False) -> Replay:
    """Replay a game from plain values in our own format or Hanab Live's; `cut` says that moves may be missing."""
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
    _require_short(text)
    if text.lstrip().startswith(("{", "[")):
        return _replay_of(*_read(text))
    link.refuse_a_number(text)
    if text.lstrip().startswith("http") or text.count(",") in (1, 2):
        return link.read(text)
    raise _unknown_format()


def _require_short(text: str) -> None:
    if len(text) > LONGEST_RECORD:
        raise RecordError("too_long", say("The record of a game has at most {most} characters.", most=LONGEST_RECORD))


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
    """The games of a file, one after the other; ``-`` is the standard input."""
    try:
        text = _text_of(path)
    except RecordError as error:
        yield Entry(path.name or str(path), {}, None, error)
        return
    yield from read_games(text, path.name)


def read_games(text: str, name: str) -> Iterator[Entry]:
    """The games of a text that is called `name`, one after the other."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > 1 and _read(text)[1] is not None and _is_a_game_a_line(lines):
        for place, line in enumerate(lines, start=1):
            yield _entry(f"{name}:{place}", line)
    else:
        yield _entry(name, text)


def _text_of(path: Path) -> str:
    name = path.name or str(path)
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text("utf-8-sig", errors="replace")
    except FileNotFoundError:
        raise RecordError("no_file", say("There is no file {name}.", name=name)) from None
    except IsADirectoryError:
        raise RecordError("a_folder", say("{name} is a folder; name the files in it.", name=name)) from None
    except (OSError, ValueError):
        raise RecordError("unreadable_file", say("The file {name} cannot be read as text.", name=name)) from None
    if not text.strip():
        raise RecordError("empty_file", say("The file {name} is empty.", name=name))
    return text


def _is_a_game_a_line(lines: list[str]) -> bool:
    """JSON Lines or a list of links; a single record spread over lines has no first line that is whole in itself."""
    if not lines[0].lstrip().startswith(("{", "[")):
        return True
    return any(line.startswith("{") and _read(line)[1] is None for line in lines[:2])


def _entry(name: str, text: str) -> Entry:
    expected: Mapping[str, Any] = {}
    try:
        _require_short(text)
        if text.lstrip().startswith("{"):
            data, damage = _read(text)
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
