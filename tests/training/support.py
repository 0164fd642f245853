"""Small training runs for tests."""

from __future__ import annotations

from typing import Any

import torch
from click.testing import CliRunner, Result

from tamaya.bots.learned.weights import LearnedWeights
from tamaya.training.__main__ import train
from tamaya.training.config import TrainingSettings
from tamaya.training.export import as_floats
from tamaya.training.model import Actor
from tamaya.training.ppo import Learner

DEVICE = "cpu"
TINY: dict[str, Any] = {"games": 8, "turns": 4, "minibatch": 16, "width": 16, "layers": 2, "history": 2}
SHORT = ("--device", DEVICE, "--deals", "8", "--updates", "2")
"""Options of a short run on the command line."""


def said(*words: object) -> Result:
    """Run the command line."""
    return CliRunner().invoke(train, [str(word) for word in words])


def chosen(**settings: object) -> list[str]:
    """Settings as command-line options."""
    return [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]


def tiny(**changes: Any) -> TrainingSettings:
    """Settings of a very small run."""
    return TrainingSettings(**{**TINY, **changes})


def in_pytorch(weights: LearnedWeights) -> Actor:
    """A network of the package as a PyTorch module."""
    (cells, width), (_, actions) = weights.layers[0].weights.shape, weights.layers[-1].weights.shape
    actor = Actor(cells, width, len(weights.layers) - 1, actions)
    actor.load_state_dict(as_floats(weights))
    return actor


def same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    """Whether two networks have the same weights."""
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


def memory_of(learner: Learner) -> list[torch.Tensor]:
    """The optimiser's moments of each weight."""
    states = learner.optimizer.state_dict()["state"]
    return [states[place][name].float() for place in sorted(states) for name in ("exp_avg", "exp_avg_sq")]
