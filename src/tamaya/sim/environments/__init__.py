"""Reinforcement learning environments: PettingZoo's for agents that take turns, Gymnasium's for many games at once.

The names are imported when first used, since the packages that they need are optional. If Gymnasium is installed, importing
this package registers the vector environment: ``gymnasium.make_vec("tamaya/Hanabi-v0", num_envs=64)``.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tamaya.rules.errors import require

if TYPE_CHECKING:
    from tamaya.sim.environments.gymnasium_env import HanabiVectorEnv
    from tamaya.sim.environments.pettingzoo_env import HanabiEnvironment, env, raw_env

__all__ = ["HanabiEnvironment", "HanabiVectorEnv", "env", "raw_env"]

_HOMES = {
    "HanabiEnvironment": ("tamaya.sim.environments.pettingzoo_env", ("numpy", "gymnasium", "pettingzoo")),
    "HanabiVectorEnv": ("tamaya.sim.environments.gymnasium_env", ("numpy", "gymnasium")),
    "env": ("tamaya.sim.environments.pettingzoo_env", ("numpy", "gymnasium", "pettingzoo")),
    "raw_env": ("tamaya.sim.environments.pettingzoo_env", ("numpy", "gymnasium", "pettingzoo")),
}

with suppress(ImportError):
    from gymnasium import register

    register("tamaya/Hanabi-v0", vector_entry_point="tamaya.sim.environments.gymnasium_env:HanabiVectorEnv")


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(name)
    home, packages = _HOMES[name]
    for package in packages:
        require(package, "rl")
    return getattr(import_module(home), name)
