"""Train a policy by self-play on many games at once: ``./dev train`` (docs/training.md). Needs PyTorch, an extra."""

from tamaya.rules import require

require("torch", "training")
