"""Environments as learners know them: PettingZoo's for agents who take turns, Gymnasium's for many games at once.

The names are found when they are first used, since what they need is not installed everywhere. Where Gymnasium is, importing
this package makes the many games known to it: ``gymnasium.make_vec("tamaya/Hanabi-v0", num_envs=64)``.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tamaya.rules.errors import require

if TYPE_CHECKING:
    from tamaya.sim.environments.agents import HanabiEnvironment, env, raw_env
    from tamaya.sim.environments.vector import HanabiVectorEnv

__all__ = ["HanabiEnvironment", "HanabiVectorEnv", "env", "raw_env"]

_HOMES = {
    "HanabiEnvironment": ("tamaya.sim.environments.agents", ("numpy", "gymnasium", "pettingzoo")),
    "HanabiVectorEnv": ("tamaya.sim.environments.vector", ("numpy", "gymnasium")),
    "env": ("tamaya.sim.environments.agents", ("numpy", "gymnasium", "pettingzoo")),
    "raw_env": ("tamaya.sim.environments.agents", ("numpy", "gymnasium", "pettingzoo")),
}

with suppress(ImportError):
    from gymnasium import register

    register("tamaya/Hanabi-v0", vector_entry_point="tamaya.sim.environments.vector:HanabiVectorEnv")


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(name)
    home, packages = _HOMES[name]
    for package in packages:
        require(package, "rl")
    return getattr(import_module(home), name)
