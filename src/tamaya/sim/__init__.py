"""Millions of games: batches at compiled speed, observations, environments, leagues.

The names are found when they are first used, since what they need is not installed everywhere.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tamaya.rules.errors import require
from tamaya.sim.seeds import seed_of

if TYPE_CHECKING:
    from tamaya.sim.batch import Batch
    from tamaya.sim.colours import action_order, observation_order
    from tamaya.sim.saved import Saved, Tally

__all__ = ["Batch", "Saved", "Tally", "action_order", "observation_order", "seed_of"]

_HOMES = {
    "Batch": "tamaya.sim.batch",
    "Saved": "tamaya.sim.saved",
    "Tally": "tamaya.sim.saved",
    "action_order": "tamaya.sim.colours",
    "observation_order": "tamaya.sim.colours",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(name)
    require("numpy", "sim")
    return getattr(import_module(_HOMES[name]), name)
