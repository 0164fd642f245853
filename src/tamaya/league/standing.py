"""Where a team stands after a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

from tamaya.league.keeping import Kept
from tamaya.league.play import ChunkResult, play_chunk
from tamaya.league.run import Chunk, Run, chunks_of
from tamaya.league.totals import Statistics, Totals
from tamaya.league.workers import Runner

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
    return [replace(standing, scores=_in_order(scores[run])) for run, standing in standings.items()]


def _in_order(pieces: dict[int, bytes]) -> bytes:
    return b"".join(pieces[first] for first in sorted(pieces))
