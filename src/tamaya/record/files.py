"""Read files of saved games: our own format, Hanab Live's JSON or link, or one JSON object a line."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from io import StringIO
from itertools import chain, islice
from pathlib import Path
from typing import Any, TextIO

from tamaya.record import hanab_live, native
from tamaya.record.record import Replay
from tamaya.record.validation import mapping, require_whole_characters
from tamaya.rules import MalformedError, Message, RecordError, say
from tamaya.rules.message import printable

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")
LISTS, OBJECTS = ("moves", "actions"), ("game",)  # read item by item, so that the part before damage is kept


def parse_json(text: str) -> object:
    """Parse JSON; every failure is a ``json.JSONDecodeError``."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except (ValueError, RecursionError):
        raise json.JSONDecodeError("beyond all bounds", text, 0) from None


def before_damage(text: str) -> dict[str, Any]:
    """The fields of a damaged object that are whole, and of its list of moves those before the damage."""
    fields: dict[str, Any] = {}
    _object(text, _after_space(text, 0), fields)
    return fields


def _object(text: str, at: int, fields: dict[str, Any]) -> int | None:
    """Read the fields of the object at `at` into `fields`; return its end, None if it is damaged."""
    at = _after_space(text, at + 1)
    try:
        while text[at] == '"':
            key, at = _DECODER.raw_decode(text, at)
            at = _after_space(text, at)
            if text[at] != ":":
                return None
            end = _value(text, _after_space(text, at + 1), key, fields)
            if end is None:
                return None
            at = _after_space(text, end)
            if text[at] != ",":
                break
            at = _after_space(text, at + 1)
        return at + 1 if text[at] == "}" else None
    except (ValueError, IndexError, RecursionError):
        return None


def _value(text: str, at: int, key: str, fields: dict[str, Any]) -> int | None:
    if key in OBJECTS and text[at] == "{":
        return _object(text, at, fields.setdefault(key, {}))
    if key in LISTS and text[at] == "[":
        return _list(text, at, fields.setdefault(key, []))
    fields[key], end = _DECODER.raw_decode(text, at)
    return end


def _list(text: str, at: int, items: list[Any]) -> int | None:
    at = _after_space(text, at + 1)
    while text[at] != "]":
        item, at = _DECODER.raw_decode(text, at)
        items.append(item)
        at = _after_space(text, at)
        if text[at] not in ",]":
            return None
        if text[at] == ",":
            at = _after_space(text, at + 1)
    return at + 1


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


MAX_RECORD_LENGTH = 250_000
"""The characters of one game's text: several times the longest that can be played here."""
MAX_SKIPPED_PIECES = 1000
"""The pieces of an overlong line that are skipped before the rest of the file is given up."""


def require_readable(text: str) -> None:
    """Refuse a text that is too long for a game or holds half a character, before parsing it."""
    if len(text) > MAX_RECORD_LENGTH:
        raise _too_long_error()
    require_whole_characters(text)


def _too_long_error() -> RecordError:
    return RecordError("too_long", say("The record of a game has at most {most} characters.", most=MAX_RECORD_LENGTH))


def pieces_of_file(path: Path) -> Iterator[str]:
    """The pieces of a file; ``-`` is the standard input."""
    name = path.name or str(path)
    try:
        with _opened(path) as file:
            pieces = _pieces(file)
            head = next(pieces)
            if not head.strip():
                raise RecordError("empty_file", say("The file {name} is empty.", name=name))
            yield head
            yield from pieces
    except RecordError:
        raise
    except FileNotFoundError:
        raise RecordError("no_file", say("There is no file {name}.", name=name)) from None
    except IsADirectoryError:
        raise RecordError("a_folder", say("{name} is a folder; name the files in it.", name=name)) from None
    except (OSError, ValueError):
        raise RecordError("unreadable_file", say("The file {name} cannot be read as text.", name=name)) from None


