"""The card: our games on it, beside what it can write at all, and beside JaxMARL where that is installed."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from tamaya.cli.bench_sim.jaxmarl import jaxmarl_speed
from tamaya.cli.bench_sim.measuring import MODES, PLAYS, Loop, Row, as_row, measure
from tamaya.rules import Rules
from tamaya.sim.extras import needed

GAMES = 1 << 20
TURNS = 64
"""Turns of a launch where nobody looks in between."""
LAUNCHES = 16
"""Launches between two looks at the clock."""
SETTLING = 200
FILLED = 1 << 32
"""Bytes that are filled to see how fast the card can write."""
FILLS = 20


class Card(NamedTuple):
    """A card: what it is called, how many multiprocessors it has, the bytes it can write in a second, and its games."""

    name: str
    cores: int
    bytes_per_s: float
    batch: Callable[..., Any]


def find_card() -> Card:
    """The card of this machine, or words on what is missing."""
    cuda = needed("numba.cuda", "gpu")
    from tamaya.sim.cuda import CudaBatch
    from tamaya.sim.cuda.card import find_card as present

    present()
    device = cuda.get_current_device()
    name = device.name.decode() if isinstance(device.name, bytes) else str(device.name)
    return Card(name, int(device.MULTIPROCESSOR_COUNT), _fill_speed(cuda), CudaBatch)


def _fill_speed(cuda: Any) -> float:
    """The bytes a second that the card writes when it does nothing else."""
    fill = needed("numba.cuda.cudadrv.driver", "gpu").device_memset
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


def gpu_rows(card: Card, players: int, seconds: float, theirs: Mapping[tuple[str, str], float | None]) -> list[Row]:
    """The rows of a card for so many players; ``theirs`` are OpenSpiel's figures of the same run, by play and mode."""
    rows = []
    for play in PLAYS:
        batch = card.batch(Rules(players=players), GAMES, seed=0)
        seen = batch.buffer("canonical", "uint8")
        width = seen.shape[1]
        loops = card_loops(batch, play, seen)
        batch.play(SETTLING, play)
        for loop in loops.values():
            loop(random.Random(0))
        speeds = measure(loops, seconds)
        batch.close()
        del batch, seen, loops  # the next batch needs the room
        for mode in MODES:
            rows.append(as_row(players, mode, play, card.name, card.cores, speeds[mode], theirs.get((play, mode))))
        written = speeds["canonical"] * width
        rows[-1].update(bandwidth_fraction=round(written / card.bytes_per_s, 3), bytes_per_s=round(card.bytes_per_s))
    return rows


def beside_jaxmarl(rows: list[Row], players: int, seconds: float) -> str:
    """Put JaxMARL's figure beside the one it can be compared with, random play with observations; else say why not."""
    speed = jaxmarl_speed(players, seconds)
    if isinstance(speed, str):
        return speed
    for ours in rows:
        if (ours["mode"], ours["play"]) == ("canonical", "random"):
            ours.update(jaxmarl_moves_per_s=round(speed), jaxmarl_ratio=round(ours["moves_per_s"] / speed, 2))
    return ""


def card_loops(batch: Any, play: str, seen: Any) -> dict[str, Loop]:
    """A loop for each mode; the clock is read when the card is done."""

    def raw(_: random.Random) -> int:
        moves = int(batch.play(TURNS, play).moves)
        batch.synchronize()
        return moves

    def advanced(**looking: Any) -> int:
        for _ in range(LAUNCHES):
            batch.advance(play, **looking)
        batch.synchronize()
        return LAUNCHES * int(batch.games)

    return {"raw": raw, "mask": lambda _: advanced(), "canonical": lambda _: advanced(encoder="canonical", out=seen)}
