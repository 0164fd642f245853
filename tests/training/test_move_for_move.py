"""Move for move, the package plays what the trained network plays in PyTorch."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor

from tamaya import Rules
from tamaya.bots.learned.weights import learned_weights, shape_of
from tamaya.engine.layout import layout_of
from tamaya.sim import Batch
from tamaya.sim.arrays import Array
from tamaya.sim.team import Team, team
from tamaya.training.model import Features
from tests.training.runs import in_pytorch

RULES, GAMES = Rules(players=2), 1000
LINEUP = ["learned", "learned"]


class InTheirHeads:
    """What the package's compiled policies would do in all games that go on, from positions and memories of their own."""

    def __init__(self, policies: Team, states: Array) -> None:
        self._team, self._states, self._memories = policies, states, policies.begin(LINEUP, states)

    def act(self, running: Array) -> Array:
        """Take a turn in some games, and say what was done there."""
        states, memories = self._states[running], self._memories[running]
        actions = self._team.ask(LINEUP, states, memories)
        self._team.advance(LINEUP, states, memories, actions)
        self._states[running], self._memories[running] = states, memories
        return actions


class InPyTorch:
    """The same network there, with more digits than it learned with: no choice then hangs on the order of a sum."""

    def __init__(self) -> None:
        weights = learned_weights()
        self._features = Features(RULES, shape_of(weights, layout_of(RULES)).past, torch.device("cpu"))
        self._actor, self._past = in_pytorch(weights).double(), torch.zeros(GAMES, self._features.past, dtype=torch.uint8)

    def choose(self, seen: Tensor, legal: Tensor, running: Array) -> Array:
        """The best action in each of some games."""
        with torch.no_grad():
            worth = self._actor(self._features.rows(seen[running], self._past[running]))
        self._past = self._features.shifted(self._past, seen, torch.zeros(GAMES))
        best: Array = worth.masked_fill(~legal[running], -torch.inf).argmax(1).numpy()
        return best


@pytest.mark.slow
@pytest.mark.compiler
def test_in_a_thousand_games_every_move_is_the_same() -> None:
    games = Batch(RULES, GAMES, seed=0, automatic=False)
    package, pytorch = InTheirHeads(team(RULES, ("learned",)), np.array(games.save().states)), InPyTorch()
    moves = 0
    while games.running.any():
        running = np.flatnonzero(games.running)
        seen, legal = torch.from_numpy(games.observe("canonical")), torch.from_numpy(np.array(games.legal)).bool()
        theirs, ours = pytorch.choose(seen, legal, running), package.act(running)
        assert (ours == theirs).all()
        actions = np.zeros(GAMES, np.int64)
        actions[running] = ours
        games.step(actions)
        moves += len(running)
    assert moves > 60_000
    assert games.scores.mean() > 24.3
