"""Moves per second of loops that take turns, and the rows that come of it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeAlias, TypeVar

ROUNDS = 4
MODES = ("raw", "mask", "canonical")
"""Moves alone; the legal actions after every move too; the observation of whoever is to move after every move."""
PLAYS = ("random", "long")

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


def as_row(players: int, mode: str, play: str, device: str, cores: int, ours: float, theirs: float | None) -> Row:
    """One figure beside OpenSpiel's, which is nothing where OpenSpiel is not installed."""
    return {
        "players": players,
        "mode": mode,
        "play": play,
        "device": device,
        "cores": cores,
        "moves_per_s": round(ours),
        "openspiel_moves_per_s": None if theirs is None else round(theirs),
        "ratio": None if theirs is None else round(ours / theirs, 2),
    }
