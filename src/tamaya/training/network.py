"""The networks: one plays, one says what is to be expected."""

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
from tamaya.training.features import Features
from tamaya.training.games import OWN
from tamaya.training.settings import TrainingSettings

Judge = Callable[[Tensor], Tensor]
"""From rows of features to what each action is worth."""
NEVER = -1e9
"""What an illegal action is worth."""


class Actor(nn.Module):
    """From a row of features to what each action is worth: plain layers, so that others can work it out without PyTorch."""

    def __init__(self, cells: int, width: int, layers: int, actions: int) -> None:
        super().__init__()
        sizes = [cells] + [width] * layers
        self.hidden = nn.ModuleList(_linear(before, after, math.sqrt(2)) for before, after in pairwise(sizes))
        self.out = _linear(width, actions, 0.01)

    def judge(self, rows: Tensor) -> Tensor:
        """What each action is worth, for those who do not learn from it."""
        with torch.no_grad():
            found: Tensor = self(rows)
        return found

    def forward(self, rows: Tensor) -> Tensor:
        """What each action is worth."""
        cells = rows.to(self.out.weight.dtype)
        for layer in self.hidden:
            cells = torch.relu(layer(cells))
        found: Tensor = self.out(cells)
        return found


class Critic(nn.Module):
    """From a row of features and the player's own cards to the points that are still to come. It is gone after training."""

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
        """The points to come."""
        found: Tensor = self.layers(torch.cat((rows, own), 1).to(self.out.weight.dtype))
        return POINTS * found.squeeze(1).float()


POINTS = 10.0
"""The critic counts in tens of points: its numbers stay near 1."""


def _linear(before: int, after: int, gain: float) -> nn.Linear:
    layer = nn.Linear(before, after)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def networks_for(settings: TrainingSettings, features: Features) -> tuple[Actor, Critic]:
    """Both networks of a run, before they have learned anything."""
    layout = features.layout
    own, _ = row_of(OWN, "uint8", layout)
    actor = Actor(features.size, settings.width, settings.layers, layout.actions)
    return actor, Critic(features.size, own, settings.width)


def actor_with(numbers: Mapping[str, Tensor], settings: TrainingSettings, source: Path) -> Actor:
    """The network with these numbers, if they make one by these settings: anybody may have written both."""
    features = Features(settings.read_rules(), settings.past, torch.device("cpu"))
    shapes = [tuple(weights.shape) for name, weights in numbers.items() if name.endswith(".weight")]
    if len(shapes) == settings.layers + 1:
        sizes = [features.size, *[settings.width] * settings.layers, features.layout.actions]
        if shapes == [(after, before) for before, after in pairwise(sizes)]:
            actor = Actor(features.size, settings.width, settings.layers, features.layout.actions)
            with suppress(RuntimeError):  # a bias that is missing, or of another size
                actor.load_state_dict(numbers)
                return actor
    raise click.ClickException(f"The network in {source} does not fit the settings that stand beside it.")


def chances(worth: Tensor, legal: Tensor) -> Tensor:
    """The logarithms of the chances with which legal actions are taken."""
    return torch.log_softmax(worth.float().masked_fill(~legal, NEVER), 1)


def drawn(likely: Tensor) -> Tensor:
    """An action for each row of chances, drawn by them."""
    return (likely - torch.empty_like(likely).exponential_().log()).argmax(1)
