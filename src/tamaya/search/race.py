"""What moves are worth: each is tried in the same worlds, and those that fall behind are tried no further."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from tamaya.search.budget import Clock
from tamaya.search.trace import Trace
from tamaya.search.worlds import Worlds
from tamaya.sim.team import Team
from tamaya.sim.threads import Array

LEAST_WORLDS = 8
"""The worlds in which every move is tried, however small the budget."""
SLICE = 64
"""Worlds in which all moves are tried before anybody looks at the clock."""
HOPE = 2.0
"""By how many standard errors a move may be better than it looks."""
OF_HANDS = 0.15
"""The share of the scores' spread that comes from what is held; the rest comes from what is drawn."""
LEAST_SPREAD = 0.2
"""Scores that happen to be alike in a few worlds need not be alike in all."""


class Estimate(NamedTuple):
    """A mean with its standard error."""

    mean: float
    error: float

    @property
    def is_clear(self) -> bool:
        """Whether it is more than chance: over two standard errors."""
        return abs(self.mean) > 2 * self.error


class Race:
    """Moves by their numbers, tried in common worlds: every move in the first of them, the best in all."""

    def __init__(self, trace: Trace, team: Team, lineup: Sequence[str], worlds: Worlds, rollouts: int, clock: Clock) -> None:
        self._trace, self._team, self._lineup, self._worlds = trace, team, tuple(lineup), worlds
        self._left, self._clock = rollouts, clock
        self.scores: dict[int, Array] = {}

    @property
    def held(self) -> Array:
        """Which hand is held in each world."""
        return self._worlds.held

    @property
    def rollouts(self) -> int:
        """How many games were played on."""
        return sum(map(len, self.scores.values()))

    @property
    def is_exact(self) -> bool:
        """Whether every move was tried in every world there is."""
        return self._worlds.exact and all(len(scores) == len(self._worlds) for scores in self.scores.values())

    def run(self, moves: Iterable[int], keep: Sequence[int], margin: float | None = None) -> None:
        """Try the moves, in rounds that cost the same. After each the better half goes on, and with it the moves to `keep`;
        with a `margin`, only those that may still be better than the first of these by so much."""
        racing, done = list(moves), 0
        rounds = max(len(racing) - 1, 1).bit_length()
        for rounds_left in range(rounds, 0, -1):
            size = self._size(done, len(racing), rounds_left)
            while done < size and not (done and self._clock.is_over):
                end = min(size, done + SLICE)
                for move in racing:
                    self._try(move, done, end)
                done = end
            racing = self._survivors(racing, keep, margin)
            if self._clock.is_over or (len(racing) == 1 and margin is not None):
                break

    def _size(self, done: int, racing: int, rounds_left: int) -> int:
        """Up to which world the moves are tried in the next round: in all at once where those are all there are."""
        if self._worlds.exact:
            return len(self._worlds)
        return min(len(self._worlds), done + max(self._left // rounds_left // racing, 0 if done else LEAST_WORLDS))

    def _try(self, move: int, first: int, last: int) -> None:
        worlds, some = self._worlds, slice(first, last)
        states = self._trace.positions(self._trace.turns, worlds.decks[some])
        moves = np.full(len(states), move)
        played = self._team.rollout(
            self._lineup, states, worlds.memories, moves, memory_index=worlds.whose[some], checked=False
        )  # fmt: skip
        self._left -= len(states)
        before = self.scores.get(move, np.empty(0, np.int64))
        self.scores[move] = np.concatenate([before, played.scores])

    def _survivors(self, racing: list[int], keep: Sequence[int], margin: float | None) -> list[int]:
        ranked = sorted(racing, key=lambda move: -self.value(move).mean)
        better = ranked[: max(1, -(-len(ranked) // 2))]
        if margin is not None:
            gains = {move: self.gain(move, keep[0]) for move in better}
            better = [move for move, gain in gains.items() if gain.mean + HOPE * gain.error > margin]
        return [*keep, *(move for move in better if move not in keep)]

    def value(self, move: int) -> Estimate:
        """What a move is worth."""
        return self._estimate(self.scores[move])

    def perfect(self, move: int) -> float:
        """How likely every firework is completed after it."""
        return self._estimate(self.scores[move] == self._trace.layout.maximum).mean

    def gain(self, move: int, other: int) -> Estimate:
        """By how much one move is better than another, in the worlds in which both were tried."""
        common = min(len(self.scores[move]), len(self.scores[other]))
        return self._estimate(self.scores[move][:common] - self.scores[other][:common])

    def _estimate(self, numbers: Array) -> Estimate:
        """The mean of what came out in the first worlds. Where many worlds have few hands, these leave it uncertain."""
        count, shares = len(numbers), self._worlds.shares[: len(numbers)] / self._worlds.shares[: len(numbers)].sum()
        mean = float(numbers @ shares)
        if self._worlds.exact and count == len(self._worlds):
            return Estimate(mean, 0.0)
        if count == 1:
            return Estimate(mean, float(self._trace.layout.maximum))
        spread = max(float(((numbers - mean) ** 2 @ shares) * count / (count - 1)) ** 0.5, LEAST_SPREAD)
        of_hands = 0.0 if self._worlds.exact else OF_HANDS / self._worlds.fitting
        return Estimate(mean, spread * (float((shares**2).sum()) + of_hands) ** 0.5)
