"""Games on a GPU, side by side with its write bandwidth, and with JaxMARL if that is installed."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from benchmarks.measuring import POLICIES, Loop, Row, measure
from benchmarks.sim.batches import MODES, WARM_UP_TURNS, as_row
from benchmarks.sim.jaxmarl import jaxmarl_speed
from tamaya.rules import Rules
from tamaya.rules.errors import require

GAMES = 1 << 20
TURNS = 64
"""Turns per launch if nothing is observed in between."""
LAUNCHES = 16
"""Launches between two readings of the clock."""
FILLED = 1 << 32
"""Bytes that are filled to measure the write bandwidth."""
FILLS = 20


class GpuDevice(NamedTuple):
    """A GPU: its name, number of multiprocessors, write bandwidth in bytes per second, and batch class."""

    name: str
    cores: int
    bytes_per_s: float
    batch: Callable[..., Any]


def find_device() -> GpuDevice:
    """The GPU of this machine; an error says what is missing."""
    cuda = require("numba.cuda", "gpu")
    from tamaya.sim.cuda import CudaBatch
    from tamaya.sim.cuda.device import find_device as check_device

    check_device()
    found = cuda.get_current_device()
    name = found.name.decode() if isinstance(found.name, bytes) else str(found.name)
    return GpuDevice(name, int(found.MULTIPROCESSOR_COUNT), _fill_speed(cuda), CudaBatch)


def _fill_speed(cuda: Any) -> float:
    """The write bandwidth, in bytes per second, of an otherwise idle device."""
    fill = require("numba.cuda.cudadrv.driver", "gpu").device_memset
    free = cuda.current_context().get_memory_info().free
    size = int(min(FILLED, free // 4))
    filled = cuda.device_array(size, "uint8")
    fill(filled, 0, size)
    cuda.synchronize()
    start = time.perf_counter()
    for value in range(FILLS):
        fill(filled, value, size)
    cuda.synchronize()
    return FILLS * size / (time.perf_counter() - start)


def device_rows(device: GpuDevice, players: int, seconds: float, theirs: Mapping[tuple[str, str], float | None]) -> list[Row]:
    """The rows of a device for a number of players; `theirs` has OpenSpiel's figures of the same run by play and mode."""
    rows = []
    for play, policy in POLICIES.items():
        batch = device.batch(Rules(players=players), GAMES, seed=0)
        observations = batch.buffer("canonical", "uint8")
        width = observations.shape[1]
        loops = device_loops(batch, policy, observations)
        batch.play(WARM_UP_TURNS, policy)
        for loop in loops.values():
            loop(random.Random(0))
        speeds = measure(loops, seconds)
        batch.close()
        del batch, observations, loops  # free memory for the next batch
        for mode in MODES:
            rows.append(as_row(players, mode, play, device.name, device.cores, speeds[mode], theirs.get((play, mode))))
        written = speeds["canonical"] * width
        rows[-1].update(bandwidth_fraction=round(written / device.bytes_per_s, 3), bytes_per_s=round(device.bytes_per_s))
    return rows


def beside_jaxmarl(rows: list[Row], players: int, seconds: float) -> str:
    """Put JaxMARL's figure into its row, random play with observations; return the reason if there is none."""
    speed = jaxmarl_speed(players, seconds)
    if isinstance(speed, str):
        return speed
    for ours in rows:
        if (ours["mode"], ours["play"]) == ("canonical", "random"):
            ours.update(jaxmarl_moves_per_s=round(speed), jaxmarl_ratio=round(ours["moves_per_s"] / speed, 2))
    return ""


def device_loops(batch: Any, policy: str, observations: Any) -> dict[str, Loop]:
    """A loop for each mode; each returns when the device has finished."""

    def raw(_: random.Random) -> int:
        moves = int(batch.play(TURNS, policy).moves)
        batch.synchronize()
        return moves

    def advance(**observing: Any) -> int:
        for _ in range(LAUNCHES):
            batch.advance(policy, **observing)
        batch.synchronize()
        return LAUNCHES * int(batch.games)

    return {"raw": raw, "mask": lambda _: advance(), "canonical": lambda _: advance(encoder="canonical", out=observations)}
