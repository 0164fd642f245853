"""Playing: so many turns of all games by a policy that draws lots, written down to be learned from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from tamaya.training.environment import Games, compiled
from tamaya.training.model import Features, Judge, chances, drawn


class Experience:
    """What was seen and done in so many turns of all games; each tensor has a row for a turn and a column for a game."""

    def __init__(self, games: Games, features: Features, turns: int) -> None:
        def room(*shape: int, of: torch.dtype) -> Tensor:
            return torch.zeros(turns, games.count, *shape, dtype=of, device=games.device)

        self.rows = room(features.size, of=torch.uint8)
        self.own = room(games.own.shape[1], of=torch.uint8)
        self.legal = room(games.legal.shape[1], of=torch.bool)
        self.actions = room(of=torch.int64)
        self.chances = room(of=torch.float32)
        self.rewards = room(of=torch.float32)
        self.ended = room(of=torch.float32)
        self.advantages = room(of=torch.float32)
        self.returns = room(of=torch.float32)
        self.last_row = torch.zeros_like(self.rows[0])
        """What is seen after the last turn."""
        self.last_own = torch.zeros_like(self.own[0])


class RolloutCollector:
    """Plays all games by a policy, and keeps their past. With something to `expect`, moves are judged off belief."""

    def __init__(self, games: Games, features: Features, judge: Judge, expect: Expect | None = None) -> None:
        self._games, self._features, self._judge = games, features, judge
        self._rows = compiled(features.rows, games.device)
        self._supposition = Supposition(games, features, self._rows, judge, expect) if expect else None
        self.past = torch.zeros(games.count, features.past, dtype=torch.uint8, device=games.device)
        self.loss_costs = torch.ones((), device=games.device)
        self.discount = torch.ones((), device=games.device)

    def play(self, into: Experience) -> None:
        """So many turns as there is room for."""
        games = self._games
        for turn in range(into.rows.shape[0]):
            row, legal = self._rows(games.seen, self.past), games.legal.bool()
            likely = chances(self._judge(row), legal)
            action = drawn(likely)
            into.rows[turn], into.legal[turn], into.actions[turn] = row, legal, action
            into.chances[turn] = likely.gather(1, action[:, None]).squeeze(1)
            if self._supposition:
                into.returns[turn] = self._supposition.worth(games, self.past, action, self.discount, self.loss_costs)
            else:
                into.own[turn] = games.own
            self._act(action)
            into.rewards[turn] = torch.maximum(games.rewards, -self.loss_costs)
            into.ended[turn] = games.endings != 0
        if not self._supposition:
            into.last_row.copy_(self._rows(games.seen, self.past))
            into.last_own.copy_(games.own)

    def play_greedily(self, most: int, seats: Sequence[Judge] = ()) -> tuple[Tensor, Tensor]:
        """The score of the first game of every place, always by the best action, and how it ended; no game may last for more
        than so many turns. The policy plays at all seats, unless there is one for each."""
        games = self._games
        scores, endings = torch.zeros(2, games.count, dtype=torch.int64, device=games.device)
        turn = 0
        self.past.zero_()
        while not bool(endings.all()):
            if turn == most:
                raise RuntimeError(f"a game was not over after {most} turns")
            row, legal = self._rows(games.seen, self.past), games.legal.bool()
            judge = seats[turn % len(seats)] if seats else self._judge
            self._act(chances(judge(row), legal).argmax(1))
            ends = (games.endings != 0) & (endings == 0)
            scores = torch.where(ends, games.scores.long(), scores)
            endings = torch.where(ends, games.endings.long(), endings)
            turn += 1
        return scores, endings

    def _act(self, action: Tensor) -> None:
        """Take an action in every game, and remember it where the game goes on."""
        games = self._games
        seen = games.seen.clone()
        games.step(action)
        self.past.copy_(self._features.shifted(self.past, seen, games.endings))


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
