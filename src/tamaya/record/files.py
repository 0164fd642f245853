"""Files of games: our own, Hanab Live's JSON or link, or one JSON object a line, told apart by what is in them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tamaya.record import hanablive, link, own
from tamaya.record.checks import mapping
from tamaya.record.record import Replay
from tamaya.rules import MalformedError, Message, RecordError, say
from tamaya.rules.message import printable


@dataclass(frozen=True)
class Entry:
    """One game of a file: its id, what it should come to, and the game played again or why it cannot be."""

    id: str
    expected: Mapping[str, Any]
    replay: Replay | None
    error: RecordError | None


def from_json(data: object) -> Replay:
    """Play a game again from plain values in our own or Hanab Live's form."""
    if isinstance(data, dict) and "format" in data:
        return own.from_json(data)
    if isinstance(data, dict) and "deck" in data and "actions" in data:
        return hanablive.from_json(data)
    raise _unknown_format()


def _unknown_format() -> RecordError:
    return RecordError(
        "unknown_format", say("This is no record: it is neither Tamaya's own format nor Hanab Live's JSON or link.")
    )


def from_text(text: str) -> Replay:
    """Play the one game again that a text holds; of a damaged one, the part before the damage."""
    if not text.lstrip().startswith(("{", "[")):
        if text.count(",") != 2:
            raise _unknown_format()
        return link.read(text)
    try:
        return from_json(_parsed(text))
    except json.JSONDecodeError as problem:
        rest = _before_damage(text, problem.pos)
        if rest is None:
            raise RecordError("malformed_json", _where(problem)) from None
        result = from_json(rest)
        place = len(result.record.moves) + 1
        damage = RecordError("malformed_json", say("Move {place}: {problem}", place=place, problem=_where(problem)))
        return replace(result, error=result.error or damage)


def read_file(path: Path) -> Iterator[Entry]:
    """The games of a file, one after the other; ``-`` is the standard input."""
    try:
        text = _text_of(path)
    except RecordError as error:
        yield Entry(path.name or str(path), {}, None, error)
        return
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > 1 and not _is_whole(text) and _is_a_game_a_line(lines):
        for place, line in enumerate(lines, start=1):
            yield _entry(f"{path.name}:{place}", line)
    else:
        yield _entry(path.name, text)


def _text_of(path: Path) -> str:
    name = path.name or str(path)
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text("utf-8-sig")
    except FileNotFoundError:
        raise RecordError("no_file", say("There is no file {name}.", name=name)) from None
    except IsADirectoryError:
        raise RecordError("a_folder", say("{name} is a folder; name the files in it.", name=name)) from None
    except (OSError, ValueError):
        raise RecordError("unreadable_file", say("The file {name} cannot be read as text.", name=name)) from None
    if not text.strip():
        raise RecordError("empty_file", say("The file {name} is empty.", name=name))
    return text


def _is_whole(text: str) -> bool:
    try:
        _parsed(text)
    except json.JSONDecodeError:
        return False
    return True


def _is_a_game_a_line(lines: list[str]) -> bool:
    """JSON Lines or a list of links; a single record spread over lines has no line that is whole in itself."""
    return not lines[0].startswith("{") or any(line.startswith("{") and line.rstrip().endswith("}") for line in lines)


def _entry(name: str, text: str) -> Entry:
    expected: Mapping[str, Any] = {}
    try:
        wrapped = _wrapped(text)
        if wrapped is None:
            result = from_text(text)
        else:
            name = printable(str(wrapped.get("id", name)))
            expected = mapping(wrapped.get("expected", {}), "expected")
            result = from_json(wrapped["game"])
    except MalformedError as problem:
        return Entry(name, expected, None, RecordError(problem.code, problem.message))
    return Entry(name, expected, result, result.error)


def _wrapped(text: str) -> Mapping[str, Any] | None:
    """The object around a game that gives its id and what it should come to, if there is one."""
    try:
        data = _parsed(text) if text.lstrip().startswith("{") else None
    except json.JSONDecodeError:
        return None
    return data if isinstance(data, dict) and "game" in data else None


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except (ValueError, RecursionError):
        raise json.JSONDecodeError("beyond all bounds", text, 0) from None


def _before_damage(text: str, position: int) -> object:
    """The record that ends before the damage, if its head is whole; its moves are its last part."""
    cut = position
    for _ in range(4):
        for closing in ("}", "]}"):
            try:
                rest = _parsed(text[:cut].rstrip() + closing)
            except json.JSONDecodeError:
                continue
            if isinstance(rest, dict) and ("moves" in rest or {"actions", "options"} <= set(rest)):
                return rest
        cut = text.rfind(",", 0, cut)
        if cut < 0:
            break
    return None


def _where(problem: json.JSONDecodeError) -> Message:
    return say("The file is damaged in line {line}, column {column}.", line=problem.lineno, column=problem.colno)
