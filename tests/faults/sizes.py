"""How much is tried: everything with `./dev test faults`, a little in other runs."""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Sizes:
    """Sizes of all trials. `seconds` is how long people play during a fault, `jumps` are successive offsets of the clock in
    years."""

    tables: int
    kills: int
    restarts: int
    cuts: int
    seconds: float
    jumps: tuple[int, ...]
    clients: int
    flood: int
    streams: int
    malformed: int


SHORT = Sizes(
    tables=3, kills=4, restarts=2, cuts=5, seconds=1.0, jumps=(1, -1, 0), clients=20, flood=450, streams=40, malformed=3_000
)
FULL = Sizes(
    tables=6,
    kills=50,
    restarts=6,
    cuts=60,
    seconds=12.0,
    jumps=(1, 0, -1, 0, 1, -1, 0),
    clients=300,
    flood=3_000,
    streams=600,
    malformed=200_000,
)

SIZES = FULL if os.environ.get("TAMAYA_TESTS") == "faults" else SHORT
