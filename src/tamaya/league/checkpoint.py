"""What is done of a league, kept in a file while it is played, so that one that was cut off can go on.

The file begins with a line that says which runs it is for and what plays them; then comes a line for each chunk, appended when
it is done. A last line that was not written to its end is as good as none.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO

from tamaya.league.matches import Chunk, Run, fingerprint
from tamaya.league.play import ChunkResult
from tamaya.league.statistics import Totals
from tamaya.rules import IllegalError, MalformedError, TamayaError, say

FORMAT = 1
DIGITS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SCORES = bytes(range(len(DIGITS)))
"""One character a score, as in the number system with so many digits."""
WRITTEN, READ = bytes.maketrans(SCORES, DIGITS), bytes.maketrans(DIGITS, SCORES)


class Kept:
    """A file of what is done. It is the program's that has it open: a second one is refused. Close it in the end."""

    def __init__(self, path: Path, runs: Iterable[Run]) -> None:
        self.path = path
        self._places = {run: place for place, run in enumerate(runs)}
        self._pieces: list[dict[int, ChunkResult]] = [{} for _ in self._places]
        with told_in_words(path):
            self._file = path.open("a+b", buffering=0)
            try:
                _lock(self._file, path)
                self._read()
            except BaseException:
                self._file.close()
                raise

    def pieces(self, run: Run) -> Mapping[int, ChunkResult]:
        """The chunks of a run that were found done, by the number of their first game."""
        return self._pieces[self._places[run]]

    def add(self, chunk: Chunk, played: ChunkResult) -> None:
        """Write down a chunk that is done, in one piece."""
        line = {
            "run": self._places[chunk.run],
            "first": chunk.first,
            "lost": played.totals.lost,
            "moves": played.totals.moves,
            "nanoseconds": played.nanoseconds,
            "scores": as_digits(played.scores),
        }
        with told_in_words(self.path):
            self._file.write(_line(line))

    def close(self) -> None:
        """Let others have the file."""
        self._file.close()

    def _read(self) -> None:
        self._file.seek(0)
        text, head = self._file.read(), _line(_head(self._places))
        if head.startswith(text):  # a new file, or one whose first line was not finished
            self._file.truncate(0)
            self._file.write(head)
            return
        first, *lines = text.splitlines(keepends=True)
        _check_head(first, head, self.path)
        if lines and not lines[-1].endswith(b"\n"):
            self._file.truncate(len(text) - len(lines.pop()))
        for number, line in enumerate(lines, start=2):
            try:
                self._take(json.loads(line))
            except (ValueError, KeyError, TypeError, IndexError, AttributeError):
                message = say("{name} is damaged in line {line}; remove it, or choose another name.",
                              name=str(self.path), line=number)  # fmt: skip
                raise MalformedError("damaged_file", message) from None

    def _take(self, line: dict[str, Any]) -> None:
        run, pieces = list(self._places)[line["run"]], self._pieces[line["run"]]
        scores = from_digits(line["scores"])
        figures = [line[name] for name in ("run", "first", "lost", "moves", "nanoseconds")]
        if any(type(figure) is not int or figure < 0 for figure in figures) or not scores or max(scores) > run.rules.maximum:
            raise ValueError
        _, first, lost, moves, nanoseconds = figures
        if first + len(scores) > run.games or first in pieces:
            raise ValueError
        histogram = tuple(map(scores.count, range(run.rules.maximum + 1)))
        pieces[first] = ChunkResult(Totals(histogram, lost, moves), nanoseconds, scores)


def as_digits(scores: bytes) -> str:
    """Scores as text, a character each."""
    return scores.translate(WRITTEN).decode("ascii")


def from_digits(text: str) -> bytes:
    """Scores that were written so."""
    return text.encode("ascii").translate(READ)


def _line(content: dict[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode() + b"\n"


def _head(runs: Iterable[Run]) -> dict[str, Any]:
    listed = [{"bot": run.bot, "rules": str(run.rules), "seed": run.seed, "games": run.games} for run in runs]
    return {"league": FORMAT, "tamaya": version("tamaya"), "sources": fingerprint(run.bot for run in runs), "runs": listed}


def _check_head(found: bytes, wanted: bytes, path: Path) -> None:
    """Refuse the file of another league, and say in what it differs."""
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
    """What runs were asked for, by the options that ask for it."""
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
    """Keep other programs off a file, where the system can."""
    with suppress(ImportError):
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = say("{name} is being written by another run; choose another name.", name=str(path))
            raise IllegalError("file_in_use", message) from None


@contextmanager
def told_in_words(path: Path) -> Iterator[None]:
    """Let what goes wrong with a file end in a message that names it."""
    try:
        yield
    except TamayaError:
        raise
    except (OSError, ValueError) as problem:
        reason = (getattr(problem, "strerror", None) or str(problem)).rstrip(".")
        message = say("{name} cannot be written: {reason}.", name=str(path), reason=reason)
        raise IllegalError("cannot_write", message) from None
