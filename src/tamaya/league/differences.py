"""How far teams lie apart on the same deals: what one gained on the other, game by game."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tamaya.league.standing import Standing
from tamaya.rules import Rules

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
