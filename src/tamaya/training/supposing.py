"""Off-belief learning: what a move leads to if all moves so far told nothing but what clues say of the cards.

Policies that learn from games with themselves agree on secret meanings, which no stranger knows. Here a move is not judged by
the game in which it was made, but in another world that its player could be in if everybody had drawn lots so far: what a
partner meant by a move beyond its plain words cannot be relied on, so nothing is meant by it. From there on all play as they
do. This is the first level of Hu and others, *Off-Belief Learning*, ICML 2021, by policy gradients in place of Q-learning.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from tamaya.training.features import Features
from tamaya.training.games import Games
from tamaya.training.network import Judge, chances, drawn

Rows = Callable[[Tensor, Tensor], Tensor]
"""From what is seen and the past to rows of features."""
Expect = Callable[[Tensor], Tensor]
"""From rows of features to the points that are still to come."""


class Supposition:
    """Other worlds in which moves are tried, one for each game."""

    def __init__(self, games: Games, features: Features, rows: Rows, judge: Judge, expect: Expect) -> None:
        self._games, self._features = games.twin(), features
        self._rows, self._judge, self._expect = rows, judge, expect

    def worth(self, real: Games, past: Tensor, action: Tensor, discount: Tensor, loss_costs: Tensor) -> Tensor:
        """What moves lead to: the points until their players are to move again, and those that are expected then."""
        games, seen = self._games, real.seen
        games.suppose(real)
        points, counts = torch.zeros_like(loss_costs).expand(games.count), torch.ones_like(discount).expand(games.count)
        for turn in range(games.rules.players):
            games.step(action)
            points = points + counts * torch.maximum(games.rewards, -loss_costs)
            counts = counts * discount * (games.endings == 0)
            past = self._features.shifted(past, seen, games.endings)
            seen = games.seen.clone()
            row = self._rows(seen, past)
            if turn < games.rules.players - 1:
                action = drawn(chances(self._judge(row), games.legal.bool()))
        return points + counts * self._expect(row)
