"""The policies by name: bots that run at every speed."""

from __future__ import annotations

from collections.abc import Mapping

from tamaya.bots.hat import build_hat
from tamaya.bots.policy import PolicyBuilder

POLICIES: Mapping[str, PolicyBuilder] = {"hat": build_hat}
