"""The networks, actor and critic, and the features that they see.

Features are the canonical observation, the last actions, and facts derived from the observation. All cells are 0 or 1. Facts
never go beyond what the player could work out: they spare the network the counting of cards.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import click
import torch
from torch import Tensor, nn

from tamaya.bots.encoding import row_of
from tamaya.bots.encoding.sections import board_cells, canonical_sections, knowledge_width
from tamaya.bots.learned.features import places_of
from tamaya.engine.layout import HEIGHT, Layout, layout_of
from tamaya.rules import Rules
from tamaya.training.config import TrainingSettings
from tamaya.training.environment import OWN

ActionScorer = Callable[[Tensor], Tensor]
"""Maps rows of features to a score for each action."""
NEVER = -1e9
"""The score of an illegal action."""


class Actor(nn.Module):
    """Scores each action by a row of features. Its layers are simple: `tamaya.bots.learned` computes them in integers."""

    def __init__(self, cells: int, width: int, layers: int, actions: int) -> None:
        super().__init__()
        sizes = [cells] + [width] * layers
        self.hidden = nn.ModuleList(_linear(before, after, math.sqrt(2)) for before, after in pairwise(sizes))
        self.out = _linear(width, actions, 0.01)

    def score_actions(self, rows: Tensor) -> Tensor:
        """Score each action, without gradients."""
        with torch.no_grad():
            found: Tensor = self(rows)
        return found

    def forward(self, rows: Tensor) -> Tensor:
        """Score each action."""
        cells = rows.to(self.out.weight.dtype)
        for layer in self.hidden:
            cells = torch.relu(layer(cells))
        found: Tensor = self.out(cells)
        return found


class Critic(nn.Module):
    """Predicts the points still to come by a row of features and the player's own cards. Only for training."""

    def __init__(self, cells: int, own: int, width: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            _linear(cells + own, width, math.sqrt(2)),
            nn.LayerNorm(width),
            nn.ReLU(),
            _linear(width, width, math.sqrt(2)),
            nn.LayerNorm(width),
            nn.ReLU(),
            _linear(width, 1, 1.0),
        )
        self.out = self.layers[-1]

    def forward(self, rows: Tensor, own: Tensor) -> Tensor:
        """Predict the points to come."""
        found: Tensor = self.layers(torch.cat((rows, own), 1).to(self.out.weight.dtype))
        return POINTS * found.squeeze(1).float()


POINTS = 10.0
"""The critic's unit in points, which keeps its outputs near 1."""


def _linear(before: int, after: int, gain: float) -> nn.Linear:
    layer = nn.Linear(before, after)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def build_networks(settings: TrainingSettings, features: Features) -> tuple[Actor, Critic]:
    """Return actor and critic of a run, with initial weights."""
    layout = features.layout
    own, _ = row_of(OWN, "uint8", layout)
    actor = Actor(features.size, settings.width, settings.layers, layout.actions)
    return actor, Critic(features.size, own, settings.width)


def load_actor(numbers: Mapping[str, Tensor], settings: TrainingSettings, source: Path) -> Actor:
    """Return an actor with the weights of a file; refuse weights that do not fit the file's settings."""
    features = Features(settings.read_rules(), settings.history, torch.device("cpu"))
    shapes = [tuple(weights.shape) for name, weights in numbers.items() if name.endswith(".weight")]
    if len(shapes) == settings.layers + 1:
        sizes = [features.size, *[settings.width] * settings.layers, features.layout.actions]
        if shapes == [(after, before) for before, after in pairwise(sizes)]:
            actor = Actor(features.size, settings.width, settings.layers, features.layout.actions)
            with suppress(RuntimeError):  # a bias that is missing or has another size
                actor.load_state_dict(numbers)
                return actor
    raise click.ClickException(f"The network in {source} does not fit the settings that stand beside it.")


def log_probabilities(scores: Tensor, legal: Tensor) -> Tensor:
    """Return the log-probabilities of actions by their scores; illegal actions have none."""
    return torch.log_softmax(scores.float().masked_fill(~legal, NEVER), 1)


def sample_actions(log_probs: Tensor) -> Tensor:
    """Sample an action for each row of log-probabilities."""
    return (log_probs - torch.empty_like(log_probs).exponential_().log()).argmax(1)


