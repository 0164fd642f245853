"""What many games come to: whole numbers that add up the same in any order, and the figures that people read."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tamaya.engine import Game
from tamaya.rules import Rules

if TYPE_CHECKING:
    from tamaya.league.standings import Standing


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


NORMAL = 1.959964
"""Within so many standard errors lie 95 % of a normal distribution."""


@dataclass(frozen=True)
class Difference:
    """By how much `bot` scored more than `other` in the same games, on average, with the standard error of that mean."""

    bot: str
    other: str
    rules: Rules
    games: int
    mean: float
    standard_error: float | None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The confidence interval of 95 %, for as many games as make the mean nearly normal; one game alone has none."""
        if self.standard_error is None:
            return None
        reach = NORMAL * self.standard_error
        return self.mean - reach, self.mean + reach

    def row(self) -> dict[str, Any]:
        """The difference for programs."""
        low, high = self.interval or (None, None)
        return {
            "bot": self.bot,
            "than": self.other,
            "players": self.rules.players,
            "games": self.games,
            "mean": self.mean,
            "stderr": self.standard_error,
            "low": low,
            "high": high,
        }


def difference(one: Standing, other: Standing) -> Difference:
    """What the first gained on the other, over the games that both have played. Sums are of whole numbers, and exact."""
    gains = [mine - theirs for mine, theirs in zip(one.scores, other.scores, strict=False)]
    games, total, squares = len(gains), sum(gains), sum(gain * gain for gain in gains)
    spread = games * squares - total * total
    error = math.sqrt(spread / (games * games * (games - 1))) if games > 1 else None
    return Difference(one.run.bot, other.run.bot, one.run.rules, games, total / games, error)


def differences(standings: Iterable[Standing]) -> list[Difference]:
    """Every team beside the first that played by the same rules from the same seed."""
    firsts: dict[tuple[Rules, int], Standing] = {}
    found = []
    for standing in standings:
        first = firsts.setdefault((standing.run.rules, standing.run.seed), standing)
        if first is not standing:
            found.append(difference(standing, first))
    return found
