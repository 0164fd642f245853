"""Moves side by side in the same worlds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tamaya.search import Budget, Estimate, Search
from tamaya.search.race import LEAST_SPREAD, Race
from tamaya.sim.threads import Array

LEAST_PAIRS = 60
"""Pairs of worlds with the same hand that are enough to say how much depends on it."""
NEARLY = 0.1
"""The points that one move may be behind another and still be named in its place."""


@dataclass(frozen=True)
class Trial:
    """The scores of moves, by their numbers: what came of each in the same worlds, as far as it was tried. `shares` says how
    likely the worlds are if they are all there are; `held` which hand is held in each, and `hands` how many equally likely ones
    there are."""

    scores: Mapping[int, Array]
    maximum: int
    held: Array
    hands: float
    shares: Array | None = None

    @classmethod
    def of(cls, search: Search, race: Race) -> Trial:
        """What came of a race."""
        return cls(race.scores, search.view.rules.maximum, race.held, search.fitting, search.shares)

    @property
    def exact(self) -> bool:
        """Whether every world was looked at."""
        return self.shares is not None

    @property
    def moves(self) -> list[int]:
        """The moves that were tried longest, the best first."""
        longest = max(map(len, self.scores.values()))
        tried = [move for move, scores in self.scores.items() if len(scores) == longest]
        return sorted(tried, key=lambda move: -self.value(move).mean)

    def value(self, move: int) -> Estimate:
        """The expected score after a move."""
        return self.estimate(self.scores[move])

    def perfect(self, move: int) -> float:
        """How likely every firework is completed after a move."""
        return self.estimate(self.scores[move] == self.maximum).mean

    def gain(self, move: int, other: int) -> Estimate:
        """By how much one move is better than another."""
        common = min(len(self.scores[move]), len(self.scores[other]))
        return self.estimate(self.scores[move][:common] - self.scores[other][:common])

    def estimate(self, numbers: Array, held: Array | None = None) -> Estimate:
        """The mean of what came out in the worlds. More worlds make it surer as far as it depends on what is drawn; as far as
        it depends on what is held, more hands would."""
        if self.shares is not None:
            return Estimate(float(numbers @ self.shares), 0.0)
        count = len(numbers)
        spread = max(float(numbers.std(ddof=1)), LEAST_SPREAD) if count > 1 else float(self.maximum)
        share = _share_of_hands(numbers, self.held[:count] if held is None else held)
        return Estimate(float(numbers.mean()), spread * ((1 - share) / count + share / min(count, self.hands)) ** 0.5)

    def value_with(self, other: Trial, move: int) -> Estimate:
        """The expected score after a move, from the worlds of another trial of the same search as well, if those are others."""
        if self.exact:
            return self.value(move)
        both = [trial.scores[move] for trial in (self, other)]
        held = [trial.held[: len(scores)] for trial, scores in zip((self, other), both, strict=True)]
        return self.estimate(np.concatenate(both), np.concatenate(held))

    def best(self, played: int, agreed: int) -> int:
        """The move to name as the best: the one that was played if it is as good within the error; else what the agreements
        say, unless another is clearly better. Of others that are nearly as good it is the first by number, so that whoever
        looks again mostly names the same. Whatever is named is clearly better than what was played, if anything is."""
        best = self.moves[0]
        if self._is_as_good(played, best):
            return played
        better = [move for move in self.moves if self.gain(move, played).mean > 2 * self.gain(move, played).error]
        if agreed in better and not self.gain(best, agreed).is_clear:
            return agreed
        return min((move for move in better if self._is_as_good(move, best, NEARLY)), default=best)

    def _is_as_good(self, move: int, best: int, most: float = math.inf) -> bool:
        """Whether a move is not further behind the best one than its error, or than `most`."""
        behind = self.gain(best, move)
        return behind.mean <= min(behind.error, most)

    def loss(self, played: int, agreed: int) -> Estimate:
        """How much better the best move is than the one that was played."""
        best = self.best(played, agreed)
        return Estimate(0.0, 0.0) if best == played else self.gain(best, played)


def _share_of_hands(numbers: Array, held: Array) -> float:
    """The share of the spread that comes from what is held: how alike numbers are in worlds with the same hand."""
    away = numbers - numbers.mean()
    worlds = np.bincount(held)
    pairs = (worlds * (worlds - 1)).sum()
    if pairs < LEAST_PAIRS or not away.any():
        return 1.0
    alike = (np.bincount(held, away) ** 2 - np.bincount(held, away**2)).sum() / pairs
    return float(min(max(alike / (away**2).mean(), 0.0), 1.0))


def compared(search: Search, moves: Sequence[int], worlds: int) -> Trial:
    """These moves in so many worlds that were not used before."""
    return Trial.of(search, search.race(moves, moves, Budget(worlds * len(moves))))