class Features:
    """Computes the rows of a network from observations, for given rules."""

    def __init__(self, rules: Rules, history: int, device: torch.device) -> None:
        self.layout: Layout = layout_of(rules)
        layout, sections = self.layout, canonical_sections(self.layout)
        self.seen = sections.size
        self.last_action = sections["last_action"]
        self.history = (history - 1) * (self.last_action.stop - self.last_action.start)
        self.others = layout.players - 1
        self.size = places_of(layout, history).size
        self._hands = slice(0, self.others * layout.hand_size * layout.cards)
        fireworks = board_cells(layout, sections.start("board")).fireworks
        self._fireworks = slice(fireworks, fireworks + layout.cards)
        self._discards, self._knowledge = sections["discards"], sections["knowledge"]
        self._copies = torch.tensor(layout.copies, dtype=torch.float32, device=device)
        cards = torch.arange(layout.cards, device=device).repeat_interleave(self._copies.long())
        firsts = self._copies.cumsum(0) - self._copies
        self._card_of, self._rank = cards, torch.arange(layout.deck_size, device=device) - firsts[cards]
        self._adds_up = torch.nn.functional.one_hot(cards, layout.cards).float()
        same = torch.arange(layout.cards, device=device) // HEIGHT
        value = torch.arange(layout.cards, device=device) % HEIGHT
        alike = same[:, None] == same[None, :]
        self._reaches = (alike & (value[:, None] >= value[None, :])).float()
        """Maps the top card of a firework to all its cards."""
        self._blocks = (alike & (value[:, None] < value[None, :])).float()
        """Maps a card to those of its colour that come later."""
        self._first = (value == 0).float()

    def shift_history(self, history: Tensor, seen: Tensor, ended: Tensor) -> Tensor:
        """Return the history one turn later: the last action seen comes first, and a new game has an empty history."""
        width = self.last_action.stop - self.last_action.start
        later = torch.cat((seen[:, self.last_action], history[:, : self.history - width]), 1) if self.history else history
        return later * (ended == 0).to(later.dtype)[:, None]

    def rows(self, seen: Tensor, history: Tensor) -> Tensor:
        """Return the rows for a network."""
        return torch.cat((seen, history, self.facts_of(seen)), 1)

    def facts_of(self, seen: Tensor) -> Tensor:
        """Return the facts that follow from observations by counting cards."""
        layout, count = self.layout, seen.shape[0]
        hands = seen[:, self._hands].float().view(count, self.others, layout.hand_size, layout.cards)
        placed = seen[:, self._fireworks].float() @ self._reaches
        discarded = seen[:, self._discards].float() @ self._adds_up
        knowledge = seen[:, self._knowledge].float().view(count, layout.players, layout.hand_size, knowledge_width(layout))
        left = self._copies - discarded - placed
        kinds = self._kinds(placed, discarded)
        unseen = left - hands.sum((1, 2))
        counts = torch.cat((unseen[:, None], left[:, None].expand(-1, self.others, -1)), 1)[:, :, None]
        weights = knowledge[..., : layout.cards] * counts
        chances = weights.flatten(1, 2) @ kinds
        total = weights.flatten(1, 2).sum(2, keepdim=True)
        levels = (
            torch.stack(
                (chances > 0, 4 * chances >= total, 2 * chances >= total, 4 * chances >= 3 * total, chances >= total), 3
            )
            & (total > 0)[..., None]
        )
        facts = (
            levels.flatten(1),
            (hands.flatten(1, 2) @ kinds).flatten(1) > 0,
            unseen[:, self._card_of] > self._rank,
            kinds.flatten(1) > 0,
        )
        return torch.cat(facts, 1).to(torch.uint8)

    def _kinds(self, placed: Tensor, discarded: Tensor) -> Tensor:
        """For each card, return whether it is playable, useless, and the last copy of a useful card."""
        below = torch.roll(placed, 1, 1) * (1 - self._first) + self._first
        playable = below * (1 - placed)
        gone = (discarded >= self._copies).float() * (1 - placed)
        dead = ((placed + gone @ self._blocks) > 0).float()
        last = (self._copies - discarded == 1).float() * (1 - dead)
        return torch.stack((playable, dead, last), 2)
