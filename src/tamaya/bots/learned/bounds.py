"""How large numbers can become in a network. Compiled, it adds up its first layer in 32 bits, and takes cells into the hidden
layers with as many where these suffice (`network.py`); other numbers have 64. Nothing looks out for an overflow while it plays;
this does before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tamaya.bots.learned.memory import CELL_BITS

if TYPE_CHECKING:
    from tamaya.bots.learned.weights import LearnedWeights

SMALL, LARGE = 2.0**31, 2.0**62
"""What stays below fits into 32 bits and, with room for rounding here, into 64."""


def stays_small(weights: LearnedWeights) -> bool:
    """Whether all sums fit, in whatever order, and whichever cells are on."""
    return all(largest < (LARGE if place else SMALL) for place, (largest, _) in enumerate(_largest(weights)))


def small_cells(weights: LearnedWeights) -> list[bool]:
    """Of each layer whether the cells that come of it fit into 32 bits."""
    return [largest < SMALL for _, largest in _largest(weights)]


def _largest(weights: LearnedWeights) -> Iterator[tuple[float, float]]:
    """Of each layer the largest sum there can be on the way, and the largest cell that can come of it."""
    import numpy as np

    cells = np.ones(len(weights.layers[0].weights))
    for place, layer in enumerate(weights.layers):
        rows, added = layer.weights.astype(float), layer.added.astype(float)
        sums = cells @ np.abs(rows) + np.abs(added)
        most = np.maximum(cells @ np.maximum(rows, 0) + added, 0)
        cells = most * 2.0 ** (-layer.bits if place else CELL_BITS - layer.bits)
        yield float(sums.max()), float(cells.max())
