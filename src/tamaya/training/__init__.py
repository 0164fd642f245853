"""Train a policy that teaches itself, on many games at once: ``./dev train`` (docs/training.md). Needs PyTorch, an extra."""

from tamaya.rules import require

require("torch", "training")
