"""How far partners are taken to play by the policy: the softness of their seats."""

from __future__ import annotations

from collections.abc import Sequence

from tamaya.bots.registry import known_bots

PEOPLE = 0.35
"""For people, and for bots that play by something else: measured on games of people (`docs/review.md`)."""
SEARCHING = 0.05
"""For bots that play by the policy and leave it now and then."""


def softness_of(seats: Sequence[str | None], policy: str) -> tuple[float, ...]:
    """The softness of each seat by the bot that plays there; nothing stands for people."""
    searching = {name for name, entry in known_bots().items() if entry.base_policy == policy}
    return tuple(0.0 if bot == policy else SEARCHING if bot in searching else PEOPLE for bot in seats)
