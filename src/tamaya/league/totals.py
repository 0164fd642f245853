"""What many games come to: whole numbers that add up the same in any order, and the figures that people read."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tamaya.engine import Game
from tamaya.rules import Rules


@dataclass(frozen=True)
class Totals:
    """How many games ended with each score, how many of them were lost, and how many moves they took.

    Sums are exact, so totals do not depend on who played which games, nor on when they were done.
    """

    histogram: tuple[int, ...]
    lost: int = 0
    moves: int = 0

    @classmethod
    def none(cls, rules: Rules) -> Totals:
        """The totals before the first game by these rules."""
        return cls((0,) * (rules.maximum + 1))

    @classmethod
    def of(cls, game: Game) -> Totals:
        """The totals of one game that is over. A score counts as `Game.score` does: without one, a lost game is worth 0."""
        assert game.outcome is not None
        histogram = [0] * (game.rules.maximum + 1)
        histogram[game.score] = 1
        return cls(tuple(histogram), int(game.outcome.ending.lost), game.turn)

    def __add__(self, other: Totals) -> Totals:
        counts = zip(self.histogram, other.histogram, strict=True)
        return Totals(tuple(one + two for one, two in counts), self.lost + other.lost, self.moves + other.moves)

    @property
    def games(self) -> int:
        """How many games were played."""
        return sum(self.histogram)

    def statistics(self) -> Statistics:
        """The figures of at least one game."""
        games = self.games
        total = sum(score * count for score, count in enumerate(self.histogram))
        squares = sum(score * score * count for score, count in enumerate(self.histogram))
        spread = games * squares - total * total
        return Statistics(
            games=games,
            mean=total / games,
            standard_error=math.sqrt(spread / (games * games * (games - 1))) if games > 1 else None,
            perfect=self.histogram[-1] / games,
            lost=self.lost / games,
            moves=self.moves / games,
            histogram=self.histogram,
        )


@dataclass(frozen=True)
class Statistics:
    """What totals say of a bot. ``perfect`` and ``lost`` are fractions, ``moves`` those of a game on average.

    The standard error is that of the mean, by the sample's variance; one game alone has none.
    """

    games: int
    mean: float
    standard_error: float | None
    perfect: float
    lost: float
    moves: float
    histogram: tuple[int, ...]
