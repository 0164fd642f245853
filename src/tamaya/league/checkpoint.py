"""Checkpoint file of a league: an interrupted league resumes where it stopped.

The first line names the matches and the version of the code that plays them; each completed chunk appends a line. A last
line that is incomplete is ignored.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO

from tamaya.league.matches import Chunk, Match, fingerprint
from tamaya.league.play import ChunkResult
from tamaya.league.statistics import Totals
from tamaya.rules import IllegalError, MalformedError, TamayaError, say

FORMAT = 1
DIGITS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SCORES = bytes(range(len(DIGITS)))
"""Scores are written as one base-36 digit each."""
WRITTEN, READ = bytes.maketrans(SCORES, DIGITS), bytes.maketrans(DIGITS, SCORES)


class Checkpoint:
    """The completed chunks of some matches, in a file that is locked until `close`: a second program is refused."""

    def __init__(self, path: Path, matches: Iterable[Match]) -> None:
        self.path = path
        self._indices = {match: index for index, match in enumerate(matches)}
        self._completed: list[dict[int, ChunkResult]] = [{} for _ in self._indices]
        with readable_file_errors(path):
            self._file = path.open("a+b", buffering=0)
            try:
                _lock(self._file, path)
                self._read()
            except BaseException:
                self._file.close()
                raise

    def completed_chunks(self, match: Match) -> Mapping[int, ChunkResult]:
        """Return the chunks of a match that the file held when it was opened, by the number of their first game."""
        return self._completed[self._indices[match]]

    def add(self, chunk: Chunk, played: ChunkResult) -> None:
        """Append a completed chunk, in one write."""
        line = {
            "run": self._indices[chunk.match],
            "first": chunk.first,
            "lost": played.totals.lost,
            "moves": played.totals.moves,
            "nanoseconds": played.nanoseconds,
            "scores": as_digits(played.scores),
        }
        with readable_file_errors(self.path):
            self._file.write(_line(line))

    def close(self) -> None:
        """Close and unlock the file."""
        self._file.close()

    def _read(self) -> None:
        self._file.seek(0)
        text, head = self._file.read(), _line(_head(self._indices))
        if head.startswith(text):  # a new file, or one whose first line is incomplete
            self._file.truncate(0)
            self._file.write(head)
            return
        first, *lines = text.splitlines(keepends=True)
        _check_head(first, head, self.path)
        if lines and not lines[-1].endswith(b"\n"):
            self._file.truncate(len(text) - len(lines.pop()))
        for number, line in enumerate(lines, start=2):
            try:
                self._load(json.loads(line))
            except (ValueError, KeyError, TypeError, IndexError, AttributeError):
                message = say("{name} is damaged in line {line}; remove it, or choose another name.",
                              name=str(self.path), line=number)  # fmt: skip
                raise MalformedError("damaged_file", message) from None

    def _load(self, line: dict[str, Any]) -> None:
        match, completed = list(self._indices)[line["run"]], self._completed[line["run"]]
        scores = from_digits(line["scores"])
        figures = [line[name] for name in ("run", "first", "lost", "moves", "nanoseconds")]
        if any(type(figure) is not int or figure < 0 for figure in figures) or not scores or max(scores) > match.rules.maximum:
            raise ValueError
        _, first, lost, moves, nanoseconds = figures
        if first + len(scores) > match.games or first in completed:
            raise ValueError
        histogram = tuple(map(scores.count, range(match.rules.maximum + 1)))
        completed[first] = ChunkResult(Totals(histogram, lost, moves), nanoseconds, scores)


def as_digits(scores: bytes) -> str:
    """Encode scores, one character each."""
    return scores.translate(WRITTEN).decode("ascii")


def from_digits(text: str) -> bytes:
    """Decode scores of `as_digits`."""
    return text.encode("ascii").translate(READ)


def _line(content: dict[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode() + b"\n"


def _head(matches: Collection[Match]) -> dict[str, Any]:
    listed = [{"bot": match.bot, "rules": str(match.rules), "seed": match.seed, "games": match.games} for match in matches]
    sources = fingerprint(match.bot for match in matches)
    return {"league": FORMAT, "tamaya": version("tamaya"), "sources": sources, "runs": listed}


def _check_head(found: bytes, wanted: bytes, path: Path) -> None:
    """Refuse the file of another league; the message names what differs."""
    if found == wanted:
        return
    here = json.loads(wanted)
    try:
        there = json.loads(found)
        facts = _facts(there)
        kept_by = _version(there)
    except (ValueError, KeyError, TypeError):
        message = say("{name} is no file that a league has kept; choose another name.", name=str(path))
        raise MalformedError("no_kept_file", message) from None
    for option, now in _facts(here).items():
        if facts[option] != now:
            message = say("{name} was kept by a run with {option} {there}, and this one has {option} {here}; "
                          "ask for the same, or choose another name.",
                          name=str(path), option=option, there=facts[option], here=now)  # fmt: skip
            raise IllegalError("other_run", message)
    message = say("{name} was kept by another version of Tamaya or of a bot, {there}, and this is {here}; "
                  "choose another name.", name=str(path), there=kept_by, here=_version(here))  # fmt: skip
    raise IllegalError("other_version", message)


def _version(head: dict[str, Any]) -> str:
    return f"{head['tamaya']} ({head['sources'][:8]})"


def _facts(head: dict[str, Any]) -> dict[str, str]:
    """Return the options of the command line that name these matches, with their values."""
    runs = head["runs"]
    rules = [run["rules"].partition(" ") for run in runs]
    return {
        "BOT": _listed(run["bot"] for run in runs),
        "--players": _listed(players.removeprefix("players=") for players, _, _ in rules),
        "--games": _listed(run["games"] for run in runs),
        "--seed": _listed(run["seed"] for run in runs),
        "--set": _listed(others or "-" for _, _, others in rules),
    }


def _listed(values: Iterable[object]) -> str:
    return ",".join(dict.fromkeys(map(str, values)))[:200]


def _lock(file: BinaryIO, path: Path) -> None:
    """Lock a file against other programs, where the system supports it."""
    with suppress(ImportError):
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = say("{name} is being written by another run; choose another name.", name=str(path))
            raise IllegalError("file_in_use", message) from None


@contextmanager
def readable_file_errors(path: Path) -> Iterator[None]:
    """Turn errors of reading or writing a file into an `IllegalError` that names the file and the reason."""
    try:
        yield
    except TamayaError:
        raise
    except (OSError, ValueError) as problem:
        reason = (getattr(problem, "strerror", None) or str(problem)).rstrip(".")
        message = say("{name} cannot be written: {reason}.", name=str(path), reason=reason)
        raise IllegalError("cannot_write", message) from None
