"""Compare moves by rollouts in common worlds, dropping those clearly behind; and show one possible continuation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from tamaya.engine.layout import ENDED, LAST_ACTION, RUNNING, SEAT
from tamaya.rules import Action, action_of
from tamaya.search.beliefs import Deadline, Worlds
from tamaya.search.history import SeatHistory
from tamaya.sim.games import CHOOSE
from tamaya.sim.team import Team
from tamaya.sim.threads import Array

MIN_WORLDS = 8
"""The worlds in which every move is tried, however small the budget."""
BATCH = 64
"""The worlds in which all moves are tried before the time is checked."""
OPTIMISM = 2.0
"""The number of standard errors by which a move may be better than its mean."""
HAND_VARIANCE = 0.15
"""The share of the scores' variance that depends on the hand; the rest depends on what is drawn."""
MIN_SPREAD = 0.2
"""The least standard deviation of scores: scores that happen to be equal in a few worlds need not be equal in all."""


class Estimate(NamedTuple):
    """A mean with its standard error."""

    mean: float
    error: float

    @property
    def is_clear(self) -> bool:
        """Whether the mean differs from 0 by more than two standard errors."""
        return abs(self.mean) > 2 * self.error


class RolloutRace:
    """A comparison of moves, by number, in common worlds: every move is tried in the first worlds, the best moves in all."""

    def __init__(
        self, history: SeatHistory, team: Team, lineup: Sequence[str], worlds: Worlds, rollouts: int, deadline: Deadline
    ) -> None:
        self._history, self._team, self._lineup, self._worlds = history, team, tuple(lineup), worlds
        self._left, self._deadline = rollouts, deadline
        self.scores: dict[int, Array] = {}

    @property
    def hand_index(self) -> Array:
        """The index of the hand held in each world."""
        return self._worlds.hand_index

    @property
    def rollouts(self) -> int:
        """The number of games played."""
        return sum(map(len, self.scores.values()))

    @property
    def is_exact(self) -> bool:
        """Whether every move was tried in every world there is."""
        return self._worlds.exact and all(len(scores) == len(self._worlds) for scores in self.scores.values())

    def run(self, moves: Iterable[int], always_include: Sequence[int], margin: float | None = None) -> None:
        """Try the moves in rounds of equal cost. The better half goes on to the next round, and so do the moves of
        `always_include`; with a `margin`, only moves that may still be better by that much than the first of these."""
        racing, done = list(moves), 0
        rounds = max(len(racing) - 1, 1).bit_length()
        for rounds_left in range(rounds, 0, -1):
            end = self._end_of_round(done, len(racing), rounds_left)
            while done < end and not (done and self._deadline.is_over):
                batch = slice(done, min(end, done + BATCH))
                for move in racing:
                    self._try(move, batch)
                done = batch.stop
            racing = self._survivors(racing, always_include, margin)
            if self._deadline.is_over or (len(racing) == 1 and margin is not None):
                break

    def _end_of_round(self, done: int, racing: int, rounds_left: int) -> int:
        """The number of worlds tried when the next round is over; if there are no other worlds, all at once."""
        if self._worlds.exact:
            return len(self._worlds)
        return min(len(self._worlds), done + max(self._left // rounds_left // racing, 0 if done else MIN_WORLDS))

    def _try(self, move: int, batch: slice) -> None:
        worlds = self._worlds
        states = self._history.positions(self._history.turns, worlds.decks[batch])
        moves, memory_index = np.full(len(states), move), worlds.memory_index[batch]
        played = self._team.rollout(self._lineup, states, worlds.memories, moves, memory_index=memory_index, checked=False)
        self._left -= len(states)
        before = self.scores.get(move, np.empty(0, np.int64))
        self.scores[move] = np.concatenate([before, played.scores])

    def _survivors(self, racing: list[int], always_include: Sequence[int], margin: float | None) -> list[int]:
        ranked = sorted(racing, key=lambda move: -self.value(move).mean)
        better = ranked[: max(1, -(-len(ranked) // 2))]
        if margin is not None:
            gains = {move: self.gain(move, always_include[0]) for move in better}
            better = [move for move, gain in gains.items() if gain.mean + OPTIMISM * gain.error > margin]
        return [*always_include, *(move for move in better if move not in always_include)]

    def value(self, move: int) -> Estimate:
        """The expected score after a move."""
        return self._estimate(self.scores[move])

    def perfect(self, move: int) -> float:
        """The probability of a perfect score after a move."""
        return self._estimate(self.scores[move] == self._history.layout.maximum).mean

    def gain(self, move: int, other: int) -> Estimate:
        """How much better one move is than another, in the worlds in which both were tried."""
        common = min(len(self.scores[move]), len(self.scores[other]))
        return self._estimate(self.scores[move][:common] - self.scores[other][:common])

    def _estimate(self, results: Array) -> Estimate:
        """The mean of the results in the first worlds. Its error grows if the worlds have few different hands."""
        count = len(results)
        weights = self._worlds.weights[:count] / self._worlds.weights[:count].sum()
        mean = float(results @ weights)
        if self._worlds.exact and count == len(self._worlds):
            return Estimate(mean, 0.0)
        if count == 1:
            return Estimate(mean, float(self._history.layout.maximum))
        spread = max(float(((results - mean) ** 2 @ weights) * count / (count - 1)) ** 0.5, MIN_SPREAD)
        of_hands = 0.0 if self._worlds.exact else HAND_VARIANCE / self._worlds.effective_hands
        return Estimate(mean, spread * (float((weights**2).sum()) + of_hands) ** 0.5)


def continuation(
    history: SeatHistory, team: Team, lineup: Sequence[str], world: Worlds, move: int, turns: int
) -> tuple[Action, ...]:
    """A move and the policies' actions after it in a single world, at most `turns` turns."""
    states, memories = history.positions(history.turns, world.decks), world.memories[world.memory_index].copy()
    actions: list[Action] = []
    while len(actions) < turns and states[0][ENDED] == RUNNING:
        seat, chosen = int(states[0][SEAT]), CHOOSE if actions else move
        team.advance(tuple(lineup), states, memories, np.array([chosen]), checked=False)
        actions.append(action_of(int(states[0][LAST_ACTION]), history.rules, seat))
    return tuple(actions)
