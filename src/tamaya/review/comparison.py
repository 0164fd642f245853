"""Comparisons of moves in the same worlds, with standard errors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tamaya.search import Budget, Estimate, Search
from tamaya.search.rollouts import MIN_SPREAD, RolloutRace
from tamaya.sim.threads import Array

MIN_PAIRS = 60
"""The least number of pairs of worlds with the same hand that shows how much depends on the hand."""
NEARLY_BEST = 0.1
"""The points that a move may be behind the best one and still be named instead."""


@dataclass(frozen=True)
class MoveComparison:
    """The scores of moves, by number, in the same worlds, as far as each was tried.

    `weights` are the probabilities of the worlds if these are all worlds. `hand_index` is the hand held in each world, and
    `hands` the effective number of hands.
    """

    scores: Mapping[int, Array]
    maximum: int
    hand_index: Array
    hands: float
    weights: Array | None = None

    @classmethod
    def of(cls, search: Search, race: RolloutRace) -> MoveComparison:
        """The results of a race."""
        return cls(race.scores, search.view.rules.maximum, race.hand_index, search.effective_hands, search.world_weights)

    @property
    def exact(self) -> bool:
        """Whether every world was evaluated."""
        return self.weights is not None

    @property
    def moves(self) -> list[int]:
        """The moves tried in most worlds, best first."""
        longest = max(map(len, self.scores.values()))
        tried = [move for move, scores in self.scores.items() if len(scores) == longest]
        return sorted(tried, key=lambda move: -self.value(move).mean)

    def value(self, move: int) -> Estimate:
        """The expected score after a move."""
        return self.estimate(self.scores[move])

    def perfect(self, move: int) -> float:
        """The probability of a perfect score after a move."""
        return self.estimate(self.scores[move] == self.maximum).mean

    def gain(self, move: int, other: int) -> Estimate:
        """How much better one move is than another."""
        common = min(len(self.scores[move]), len(self.scores[other]))
        return self.estimate(self.scores[move][:common] - self.scores[other][:common])

    def estimate(self, numbers: Array, hand_index: Array | None = None) -> Estimate:
        """The mean over worlds. The part of its error that comes from draws shrinks with more worlds, the part that comes from
        the hand only with more hands."""
        if self.weights is not None:
            return Estimate(float(numbers @ self.weights), 0.0)
        count = len(numbers)
        spread = max(float(numbers.std(ddof=1)), MIN_SPREAD) if count > 1 else float(self.maximum)
        share = _share_of_hands(numbers, self.hand_index[:count] if hand_index is None else hand_index)
        return Estimate(float(numbers.mean()), spread * ((1 - share) / count + share / min(count, self.hands)) ** 0.5)

    def value_with(self, other: MoveComparison, move: int) -> Estimate:
        """The expected score after a move, from the worlds of this and another trial of the same search."""
        if self.exact:
            return self.value(move)
        both = [trial.scores[move] for trial in (self, other)]
        hands = [trial.hand_index[: len(scores)] for trial, scores in zip((self, other), both, strict=True)]
        return self.estimate(np.concatenate(both), np.concatenate(hands))

    def best(self, played: int, agreed: int) -> int:
        """The move to name as the best.

        This is the move played, if it is as good within the error, or the agreed move, unless another is clearly better. Of
        moves that are nearly as good it is the first by number, so that repeated analyses mostly agree. A move clearly better
        than the one played is preferred to all others.
        """
        best = self.moves[0]
        if self._is_as_good(played, best):
            return played
        better = [move for move in self.moves if self.gain(move, played).mean > 2 * self.gain(move, played).error]
        if agreed in better and not self.gain(best, agreed).is_clear:
            return agreed
        return min((move for move in better if self._is_as_good(move, best, NEARLY_BEST)), default=best)

    def _is_as_good(self, move: int, best: int, most: float = math.inf) -> bool:
        """Whether a move is behind the best one by no more than the error and `most`."""
        behind = self.gain(best, move)
        return behind.mean <= min(behind.error, most)

    def loss(self, played: int, agreed: int) -> Estimate:
        """How much better the best move is than the one played."""
        best = self.best(played, agreed)
        return Estimate(0.0, 0.0) if best == played else self.gain(best, played)


def _share_of_hands(numbers: Array, hand_index: Array) -> float:
    """The share of the variance that comes from the hand: the correlation of numbers in worlds with the same hand."""
    away = numbers - numbers.mean()
    worlds = np.bincount(hand_index)
    pairs = (worlds * (worlds - 1)).sum()
    if pairs < MIN_PAIRS or not away.any():
        return 1.0
    alike = (np.bincount(hand_index, away) ** 2 - np.bincount(hand_index, away**2)).sum() / pairs
    return float(min(max(alike / (away**2).mean(), 0.0), 1.0))


def compare(search: Search, moves: Sequence[int], worlds: int) -> MoveComparison:
    """Compare moves in this number of fresh worlds."""
    return MoveComparison.of(search, search.race(moves, moves, Budget(worlds * len(moves))))
