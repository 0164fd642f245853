"""The bots by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tamaya.bots.protocol import Bot
from tamaya.bots.simple import SimpleBot
from tamaya.rules import MalformedError, say

BOTS: Mapping[str, Callable[[], Bot]] = {"simple": SimpleBot}
"""How to make each bot that can sit at a table."""


def make_bot(name: str) -> Bot:
    """A fresh bot of that name."""
    if name not in BOTS:
        raise MalformedError(
            "unknown_bot", say("There is no bot “{name}”; the bots are {known}.", name=name[:40], known=tuple(BOTS))
        )
    return BOTS[name]()
