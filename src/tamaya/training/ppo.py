"""Proximal policy optimisation: one network plays every seat, and a critic sees the player's own cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor

from tamaya.training.config import Schedule, TrainingSettings
from tamaya.training.environment import Games, Work, build_games, compiled, cuda_graph
from tamaya.training.model import POINTS, Features, build_networks, log_probabilities
from tamaya.training.rollouts import RolloutBuffer, RolloutCollector

RATE_STEP = 1.2
"""The factor by which the learning rate changes after an update that moved the policy too far or too little."""
LOWEST_RATE = 0.02
"""The lowest learning rate, as a fraction of the scheduled one."""
CRITIC_WEIGHT = 0.5
"""The weight of the critic's error in the loss."""


@dataclass(frozen=True)
class UpdateReport:
    """Figures of one update."""

    entropy: float
    divergence: float
    critic_error: float
    rate: float
    scores: float | None
    """The points per game that ended in this update, with the present loss penalty; None if no game ended."""

    def as_json(self) -> dict[str, float]:
        """Return the figures for a line of the curve."""
        return {name: round(value, 6) for name, value in asdict(self).items() if value is not None}


class Learner:
    """Plays and learns in turns; on a GPU, each repeated step is a CUDA graph."""

    def __init__(self, settings: TrainingSettings, device: str) -> None:
        torch.manual_seed(settings.seed)
        torch.set_float32_matmul_precision("high")  # features are small integers
        self.settings, self.device, self.moves = settings, torch.device(device), 0
        self._parts_of_run: list[dict[str, Any]] = []
        rules = settings.read_rules()
        self.games: Games = build_games(rules, settings.games, settings.seed, device)
        self.features = Features(rules, settings.history, self.device)
        self.most_points = self.features.layout.maximum
        self.actor, self.critic = (network.to(self.device) for network in build_networks(settings, self.features))
        self.rate = settings.rate
        self._rate = torch.tensor(settings.rate, device=self.device)
        self.optimizer = self._make_optimizer()
        self.buffer = RolloutBuffer(self.games, self.features, settings.turns)
        self._actor = compiled(self.actor, self.device)
        self._critic = compiled(self.critic, self.device)
        self.collector = RolloutCollector(
            self.games, self.features, self.score_actions, self._predict_value if settings.off_belief else None
        )
        self._minibatch = torch.zeros(settings.minibatch, dtype=torch.int64, device=self.device)
        self._entropy_weight = torch.zeros((), device=self.device)
        self._figures = torch.zeros(3, device=self.device)
        self._loss = compiled(self._loss_of, self.device)
        self.play: Work = cuda_graph(lambda: self.collector.play(self.buffer), self.device)
        self.estimate_advantages: Work = cuda_graph(self._estimate_advantages, self.device)
        self._step: Work = cuda_graph(self._train_on_minibatch, self.device)

    def _make_optimizer(self) -> torch.optim.Adam:
        on_gpu = self.device.type == "cuda"
        parameters = [*self.actor.parameters(), *self.critic.parameters()]
        return torch.optim.Adam(parameters, lr=self._rate, eps=1e-5, fused=on_gpu or None, capturable=on_gpu)

    def _half(self) -> torch.autocast:
        """Multiply in bfloat16 on a GPU."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda", cache_enabled=False)

    def score_actions(self, rows: Tensor) -> Tensor:
        """Score each action by the current policy."""
        with torch.no_grad(), self._half():
            found: Tensor = self._actor(rows)
        return found

    def _predict_value(self, rows: Tensor) -> Tensor:
        """Predict the points to come only by what the player to move sees."""
        with torch.no_grad(), self._half():
            found: Tensor = self._critic(rows, torch.zeros_like(self.buffer.last_own))
        return found

    def update(self) -> UpdateReport:
        """Collect a rollout and learn from it."""
        schedule = Schedule.at(self.settings, self.moves, self.most_points)
        self.collector.loss_penalty.fill_(schedule.loss_penalty)
        self._entropy_weight.fill_(schedule.entropy)
        self.collector.discount.fill_(schedule.discount)
        self.play()
        self.estimate_advantages()
        self._adapt_rate(schedule)
        self._figures.zero_()
        for part in self._minibatches():
            self._minibatch.copy_(part)
            self._step()
        self.moves += self.settings.moves_per_update
        self._count_update()
        return self._report()

    def _count_update(self) -> None:
        """Count the update in the history of the run: settings can change when a run is resumed."""
        settings = self.settings.as_json()
        if not self._parts_of_run or self._parts_of_run[-1]["settings"] != settings:
            self._parts_of_run.append({"settings": settings, "updates": 0})
        self._parts_of_run[-1]["updates"] += 1

    def _minibatches(self) -> Iterator[Tensor]:
        """Yield the indices of all moves in minibatches, in a different order each epoch."""
        for _ in range(self.settings.epochs):
            order = torch.randperm(self.settings.moves_per_update, device=self.device)
            yield from order.view(-1, self.settings.minibatch)

    def _estimate_advantages(self) -> None:
        seen, gae_lambda = self.buffer, self.settings.gae_lambda
        with torch.no_grad(), self._half():
            rows, own = seen.rows.flatten(0, 1), seen.own.flatten(0, 1)
            parts = zip(rows.split(self.settings.minibatch), own.split(self.settings.minibatch), strict=True)
            values = torch.cat([self._critic(row, cards) for row, cards in parts]).view(seen.rewards.shape)
            if self.settings.off_belief:
                seen.advantages.copy_(seen.returns - values)
                return
            following = self._critic(seen.last_row, seen.last_own)
        advantage, discount = torch.zeros_like(following), self.collector.discount
        for turn in reversed(range(self.settings.turns)):
            goes_on = 1 - seen.ended[turn]
            surprise = seen.rewards[turn] + discount * following * goes_on - values[turn]
            advantage = surprise + discount * gae_lambda * goes_on * advantage
            seen.advantages[turn] = advantage
            following = values[turn]
        seen.returns.copy_(seen.advantages + values)

    def _train_on_minibatch(self) -> None:
        seen, chosen = self.buffer, self._minibatch
        told = (seen.rows, seen.own, seen.legal, seen.actions, seen.log_probabilities, seen.advantages, seen.returns)
        loss, figures = self._loss(*[*(tensor.flatten(0, 1)[chosen] for tensor in told), self._entropy_weight])
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        for network in (self.actor, self.critic):
            torch.nn.utils.clip_grad_norm_(network.parameters(), self.settings.longest_step)
        self.optimizer.step()
        self._figures += figures

    def _loss_of(
        self,
        rows: Tensor,
        own: Tensor,
        legal: Tensor,
        actions: Tensor,
        before: Tensor,
        advantages: Tensor,
        returns: Tensor,
        entropy_weight: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """Return the loss, and as figures the entropy, the KL divergence and the critic's error."""
        with self._half():
            scores, value = self.actor(rows), self.critic(rows, own)
        log_probs = log_probabilities(scores, legal)
        apart = log_probs.gather(1, actions[:, None]).squeeze(1) - before
        ratio = apart.exp()
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
        held = ratio.clamp(1 - self.settings.clip, 1 + self.settings.clip)
        gain = torch.minimum(ratio * advantages, held * advantages).mean()
        entropy = -(log_probs.exp() * log_probs).sum(1).mean()
        error = torch.nn.functional.mse_loss(value, returns)
        figures = torch.stack((entropy, (ratio - 1 - apart).mean(), error)).detach()
        return CRITIC_WEIGHT * error / POINTS**2 - gain - entropy_weight * entropy, figures

    def _adapt_rate(self, schedule: Schedule) -> None:
        """Adapt the learning rate to the divergence of the last update."""
        divergence = float(self._figures[1]) / self._steps
        if divergence > 1.5 * schedule.divergence:
            self.rate /= RATE_STEP
        elif 0 < divergence < schedule.divergence / 1.5:
            self.rate *= RATE_STEP
        self.rate = min(max(self.rate, LOWEST_RATE * schedule.rate), schedule.rate)
        self._rate.fill_(self.rate)

    @property
    def _steps(self) -> int:
        return self.settings.epochs * self.settings.moves_per_update // self.settings.minibatch

    def _report(self) -> UpdateReport:
        entropy, divergence, error = (self._figures / self._steps).tolist()
        ended = float(self.buffer.ended.sum())
        scores = float(self.buffer.rewards.sum()) / ended if ended else None
        return UpdateReport(entropy, divergence, error, self.rate, scores)

    @property
    def has_diverged(self) -> bool:
        """Whether a weight, or a figure of the last update, is not finite."""
        tensors = (self._figures, *self.actor.parameters(), *self.critic.parameters())
        return not all(bool(tensor.isfinite().all()) for tensor in tensors)

    def state(self) -> dict[str, Any]:
        """Return the state to resume from, without that of the optimiser."""
        return {
            "settings": self.settings.as_json(),
            "history": self._parts_of_run,
            "moves": self.moves,
            "rate": self.rate,
            "actor": self.actor.state_dict(),
            "critic": self.critic.state_dict(),
        }

    def restore(self, state: dict[str, Any], moments: dict[str, Any] | None) -> None:
        """Resume from a saved state, with new games."""
        self.moves, self.rate = int(state["moves"]), float(state["rate"])
        self._parts_of_run = [dict(part) for part in state["history"]]
        self.actor.load_state_dict(state["actor"])
        self.critic.load_state_dict(state["critic"])
        if moments:  # only the moments: other options of the optimiser depend on the device, which may have changed
            self._check_moments(moments["state"])
            self.optimizer.load_state_dict({**self.optimizer.state_dict(), "state": moments["state"]})
        for group in self.optimizer.param_groups:
            group["lr"] = self._rate
        self.games.deal(self.settings.seed + self.moves)
        torch.manual_seed(self.settings.seed + self.moves)

    def _check_moments(self, state: dict[int, dict[str, Tensor]]) -> None:
        """Refuse the moments of another network's optimiser."""
        wanted = [weights.shape for group in self.optimizer.param_groups for weights in group["params"]]
        if state and [state[place]["exp_avg"].shape for place in range(len(state))] != wanted:
            raise ValueError("moments of another network")
