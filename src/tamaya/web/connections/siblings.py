"""Several processes at one listening socket: who of them should take the next connection."""

from __future__ import annotations

from collections.abc import MutableSequence

SLACK = 4
SHARE = 1.1
"""A process has more than another from so many connections and so many times as many on: less would not be felt."""


class Siblings:
    """How many connections each process has, in memory that all of them share, and the place of this one there. What one writes
    there the others may read a moment late, and a process that died leaves its last number: it is a hint and no more."""

    def __init__(self, held: MutableSequence[int], place: int) -> None:
        self._held, self._place = held, place
        self.has_more(0)

    def has_more(self, connections: int) -> bool:
        """Note how many this one has; whether that is more than another has, which can well take the next."""
        self._held[self._place] = connections
        return connections > SHARE * min(self._held) + SLACK
