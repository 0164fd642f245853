"""What searches need, and how far it is: compiled functions for given rules and policies."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from tamaya.rules import Rules

MOST_KNOWN = 300
"""Needs of which it is remembered how far they are; whoever wants one that was forgotten asks again."""
MOST_BROKEN = 3
"""How often a process may end over a need, or take too long, before it is given up."""


class Warmth(Enum):
    """How far what a search needs has come: there, being made, left until somebody wants it, or not to be had on this
    machine."""

    READY = "ready"
    WARMING = "warming"
    COLD = "cold"
    NEVER = "never"


class Need(NamedTuple):
    """What a search needs: compiled functions for these rules and policies."""

    rules: Rules
    policies: tuple[str, ...]

    @classmethod
    def of(cls, rules: Rules, policies: Iterable[str]) -> Need:
        """The same for policies in any order."""
        return cls(rules, tuple(sorted(set(policies))))


class KnownNeeds:
    """What came of needs. Visitors choose the rules, so those that nobody has asked about for longest are forgotten."""

    def __init__(self) -> None:
        self._warmth: OrderedDict[Need, Warmth] = OrderedDict()
        self._broken: dict[Need, int] = {}

    def warmth(self, need: Need) -> Warmth:
        """Ready, never, or cold where nothing has come of it yet."""
        if need in self._warmth:
            self._warmth.move_to_end(need)
        return self._warmth.get(need, Warmth.COLD)

    def settle(self, need: Need, warmth: Warmth) -> None:
        """Remember what came of it, until somebody says otherwise."""
        self._broken.pop(need, None)
        self._remember(need, warmth)

    def broke(self, need: Need) -> None:
        """A process ended over it or took too long: that can be chance, so it may be tried again, but not for ever."""
        broken = self._broken[need] = self._broken.get(need, 0) + 1
        if broken < MOST_BROKEN:
            self._remember(need, Warmth.COLD)
        else:
            self.settle(need, Warmth.NEVER)

    def _remember(self, need: Need, warmth: Warmth) -> None:
        self._warmth[need] = warmth
        self._warmth.move_to_end(need)
        if len(self._warmth) > MOST_KNOWN:
            forgotten, _ = self._warmth.popitem(last=False)
            self._broken.pop(forgotten, None)
