"""Play matches on workers: the results, and files of the games."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tamaya.league.checkpoint import Checkpoint, readable_file_errors
from tamaya.league.matches import Match, chunks_of
from tamaya.league.play import ChunkResult, play_chunk, record_chunk
from tamaya.league.statistics import Statistics, Totals
from tamaya.league.workers import CompletedChunk, Runner, Work
from tamaya.rules import IllegalError, say

ProgressCallback = Callable[[int], None]
"""Called with the number of games of each completed chunk."""


@dataclass(frozen=True)
class MatchResult:
    """The result of a match: its totals, the CPU time of all cores, and the score of each game."""

    match: Match
    totals: Totals
    nanoseconds: int = 0
    scores: bytes = field(default=b"", repr=False)

    @classmethod
    def before(cls, match: Match) -> MatchResult:
        """Return the result before the first game."""
        return cls(match, Totals.none(match.rules))

    def __add__(self, chunk: ChunkResult) -> MatchResult:
        return MatchResult(self.match, self.totals + chunk.totals, self.nanoseconds + chunk.nanoseconds)

    @property
    def statistics(self) -> Statistics:
        """The statistics of the games."""
        return self.totals.statistics()

    @property
    def games_per_second(self) -> float:
        """The games per second of one core, without the time for compiling."""
        return self.totals.games * 1e9 / max(self.nanoseconds, 1)

    def row(self) -> dict[str, Any]:
        """Return the result as JSON values: ``perfect`` and ``lost`` are fractions, ``games_per_s`` is for one core."""
        figures = self.statistics
        return {
            "bot": self.match.bot,
            "players": self.match.rules.players,
            "games": figures.games,
            "mean": figures.mean,
            "stderr": figures.standard_error,
            "perfect": figures.perfect,
            "lost": figures.lost,
            "games_per_s": round(self.games_per_second, 3),
        }


def play_matches(
    matches: Iterable[Match],
    runner: Runner,
    on_progress: ProgressCallback = lambda games: None,
    work: Work = play_chunk,
    checkpoint: Checkpoint | None = None,
) -> list[MatchResult]:
    """Play several matches and return their results in order, without replaying the chunks that the `checkpoint` holds."""
    results = {match: MatchResult.before(match) for match in matches}
    scores: dict[Match, dict[int, bytes]] = {match: {} for match in results}

    def count(match: Match, first: int, played: ChunkResult) -> None:
        results[match] += played
        scores[match][first] = played.scores
        on_progress(len(played.scores))

    if checkpoint:
        for match in results:
            for first, played in checkpoint.completed_chunks(match).items():
                count(match, first, played)
    completed = {match: [range(first, first + len(part)) for first, part in parts.items()] for match, parts in scores.items()}
    with closing(runner.run(work, chunks_of(results, completed))) as done:
        for _, chunk, played in done:
            if chunk.numbers:
                if checkpoint:
                    checkpoint.add(chunk, played)
                count(chunk.match, chunk.first, played)
    return [replace(result, scores=_joined(scores[match])) for match, result in results.items()]


def _joined(parts: dict[int, bytes]) -> bytes:
    return b"".join(parts[first] for first in sorted(parts))


def write_games(
    match: Match,
    runner: Runner,
    path: Path,
    on_progress: ProgressCallback = lambda games: None,
    work: Work = record_chunk,
) -> MatchResult:
    """Write the records of a match to a new file, one per line. It appears under its name only once it holds all games."""
    result = MatchResult.before(match)
    with _new_file(path) as write, closing(runner.run(work, match.chunks())) as completed:
        for done in _in_order(completed):
            write(done.result.records)
            result += done.result
            on_progress(len(done.chunk.numbers))
    return result


def _in_order(completed: Iterable[CompletedChunk]) -> Iterator[CompletedChunk]:
    """Yield chunks in the order of their numbers. Early ones wait in memory; the scheduler limits how many."""
    early: dict[int, CompletedChunk] = {}
    number = 0
    for done in completed:
        early[done.number] = done
        while number in early:
            yield early.pop(number)
            number += 1


@contextmanager
def _new_file(path: Path) -> Iterator[Callable[[str], None]]:
    """Write to a temporary file and rename it at the end; after an error, delete it."""
    part = path.with_name(f"{path.name}.part") if path.name else path
    with readable_file_errors(path):
        _refuse_to_replace(path, part)
        file = part.open("x", encoding="utf-8")

    def write(text: str) -> None:
        with readable_file_errors(path):
            file.write(text)

    try:
        yield write
        with readable_file_errors(path):
            file.flush()
            os.fsync(file.fileno())
            file.close()
            part.replace(path)
    except BaseException:
        with suppress(OSError):
            file.close()
        with suppress(OSError):
            part.unlink()
        raise


def _refuse_to_replace(path: Path, part: Path) -> None:
    if path.exists():
        raise IllegalError("file_exists", say("There is a file {name} already; choose another name.", name=str(path)))
    if part.exists():
        message = say("{name} is left over from a run that was cut off, or another run writes it; "
                      "remove it, or choose another name.", name=str(part))  # fmt: skip
        raise IllegalError("part_exists", message)
