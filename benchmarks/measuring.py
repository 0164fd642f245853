"""Shared parts of the benchmarks: loops measured in turns, and formatting of figures."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeAlias, TypeVar

from tamaya.cli.league.report import PACKAGES, describe_machine

ROUNDS = 4

POLICIES = {"random": "random", "long": "faultless"}
"""Ways to play: at random, and at random without mistakes, so that games last until the deck is empty."""

Loop: TypeAlias = Callable[[random.Random], int]
"""Plays some moves, random ones if asked, and returns their number."""
Row: TypeAlias = dict[str, Any]
Name = TypeVar("Name", bound=Hashable)


def measure(loops: Mapping[Name, Loop], least: float) -> dict[Name, float]:
    """Moves per second of each loop, measured in turns, so that a slow moment of the machine affects all of them."""
    moves, seconds = dict.fromkeys(loops, 0), dict.fromkeys(loops, 0.0)
    for turn in range(ROUNDS):
        for name, loop in loops.items():
            choice = random.Random(turn)
            start, passed = time.perf_counter(), 0.0
            while not passed or passed < least:
                moves[name] += loop(choice)
                passed = time.perf_counter() - start
            seconds[name] += passed
    return {name: moves[name] / seconds[name] for name in loops}


def machine_line() -> str:
    """The machine and the package versions that figures depend on."""
    return describe_machine({**PACKAGES, "OpenSpiel": "open_spiel"})


def as_figure(number: float | None) -> str:
    """A number with three significant digits; empty for None."""
    if number is None:
        return ""
    digits = max(len(str(round(number))) - 3, 0)
    return f"{round(number, -digits):,.0f}"


def as_ratio(ratio: float | None) -> str:
    """A ratio with two or three digits; empty for None."""
    return "" if ratio is None else f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.1f}"
