"""Statistics of many games: exact totals that add up in any order, mean and standard error, and differences between teams."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tamaya.engine import Game
from tamaya.rules import Rules

if TYPE_CHECKING:
    from tamaya.league.standings import MatchResult


@dataclass(frozen=True)
class Totals:
    """Counts of games by score, of lost games and of moves: integers, which add up the same in any order."""

    histogram: tuple[int, ...]
    lost: int = 0
    moves: int = 0

    @classmethod
    def none(cls, rules: Rules) -> Totals:
        """Return the totals before the first game under these rules."""
        return cls((0,) * (rules.maximum + 1))

    @classmethod
    def of(cls, game: Game) -> Totals:
        """Return the totals of one finished game, by its `Game.score`; without a score, a lost game is worth 0."""
        assert game.outcome is not None
        histogram = [0] * (game.rules.maximum + 1)
        histogram[game.score] = 1
        return cls(tuple(histogram), int(game.outcome.ending.lost), game.turn)

    def __add__(self, other: Totals) -> Totals:
        counts = zip(self.histogram, other.histogram, strict=True)
        return Totals(tuple(one + two for one, two in counts), self.lost + other.lost, self.moves + other.moves)

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(self.histogram)

    def statistics(self) -> Statistics:
        """Return the statistics of one or more games."""
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
    """Means over the games of a bot. ``perfect`` and ``lost`` are fractions, ``moves`` is the mean per game.

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
"""The standard errors on either side of the mean that hold 95 % of a normal distribution."""


@dataclass(frozen=True)
class Difference:
    """Mean of how much more `bot` scored than `other` in the same games, with its standard error."""

    bot: str
    other: str
    rules: Rules
    games: int
    mean: float
    standard_error: float | None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % confidence interval, given enough games for a nearly normal mean; None for one game."""
        if self.standard_error is None:
            return None
        reach = NORMAL * self.standard_error
        return self.mean - reach, self.mean + reach

    def row(self) -> dict[str, Any]:
        """Return the difference as JSON values."""
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


def difference(one: MatchResult, other: MatchResult) -> Difference:
    """Compare two results over the games that both have played. Sums are exact integers."""
    gains = [mine - theirs for mine, theirs in zip(one.scores, other.scores, strict=False)]
    games, total, squares = len(gains), sum(gains), sum(gain * gain for gain in gains)
    spread = games * squares - total * total
    error = math.sqrt(spread / (games * games * (games - 1))) if games > 1 else None
    return Difference(one.match.bot, other.match.bot, one.match.rules, games, total / games, error)


def differences(results: Iterable[MatchResult]) -> list[Difference]:
    """Compare every team with the first one that played under the same rules from the same seed."""
    firsts: dict[tuple[Rules, int], MatchResult] = {}
    found = []
    for result in results:
        first = firsts.setdefault((result.match.rules, result.match.seed), result)
        if first is not result:
            found.append(difference(result, first))
    return found
