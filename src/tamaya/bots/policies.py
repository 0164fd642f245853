"""The policies by name: bots that run at every speed."""

from __future__ import annotations

from collections.abc import Mapping

from tamaya.bots.cheat import build_cheat
from tamaya.bots.convention import build_convention
from tamaya.bots.hat import build_hat
from tamaya.bots.policy import PolicyBuilder

POLICIES: Mapping[str, PolicyBuilder] = {"convention": build_convention, "hat": build_hat}
"""Honest ones: they see what their seat sees."""

CHEATS: Mapping[str, PolicyBuilder] = {"cheat": build_cheat}
"""Those that see every hand, for ceilings and tests. The league alone knows them: whoever makes bots for a table looks among
the bots of `tamaya.bots.registry`, where they are not."""


def find_policy(name: str) -> PolicyBuilder | None:
    """The policy of that name, honest or not; bots that are none have none."""
    return POLICIES.get(name) or CHEATS.get(name)
