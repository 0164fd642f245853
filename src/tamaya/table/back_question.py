"""The question whether somebody may take back their last action."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BackQuestion:
    """The player at `seat` would like to go back to `turn`, before their last action; those at `agreed` have said yes."""

    seat: int
    turn: int
    agreed: frozenset[int] = frozenset()

    def open_to(self, people: Iterable[int]) -> tuple[int, ...]:
        """Of the seats at which people play, those that have yet to answer."""
        return tuple(seat for seat in people if seat != self.seat and seat not in self.agreed)
