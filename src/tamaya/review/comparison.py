"""Moves compared in the same worlds, and how sure the difference is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tamaya.search import Budget, Estimate, Search
from tamaya.search.rollouts import MIN_SPREAD, RolloutRace
from tamaya.sim.threads import Array

LEAST_PAIRS = 60
"""Pairs of worlds with the same hand that are enough to say how much depends on it."""
NEARLY = 0.1
"""The points that one move may be behind another and still be named in its place."""


@dataclass(frozen=True)
class MoveComparison:
    """The scores of moves, by their numbers: what came of each in the same worlds, as far as it was tried.

    `weights` are the probabilities of the worlds, if they are all there are. `hand_index` says which hand is held in each, and
    `hands` how many equally likely ones there are.
    """

    scores: Mapping[int, Array]
    maximum: int
    hand_index: Array
    hands: float
    weights: Array | None = None

    @classmethod
    def of(cls, search: Search, race: RolloutRace) -> MoveComparison:
        """What came of a race."""
        return cls(race.scores, search.view.rules.maximum, race.hand_index, search.effective_hands, search.world_weights)

    @property
    def exact(self) -> bool:
        """Whether every world was looked at."""
        return self.weights is not None

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

    def estimate(self, numbers: Array, hand_index: Array | None = None) -> Estimate:
        """The mean of what came out in the worlds. More worlds make it surer as far as it depends on what is drawn; as far as
        it depends on what is held, more hands would."""
        if self.weights is not None:
            return Estimate(float(numbers @ self.weights), 0.0)
        count = len(numbers)
        spread = max(float(numbers.std(ddof=1)), MIN_SPREAD) if count > 1 else float(self.maximum)
        share = _share_of_hands(numbers, self.hand_index[:count] if hand_index is None else hand_index)
        return Estimate(float(numbers.mean()), spread * ((1 - share) / count + share / min(count, self.hands)) ** 0.5)

    def value_with(self, other: MoveComparison, move: int) -> Estimate:
        """The expected score after a move, from the worlds of another trial of the same search as well, if those are others."""
        if self.exact:
            return self.value(move)
        both = [trial.scores[move] for trial in (self, other)]
        hands = [trial.hand_index[: len(scores)] for trial, scores in zip((self, other), both, strict=True)]
        return self.estimate(np.concatenate(both), np.concatenate(hands))

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


def _share_of_hands(numbers: Array, hand_index: Array) -> float:
    """The share of the spread that comes from what is held: how alike numbers are in worlds with the same hand."""
    away = numbers - numbers.mean()
    worlds = np.bincount(hand_index)
    pairs = (worlds * (worlds - 1)).sum()
    if pairs < LEAST_PAIRS or not away.any():
        return 1.0
    alike = (np.bincount(hand_index, away) ** 2 - np.bincount(hand_index, away**2)).sum() / pairs
    return float(min(max(alike / (away**2).mean(), 0.0), 1.0))


def compared(search: Search, moves: Sequence[int], worlds: int) -> MoveComparison:
    """These moves in so many worlds that were not used before."""
    return MoveComparison.of(search, search.race(moves, moves, Budget(worlds * len(moves))))
