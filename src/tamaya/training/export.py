"""Convert a trained network to the integer weights that `tamaya.bots.learned` plays with."""

from __future__ import annotations

import math
from typing import Any

import click
import numpy as np
import torch

from tamaya.bots.learned.features import CELL_BITS
from tamaya.bots.learned.weights import LearnedLayer, LearnedWeights, stays_small

MAX_WEIGHT = 32_767
"""The largest 16-bit integer."""
MAX_BITS = 15


def quantise(actor: dict[str, torch.Tensor], about: dict[str, Any]) -> LearnedWeights:
    """Return a network in integer weights, with metadata. A network whose sums might overflow is refused."""
    names = [name.removesuffix(".weight") for name in actor if name.endswith(".weight")]
    kernels = {name: actor[f"{name}.weight"].double().T.numpy() for name in names}
    bits = {name: _bits_for(float(np.abs(kernel).max())) for name, kernel in kernels.items()}
    layers = [_layer(kernels[names[0]], actor[f"{names[0]}.bias"], bits[names[0]], 0)]
    for name in names[1:]:
        layers.append(_layer(kernels[name], actor[f"{name}.bias"], bits[name], CELL_BITS))
    weights = LearnedWeights(about, tuple(layers))
    if not stays_small(weights):
        raise _too_large()
    return weights


def _too_large() -> click.ClickException:
    return click.ClickException("The weights of this network are so large that sums of them might not fit.")


def _bits_for(largest: float) -> int:
    """Return how many fractional bits leave room for the largest weight."""
    if not largest <= MAX_WEIGHT:
        raise _too_large()
    return min(MAX_BITS, math.floor(math.log2(MAX_WEIGHT / largest))) if largest else MAX_BITS


def _layer(kernel: Any, bias: torch.Tensor, bits: int, bits_before: int) -> LearnedLayer:
    weights = np.rint(kernel * 2.0**bits).astype(np.int16)
    added = np.rint(bias.double().numpy() * 2.0 ** (bits + bits_before)).astype(np.int64)
    return LearnedLayer(weights, added, bits)


def as_floats(weights: LearnedWeights) -> dict[str, torch.Tensor]:
    """Return integer weights as floats, for `Actor.load_state_dict`."""
    names = [*(f"hidden.{place}" for place in range(len(weights.layers) - 1)), "out"][: len(weights.layers)]
    found, before = {}, 0
    for name, layer in zip(names, weights.layers, strict=True):
        found[f"{name}.weight"] = torch.from_numpy(layer.weights.T / 2.0**layer.bits).float()
        found[f"{name}.bias"] = torch.from_numpy(layer.added / 2.0 ** (layer.bits + before)).float()
        before = CELL_BITS
    return found
