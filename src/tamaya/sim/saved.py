"""What batches hand out: positions to come back to, and counts of how games ended."""

from __future__ import annotations

from dataclasses import dataclass

from tamaya.rules import Rules
from tamaya.sim.arrays import Array


@dataclass(frozen=True, eq=False)
class Saved:
    """The positions of a batch: a row of the engine's bytes a game, the seeds that dealt them, and what partners remember."""

    rules: Rules
    states: Array
    seeds: Array
    memories: Array | None = None


@dataclass(frozen=True)
class Tally:
    """How often games ended with each score, how many of them were lost, and the moves that were made."""

    scores: tuple[int, ...]
    lost: int
    moves: int

    @classmethod
    def of(cls, counts: Array, moves: int) -> Tally:
        """The tally from counts of each score, with the lost games behind them."""
        *scores, lost = (int(count) for count in counts)
        return cls(tuple(scores), lost, moves)

    @property
    def games(self) -> int:
        """The games that came to their end."""
        return sum(self.scores)

    @property
    def mean(self) -> float:
        """The mean score; not a number where no game ended."""
        return sum(score * count for score, count in enumerate(self.scores)) / self.games if self.games else float("nan")
