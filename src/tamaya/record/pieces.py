"""Texts of games in pieces: however long a file or a line is, no more of it is held than one game can have."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from io import StringIO
from pathlib import Path
from typing import TextIO

from tamaya.record.checks import require_whole_characters
from tamaya.rules import RecordError, say

LONGEST_RECORD = 250_000
"""How many characters the text of one game has at most: several times as many as any that can be played here."""
MOST_SKIPPED = 1000
"""How many pieces of a line that is too long are passed over before the rest of the file is given up."""


def require_readable(text: str) -> None:
    """Refuse a text that is longer than one game can be or holds half a character, before anything is read out of it."""
    if len(text) > LONGEST_RECORD:
        raise _too_long()
    require_whole_characters(text)


def _too_long() -> RecordError:
    return RecordError("too_long", say("The record of a game has at most {most} characters.", most=LONGEST_RECORD))


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
    """The pieces of a text that is here already."""
    return _pieces(StringIO(text))


def _pieces(file: TextIO) -> Iterator[str]:
    """First the whole, or of a longer text one character more than a game has; then what is left of each line, again no more at
    a time."""
    head = file.read(LONGEST_RECORD + 1)
    yield head
    while len(head) > LONGEST_RECORD and (piece := file.readline(LONGEST_RECORD + 1)):
        yield piece


def lines_of(head: str, pieces: Iterator[str]) -> Iterator[str]:
    """The lines of a text that begins with `head` and goes on with these pieces, but for blank ones. Of a line that is too long
    for a game comes as much as shows it."""
    *whole, line = head.split("\n")
    yield from filter(str.strip, whole)
    skipped = 0
    for piece in pieces:
        if len(line) <= LONGEST_RECORD:
            line, skipped = line + piece.removesuffix("\n"), 0
        else:
            skipped += 1
        if skipped > MOST_SKIPPED:
            raise _too_long()
        if piece.endswith("\n"):
            yield from filter(str.strip, [line])
            line = ""
    yield from filter(str.strip, [line])
