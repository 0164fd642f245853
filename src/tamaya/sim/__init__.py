"""Simulation at compiled speed: batches of games, observations, environments.

The names are imported when first used, since the packages that they need are optional.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tamaya.rules.errors import require
from tamaya.sim.deals import seed_of

if TYPE_CHECKING:
    from tamaya.sim.batch import Batch, ScoreCounts, Snapshot
    from tamaya.sim.colour_permutations import action_order, observation_order

__all__ = ["Batch", "ScoreCounts", "Snapshot", "action_order", "observation_order", "seed_of"]

_HOMES = {
    "Batch": "tamaya.sim.batch",
    "ScoreCounts": "tamaya.sim.batch",
    "Snapshot": "tamaya.sim.batch",
    "action_order": "tamaya.sim.colour_permutations",
    "observation_order": "tamaya.sim.colour_permutations",
}
_RENAMED = {"Saved": "Snapshot", "Tally": "ScoreCounts"}


def __getattr__(name: str) -> Any:
    if name in _RENAMED:
        warnings.warn(f"tamaya.sim.{name} is now tamaya.sim.{_RENAMED[name]}", DeprecationWarning, stacklevel=2)
        name = _RENAMED[name]
    if name not in _HOMES:
        raise AttributeError(name)
    require("numpy", "sim")
    return getattr(import_module(_HOMES[name]), name)
