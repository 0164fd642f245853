"""Numbers in the shape that loops want them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tamaya.sim.seeds import first_seed

Array = np.ndarray[Any, Any]
CACHE_LINES = 128
"""Bytes that processors fetch together: two lines of 64."""


def split_seeds(seeds: Array) -> Array:
    """Seeds of 64 bits as rows of two halves of 32, the higher first."""
    return np.stack([seeds >> np.uint64(32), seeds & np.uint64(0xFFFFFFFF)], axis=1).astype(np.uint32)


def seed_rows(seed: int, games: Array) -> Array:
    """The seeds of games by their numbers, as `tamaya.sim.seed_of` has them, in halves."""
    return split_seeds(games.astype(np.uint64) + np.uint64(first_seed(seed)))


def whole_seeds(rows: Array) -> Array:
    """Rows of two halves as seeds of 64 bits."""
    wide = rows.astype(np.uint64)
    return np.asarray((wide[:, 0] << np.uint64(32)) | wide[:, 1])


def read_only(array: Array) -> Array:
    """An array to look at, which changes with the other one and cannot be written into."""
    view = array.view()
    view.flags.writeable = False
    return view


def apart(threads: int, width: int, cells: Any) -> Array:
    """A row of zeros for each thread to work with, so far apart that no two meet in a line of a cache."""
    spare = CACHE_LINES // np.dtype(cells).itemsize
    return np.zeros((threads, -(-width // spare) * spare + spare), cells)
