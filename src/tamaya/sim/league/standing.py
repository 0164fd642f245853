"""Where a bot stands after a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from tamaya.sim.league.play import Played, play_chunk
from tamaya.sim.league.run import Chunk, Run, chunks_of
from tamaya.sim.league.runners import Runner
from tamaya.sim.league.totals import Statistics, Totals

Watcher = Callable[[int], None]


@dataclass(frozen=True)
class Standing:
    """A run with what it came to, and the time that cores spent on it, all of them together."""

    run: Run
    totals: Totals
    nanoseconds: int = 0

    @classmethod
    def before(cls, run: Run) -> Standing:
        """The standing before the first game."""
        return cls(run, Totals.none(run.rules))

    def __add__(self, played: Played) -> Standing:
        return Standing(self.run, self.totals + played.totals, self.nanoseconds + played.nanoseconds)

    @property
    def statistics(self) -> Statistics:
        """The figures of the run."""
        return self.totals.statistics()

    @property
    def games_per_second(self) -> float:
        """How many games one core plays in a second."""
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
    work: Callable[[Chunk], Played] = play_chunk,
) -> list[Standing]:
    """The standings of several runs in their order; `watch` hears of every chunk how many games it had."""
    standings = {run: Standing.before(run) for run in runs}
    with closing(runner.run(work, chunks_of(standings))) as results:
        for done in results:
            standings[done.chunk.run] += done.played
            watch(len(done.chunk.numbers))
    return list(standings.values())