def _opened(path: Path) -> AbstractContextManager[TextIO]:
    return nullcontext(sys.stdin) if str(path) == "-" else path.open(encoding="utf-8-sig", errors="replace")


def pieces_of_text(text: str) -> Iterator[str]:
    """The pieces of a text."""
    return _pieces(StringIO(text))


def _pieces(file: TextIO) -> Iterator[str]:
    """The whole text, or one character more than a game has of a longer one; then the rest of each line, in such pieces."""
    head = file.read(MAX_RECORD_LENGTH + 1)
    yield head
    while len(head) > MAX_RECORD_LENGTH and (piece := file.readline(MAX_RECORD_LENGTH + 1)):
        yield piece


def lines_of(head: str, pieces: Iterator[str]) -> Iterator[str]:
    """The lines of a text that begins with `head` and continues with `pieces`, except blank ones.

    An overlong line is cut, but stays too long for a game.
    """
    *whole, line = head.split("\n")
    yield from filter(str.strip, whole)
    skipped = 0
    for piece in pieces:
        if len(line) <= MAX_RECORD_LENGTH:
            line, skipped = line + piece.removesuffix("\n"), 0
        else:
            skipped += 1
        if skipped > MAX_SKIPPED_PIECES:
            raise _too_long_error()
        if piece.endswith("\n"):
            yield from filter(str.strip, [line])
            line = ""
    yield from filter(str.strip, [line])


# A damaged game without these fields is not replayed, because its rules would be a guess.
WHOLE_HEADS = ({*native.KEYS} - {*native.OPTIONAL}, {"players", "deck", "options", "actions"})


@dataclass(frozen=True)
class Entry:
    """One game of a file: its id, the expected result, and its replay or the reason why it has none."""

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
        return hanab_live.from_json(data)
    raise _unknown_format_error()


def _unknown_format_error() -> RecordError:
    return RecordError(
        "unknown_format", say("This is no record: it is neither Tamaya's own format nor Hanab Live's JSON or link.")
    )


def from_text(text: str) -> Replay:
    """Replay the one game in a text; if the text is damaged, the part before the damage."""
    require_readable(text)
    if text.lstrip().startswith(("{", "[")):
        return _replay_of(*_read(text))
    hanab_live.refuse_a_number(text)
    if text.lstrip().startswith("http") or text.count(",") in (1, 2, 3):
        return hanab_live.read_link(text)
    raise _unknown_format_error()


def _read(text: str) -> tuple[object, Message | None]:
    """The values of a text, and a message about damage; of a damaged text, the values before the damage."""
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
    """The games of a file of any size, one after the other; ``-`` is the standard input."""
    try:
        yield from _games(pieces_of_file(path), path.name)
    except RecordError as error:  # about the file: a game's error is in its entry
        yield Entry(path.name or str(path), {}, None, error)


def read_games(text: str, name: str) -> Iterator[Entry]:
    """The games of a text that is called `name`, one after the other."""
    return _games(pieces_of_text(text), name)


def _games(pieces: Iterator[str], name: str) -> Iterator[Entry]:
    head = next(pieces)
    lines = lines_of(head, pieces)
    first = list(islice(lines, 2))
    if len(first) > 1 and not _is_whole(head) and _has_one_game_per_line(first):
        for place, line in enumerate(chain(first, lines), start=1):
            yield _entry(f"{name}:{place}", line)
    else:
        yield _entry(name, head)


def _has_one_game_per_line(first: Sequence[str]) -> bool:
    """Whether the first lines are of JSON Lines or a list of links; no line of a single, indented record is whole JSON."""
    if not first[0].lstrip().startswith(("{", "[")):
        return True
    return any(line.startswith("{") and _is_whole(line) for line in first)


def _is_whole(text: str) -> bool:
    """Whether a text is short enough for a game and undamaged JSON."""
    return len(text) <= MAX_RECORD_LENGTH and _read(text)[1] is None


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
