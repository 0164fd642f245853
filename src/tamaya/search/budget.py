"""How much thinking is allowed, and when it is over."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """How much thinking is allowed: so many games played on to their end, and so many seconds if those are over sooner. With
    games alone, the same seed finds the same on every machine."""

    rollouts: int = 2000
    seconds: float | None = None

    def part(self, share: float) -> Budget:
        """A share of it."""
        return Budget(int(self.rollouts * share), None if self.seconds is None else self.seconds * share)


class Clock:
    """When the time for a thought is over."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        """Whether it is."""
        return self._end is not None and time.monotonic() >= self._end


ENDLESS = Clock(None)
