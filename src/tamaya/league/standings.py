"""Where a team stands after a run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tamaya.league.checkpoint import Kept, told_in_words
from tamaya.league.matches import Chunk, Run, chunks_of
from tamaya.league.play import ChunkResult, play_chunk, record_chunk
from tamaya.league.statistics import Statistics, Totals
from tamaya.league.workers import Done, Runner
from tamaya.rules import IllegalError, say

Watcher = Callable[[int], None]


@dataclass(frozen=True)
class Standing:
    """A run with what it came to, the time that cores spent on it, all of them together, and the score of each game."""

    run: Run
    totals: Totals
    nanoseconds: int = 0
    scores: bytes = field(default=b"", repr=False)

    @classmethod
    def before(cls, run: Run) -> Standing:
        """The standing before the first game."""
        return cls(run, Totals.none(run.rules))

    def __add__(self, played: ChunkResult) -> Standing:
        return Standing(self.run, self.totals + played.totals, self.nanoseconds + played.nanoseconds)

    @property
    def statistics(self) -> Statistics:
        """The figures of the run."""
        return self.totals.statistics()

    @property
    def games_per_second(self) -> float:
        """How many games one core plays in a second, once it has compiled what it needs."""
        return self.totals.games * 1e9 / max(self.nanoseconds, 1)

    def row(self) -> dict[str, Any]:
        """The standing for programs: ``perfect`` and ``lost`` are fractions, ``games_per_s`` is for one core."""
        figures = self.statistics
        return {
            "bot": self.run.bot,
            "players": self.run.rules.players,
            "games": figures.games,
            "mean": figures.mean,
            "stderr": figures.standard_error,
            "perfect": figures.perfect,
            "lost": figures.lost,
            "games_per_s": round(self.games_per_second, 3),
        }


def play_runs(
    runs: Iterable[Run],
    runner: Runner,
    watch: Watcher = lambda games: None,
    work: Callable[[Chunk], ChunkResult] = play_chunk,
    kept: Kept | None = None,
) -> list[Standing]:
    """The standings of several runs in their order; `watch` hears of every chunk how many games it had.

    What is `kept` already is not played again, and what is played is kept.
    """
    standings = {run: Standing.before(run) for run in runs}
    scores: dict[Run, dict[int, bytes]] = {run: {} for run in standings}

    def count(run: Run, first: int, played: ChunkResult) -> None:
        standings[run] += played
        scores[run][first] = played.scores
        watch(len(played.scores))

    if kept:
        for run in standings:
            for first, played in kept.pieces(run).items():
                count(run, first, played)
    done = {run: [range(first, first + len(piece)) for first, piece in pieces.items()] for run, pieces in scores.items()}
    with closing(runner.run(work, chunks_of(standings, done))) as results:
        for _, chunk, played in results:
            if chunk.numbers:
                if kept:
                    kept.add(chunk, played)
                count(chunk.run, chunk.first, played)
    return [replace(standing, scores=_joined(scores[run])) for run, standing in standings.items()]


def _joined(pieces: dict[int, bytes]) -> bytes:
    return b"".join(pieces[first] for first in sorted(pieces))


def write_games(
    run: Run,
    runner: Runner,
    path: Path,
    watch: Watcher = lambda games: None,
    work: Callable[[Chunk], ChunkResult] = record_chunk,
) -> Standing:
    """Play a run and write its games to a new file, which is there only once they are all in it."""
    standing = Standing.before(run)
    with _new_file(path) as write, closing(runner.run(work, run.chunks())) as results:
        for done in _in_order(results):
            write(done.played.records)
            standing += done.played
            watch(len(done.chunk.numbers))
    return standing


def _in_order(results: Iterable[Done]) -> Iterator[Done]:
    """The results by their places: early ones wait. Runners see to it that few do."""
    early: dict[int, Done] = {}
    place = 0
    for done in results:
        early[done.place] = done
        while place in early:
            yield early.pop(place)
            place += 1


@contextmanager
def _new_file(path: Path) -> Iterator[Callable[[str], None]]:
    """A file that is written beside its place and put there in the end; whatever goes wrong leaves nothing behind."""
    part = path.with_name(f"{path.name}.part") if path.name else path
    with told_in_words(path):
        _refuse_to_replace(path, part)
        file = part.open("x", encoding="utf-8")

    def write(text: str) -> None:
        with told_in_words(path):
            file.write(text)

    try:
        yield write
        with told_in_words(path):
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
