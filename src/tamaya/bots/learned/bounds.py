"""How large numbers can become in a network. Compiled, it adds up its first layer in 32 bits and takes cells into the hidden
layers with as many (`network.py`); other sums have 64. Nothing looks out for an overflow while it plays; this does before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamaya.bots.learned.memory import CELL_BITS

if TYPE_CHECKING:
    from tamaya.bots.learned.weights import LearnedWeights

CELLS, SUMS = 2.0**31, 2.0**62
"""What stays below fits into 32 bits and, with room for rounding here, into 64."""


def stays_small(weights: LearnedWeights) -> bool:
    """Whether all sums fit, in whatever order, and whichever cells are on."""
    import numpy as np

    cells = np.ones(len(weights.layers[0].weights))
    for place, layer in enumerate(weights.layers):
        rows, added = layer.weights.astype(float), layer.added.astype(float)
        sums = cells @ np.abs(rows) + np.abs(added)
        if sums.max() >= (SUMS if place else CELLS):
            return False
        most = np.maximum(cells @ np.maximum(rows, 0) + added, 0)
        cells = most * 2.0 ** (-layer.bits if place else CELL_BITS - layer.bits)
        if place < len(weights.layers) - 2 and cells.max() >= CELLS:
            return False
    return True
