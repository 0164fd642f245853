"""What the benchmarks share: loops that are measured in turns, and figures as people read them."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeAlias, TypeVar

from tamaya.cli.league.report import PACKAGES, describe_machine

ROUNDS = 4

POLICIES = {"random": "random", "long": "faultless"}
"""How games are played to be measured: by chance, and by chance without mistakes, so that they last as long as the deck."""

Loop: TypeAlias = Callable[[random.Random], int]
"""Makes some moves, by chance where chance is asked for, and says how many."""
Row: TypeAlias = dict[str, Any]
Name = TypeVar("Name", bound=Hashable)


def measure(loops: Mapping[Name, Loop], least: float) -> dict[Name, float]:
    """Moves per second of each loop, in turns, so that a slow moment of the machine meets them all."""
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
    """The machine and the versions that figures depend on."""
    return describe_machine({**PACKAGES, "OpenSpiel": "open_spiel"})


def as_figure(number: float | None) -> str:
    """A number with three digits that count; nothing where there is none."""
    if number is None:
        return ""
    digits = max(len(str(round(number))) - 3, 0)
    return f"{round(number, -digits):,.0f}"


def as_ratio(ratio: float | None) -> str:
    """A ratio with two or three digits; nothing where there is none."""
    return "" if ratio is None else f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.1f}"
