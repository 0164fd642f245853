"""Rollouts: turns of all games by a policy that samples its actions, recorded to learn from.

Off-belief rollouts value a move as if all moves before it meant nothing beyond the literal clues. In self-play, policies agree
on secret meanings that no stranger knows. So a move is not valued in the game in which it was made, but in another world that
its player could be in if all players had moved at random so far; from there on all play by the policy. This is the first level
of Hu and others, *Off-Belief Learning*, ICML 2021, with policy gradients instead of Q-learning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from tamaya.training.environment import Games, compiled
from tamaya.training.model import ActionScorer, Features, log_probabilities, sample_actions

Rows = Callable[[Tensor, Tensor], Tensor]
"""Maps observations and histories to rows of features."""
ValueFunction = Callable[[Tensor], Tensor]
"""Maps rows of features to the points that are still to come."""


class RolloutBuffer:
    """What was seen and done in some turns of all games; each tensor has a row per turn and a column per game."""

    def __init__(self, games: Games, features: Features, turns: int) -> None:
        def zeros(*shape: int, of: torch.dtype) -> Tensor:
            return torch.zeros(turns, games.count, *shape, dtype=of, device=games.device)

        self.rows = zeros(features.size, of=torch.uint8)
        self.own = zeros(games.own.shape[1], of=torch.uint8)
        self.legal = zeros(games.legal.shape[1], of=torch.bool)
        self.actions = zeros(of=torch.int64)
        self.log_probabilities = zeros(of=torch.float32)
        self.rewards = zeros(of=torch.float32)
        self.ended = zeros(of=torch.float32)
        self.advantages = zeros(of=torch.float32)
        self.returns = zeros(of=torch.float32)
        self.last_row = torch.zeros_like(self.rows[0])
        """The features after the last turn."""
        self.last_own = torch.zeros_like(self.own[0])


class RolloutCollector:
    """Plays all games by a policy, and keeps their history. With `predict_value`, moves are valued off belief."""

    def __init__(
        self, games: Games, features: Features, score_actions: ActionScorer, predict_value: ValueFunction | None = None
    ) -> None:
        self._games, self._features, self._score_actions = games, features, score_actions
        self._rows = compiled(features.rows, games.device)
        self._off_belief = (
            OffBeliefRollout(games, features, self._rows, score_actions, predict_value) if predict_value else None
        )
        self.history = torch.zeros(games.count, features.history, dtype=torch.uint8, device=games.device)
        self.loss_penalty = torch.ones((), device=games.device)
        self.discount = torch.ones((), device=games.device)

    def play(self, buffer: RolloutBuffer) -> None:
        """Play as many turns as the buffer holds."""
        games = self._games
        for turn in range(buffer.rows.shape[0]):
            row, legal = self._rows(games.seen, self.history), games.legal.bool()
            log_probs = log_probabilities(self._score_actions(row), legal)
            action = sample_actions(log_probs)
            buffer.rows[turn], buffer.legal[turn], buffer.actions[turn] = row, legal, action
            buffer.log_probabilities[turn] = log_probs.gather(1, action[:, None]).squeeze(1)
            if self._off_belief:
                buffer.returns[turn] = self._off_belief.returns(games, self.history, action, self.discount, self.loss_penalty)
            else:
                buffer.own[turn] = games.own
            self._act(action)
            buffer.rewards[turn] = torch.maximum(games.rewards, -self.loss_penalty)
            buffer.ended[turn] = games.endings != 0
        if not self._off_belief:
            buffer.last_row.copy_(self._rows(games.seen, self.history))
            buffer.last_own.copy_(games.own)

    def play_greedily(self, max_turns: int, seats: Sequence[ActionScorer] = ()) -> tuple[Tensor, Tensor]:
        """Play one game at every place, always by the best action; return scores and endings. No game may take more than
        `max_turns`. The policy plays at all seats, unless `seats` names one for each."""
        games = self._games
        scores, endings = torch.zeros(2, games.count, dtype=torch.int64, device=games.device)
        turn = 0
        self.history.zero_()
        while not bool(endings.all()):
            if turn == max_turns:
                raise RuntimeError(f"a game was not over after {max_turns} turns")
            row, legal = self._rows(games.seen, self.history), games.legal.bool()
            score_actions = seats[turn % len(seats)] if seats else self._score_actions
            self._act(log_probabilities(score_actions(row), legal).argmax(1))
            ends = (games.endings != 0) & (endings == 0)
            scores = torch.where(ends, games.scores.long(), scores)
            endings = torch.where(ends, games.endings.long(), endings)
            turn += 1
        return scores, endings

    def _act(self, action: Tensor) -> None:
        games = self._games
        seen = games.seen.clone()
        games.step(action)
        self.history.copy_(self._features.shift_history(self.history, seen, games.endings))


class OffBeliefRollout:
    """Values moves in resampled worlds, one for each game."""

    def __init__(
        self, games: Games, features: Features, rows: Rows, score_actions: ActionScorer, predict_value: ValueFunction
    ) -> None:
        self._games, self._features = games.twin(), features
        self._rows, self._score_actions, self._predict_value = rows, score_actions, predict_value

    def returns(self, real: Games, history: Tensor, action: Tensor, discount: Tensor, loss_penalty: Tensor) -> Tensor:
        """Return the value of moves: the points until their players move again, and the points predicted then."""
        games, seen = self._games, real.seen
        games.resample(real)
        points, counts = torch.zeros_like(loss_penalty).expand(games.count), torch.ones_like(discount).expand(games.count)
        for turn in range(games.rules.players):
            games.step(action)
            points = points + counts * torch.maximum(games.rewards, -loss_penalty)
            counts = counts * discount * (games.endings == 0)
            history = self._features.shift_history(history, seen, games.endings)
            seen = games.seen.clone()
            row = self._rows(seen, history)
            if turn < games.rules.players - 1:
                action = sample_actions(log_probabilities(self._score_actions(row), games.legal.bool()))
        return points + counts * self._predict_value(row)
