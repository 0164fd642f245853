"""Learning: proximal policy optimisation, every seat by the same network, with a critic that sees the player's own cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor

from tamaya.training.config import Schedule, TrainingSettings
from tamaya.training.environment import Games, Replayed, compiled, make_games, recorded
from tamaya.training.model import POINTS, Features, chances, networks_for
from tamaya.training.rollouts import Experience, RolloutCollector

STEERED = 1.2
"""By so much the rate of learning changes at a time when policies move too far or too little."""
LEAST_RATE = 0.02
"""The part of the highest rate below which it is not steered."""
ERROR_COUNTS = 0.5
"""How much the critic's error counts beside what moves were worth."""


@dataclass(frozen=True)
class Report:
    """What an update was like."""

    entropy: float
    divergence: float
    critic_error: float
    rate: float
    scores: float | None
    """The points made in this update for each game that ended in it, by a policy that draws lots and by the rules as they hold
    at the time. Just after a start, when all games are dealt anew, hardly any has ended: it then says little, or nothing."""

    def as_json(self) -> dict[str, float]:
        """For a line of the curve."""
        return {name: round(value, 6) for name, value in asdict(self).items() if value is not None}


class Learner:
    """Plays and learns in turns. On a GPU, what is done again and again is recorded once and then replayed as a whole."""

    def __init__(self, settings: TrainingSettings, device: str) -> None:
        torch.manual_seed(settings.seed)
        torch.set_float32_matmul_precision("high")  # what is counted in floats are small whole numbers
        self.settings, self.device, self.moves = settings, torch.device(device), 0
        self._history: list[dict[str, Any]] = []
        rules = settings.read_rules()
        self.games: Games = make_games(rules, settings.games, settings.seed, device)
        self.features = Features(rules, settings.past, self.device)
        self.most_points = self.features.layout.maximum
        self.actor, self.critic = (network.to(self.device) for network in networks_for(settings, self.features))
        self.rate = settings.rate
        self._rate = torch.tensor(settings.rate, device=self.device)
        self.optimizer = self._make_optimizer()
        self.experience = Experience(self.games, self.features, settings.turns)
        self._worth = compiled(self.actor, self.device)
        self._points = compiled(self.critic, self.device)
        self.players = RolloutCollector(self.games, self.features, self.judge, self._expect if settings.off_belief else None)
        self._chosen = torch.zeros(settings.minibatch, dtype=torch.int64, device=self.device)
        self._entropy = torch.zeros((), device=self.device)
        self._seen = torch.zeros(3, device=self.device)
        self._loss = compiled(self._find_loss, self.device)
        self.play: Replayed = recorded(lambda: self.players.play(self.experience), self.device)
        self.judge_moves: Replayed = recorded(self._find_advantages, self.device)
        self._step: Replayed = recorded(self._learn_from_some, self.device)

    def _make_optimizer(self) -> torch.optim.Adam:
        on_gpu = self.device.type == "cuda"
        parameters = [*self.actor.parameters(), *self.critic.parameters()]
        return torch.optim.Adam(parameters, lr=self._rate, eps=1e-5, fused=on_gpu or None, capturable=on_gpu)

    def _half(self) -> torch.autocast:
        """Multiply in half the precision where that is quick."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda", cache_enabled=False)

    def judge(self, rows: Tensor) -> Tensor:
        """What each action is worth to the policy as it is now."""
        with torch.no_grad(), self._half():
            found: Tensor = self._worth(rows)
        return found

    def _expect(self, rows: Tensor) -> Tensor:
        """The points to come, by what the player to move sees alone."""
        with torch.no_grad(), self._half():
            found: Tensor = self._points(rows, torch.zeros_like(self.experience.last_own))
        return found

    def update(self) -> Report:
        """Play, and learn from that."""
        schedule = Schedule.at(self.settings, self.moves, self.most_points)
        self.players.loss_costs.fill_(schedule.loss_costs)
        self._entropy.fill_(schedule.entropy)
        self.players.discount.fill_(schedule.discount)
        self.play()
        self.judge_moves()
        self._steer(schedule)
        self._seen.zero_()
        for part in self._parts():
            self._chosen.copy_(part)
            self._step()
        self.moves += self.settings.moves_an_update
        self._count_update()
        return self._report()

    def _count_update(self) -> None:
        """Keep in mind by which settings so many updates were made: they can be changed in a run that goes on."""
        settings = self.settings.as_json()
        if not self._history or self._history[-1]["settings"] != settings:
            self._history.append({"settings": settings, "updates": 0})
        self._history[-1]["updates"] += 1

    def _parts(self) -> Iterator[Tensor]:
        """All moves, each epoch in another order, cut into parts."""
        for _ in range(self.settings.epochs):
            order = torch.randperm(self.settings.moves_an_update, device=self.device)
            yield from order.view(-1, self.settings.minibatch)

    def _find_advantages(self) -> None:
        """What each move was worth more than was to be expected, and what came of it."""
        seen, trace = self.experience, self.settings.trace
        with torch.no_grad(), self._half():
            rows, own = seen.rows.flatten(0, 1), seen.own.flatten(0, 1)
            parts = zip(rows.split(self.settings.minibatch), own.split(self.settings.minibatch), strict=True)
            values = torch.cat([self._points(row, cards) for row, cards in parts]).view(seen.rewards.shape)
            if self.settings.off_belief:
                seen.advantages.copy_(seen.returns - values)
                return
            following = self._points(seen.last_row, seen.last_own)
        advantage, discount = torch.zeros_like(following), self.players.discount
        for turn in reversed(range(self.settings.turns)):
            goes_on = 1 - seen.ended[turn]
            surprise = seen.rewards[turn] + discount * following * goes_on - values[turn]
            advantage = surprise + discount * trace * goes_on * advantage
            seen.advantages[turn] = advantage
            following = values[turn]
        seen.returns.copy_(seen.advantages + values)

    def _learn_from_some(self) -> None:
        """One step of both networks."""
        seen, chosen = self.experience, self._chosen
        told = (seen.rows, seen.own, seen.legal, seen.actions, seen.chances, seen.advantages, seen.returns)
        loss, figures = self._loss(*[*(tensor.flatten(0, 1)[chosen] for tensor in told), self._entropy])
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        for network in (self.actor, self.critic):
            torch.nn.utils.clip_grad_norm_(network.parameters(), self.settings.longest_step)
        self.optimizer.step()
        self._seen += figures

    def _find_loss(
        self,
        rows: Tensor,
        own: Tensor,
        legal: Tensor,
        actions: Tensor,
        before: Tensor,
        advantages: Tensor,
        returns: Tensor,
        entropy_counts: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """What is to become less; and the entropy, how far the policy has moved, and the critic's error."""
        with self._half():
            worth, value = self.actor(rows), self.critic(rows, own)
        likely = chances(worth, legal)
        apart = likely.gather(1, actions[:, None]).squeeze(1) - before
        ratio = apart.exp()
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
        held = ratio.clamp(1 - self.settings.clip, 1 + self.settings.clip)
        gain = torch.minimum(ratio * advantages, held * advantages).mean()
        entropy = -(likely.exp() * likely).sum(1).mean()
        error = torch.nn.functional.mse_loss(value, returns)
        figures = torch.stack((entropy, (ratio - 1 - apart).mean(), error)).detach()
        return ERROR_COUNTS * error / POINTS**2 - gain - entropy_counts * entropy, figures

    def _steer(self, schedule: Schedule) -> None:
        """Learn more slowly where policies moved too far in the last update, and faster where they hardly moved."""
        divergence = float(self._seen[1]) / self._steps
        if divergence > 1.5 * schedule.divergence:
            self.rate /= STEERED
        elif 0 < divergence < schedule.divergence / 1.5:
            self.rate *= STEERED
        self.rate = min(max(self.rate, LEAST_RATE * schedule.rate), schedule.rate)
        self._rate.fill_(self.rate)

    @property
    def _steps(self) -> int:
        return self.settings.epochs * self.settings.moves_an_update // self.settings.minibatch

    def _report(self) -> Report:
        entropy, divergence, error = (self._seen / self._steps).tolist()
        ended = float(self.experience.ended.sum())
        scores = float(self.experience.rewards.sum()) / ended if ended else None
        return Report(entropy, divergence, error, self.rate, scores)

    @property
    def has_diverged(self) -> bool:
        """Whether anything that was learned, or that the last update told, is no number any more."""
        tensors = (self._seen, *self.actor.parameters(), *self.critic.parameters())
        return not all(bool(tensor.isfinite().all()) for tensor in tensors)

    def state(self) -> dict[str, Any]:
        """What a run needs to go on, apart from the optimiser's memory."""
        return {
            "settings": self.settings.as_json(),
            "history": self._history,
            "moves": self.moves,
            "rate": self.rate,
            "actor": self.actor.state_dict(),
            "critic": self.critic.state_dict(),
        }

    def restore(self, state: dict[str, Any], moments: dict[str, Any] | None) -> None:
        """Go on from what was kept; with other games than those before."""
        self.moves, self.rate = int(state["moves"]), float(state["rate"])
        self._history = [dict(part) for part in state["history"]]
        self.actor.load_state_dict(state["actor"])
        self.critic.load_state_dict(state["critic"])
        if moments:  # of each weight; how steps are made depends on the device, which may be another one now
            self._require_moments(moments["state"])
            self.optimizer.load_state_dict({**self.optimizer.state_dict(), "state": moments["state"]})
        for group in self.optimizer.param_groups:
            group["lr"] = self._rate
        self.games.deal(self.settings.seed + self.moves)
        torch.manual_seed(self.settings.seed + self.moves)

    def _require_moments(self, state: dict[int, dict[str, Tensor]]) -> None:
        """Refuse what the optimiser of another network remembers."""
        wanted = [weights.shape for group in self.optimizer.param_groups for weights in group["params"]]
        if state and [state[place]["exp_avg"].shape for place in range(len(state))] != wanted:
            raise ValueError("moments of another network")
