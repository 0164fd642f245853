"""Numbers in the shape that loops want them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tamaya.sim.seeds import first_seed

Array = np.ndarray[Any, Any]


def halves(numbers: Array) -> Array:
    """Seeds of 64 bits as rows of two halves of 32, the higher first."""
    return np.stack([numbers >> np.uint64(32), numbers & np.uint64(0xFFFFFFFF)], axis=1).astype(np.uint32)


def seeds_of(seed: int, games: Array) -> Array:
    """The seeds of games by their numbers, as `tamaya.sim.seed_of` has them."""
    return games.astype(np.uint64) + np.uint64(first_seed(seed))
