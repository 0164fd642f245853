"""Batches of games on the processor, side by side with OpenSpiel, and their memory use."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from benchmarks.measuring import POLICIES, Loop, Row, measure
from benchmarks.openspiel import openspiel_loop
from tamaya.rules import Rules

MODES = ("raw", "mask", "canonical")
"""Moves alone; with the legal actions after every move; with the mover's observation after every move."""
GAMES = 4096
"""Games for one thread: few enough that observations stay in a cache, enough to hide the cost of the call."""
GAMES_PER_THREAD = 32768
"""Games for each of several threads, which wait for each other after every turn."""
TURNS = 32
"""Turns per call if nothing is observed in between."""
WARM_UP_TURNS = 200
"""Turns before measuring, so that the games of a batch are at all stages."""
MILLION = 1_000_000
CPU = "cpu"
OPENSPIEL = 0
"""The number of cores in OpenSpiel's rows."""


def cpu_rows(players: int, cores: Sequence[int], seconds: float) -> list[Row]:
    """The processor's rows for a number of players: both kinds of play, all modes, each number of cores."""
    return [row for play in POLICIES for row in _rows(players, play, cores, seconds)]


def _rows(players: int, play: str, cores: Sequence[int], seconds: float) -> Iterator[Row]:
    with ExitStack() as stack:
        loops = {
            (count, mode): loop
            for count in cores
            for mode, loop in stack.enter_context(batch_loops(players, play, count)).items()
        }
        for mode in MODES:
            if theirs := openspiel_loop(players, play, mode):
                loops[OPENSPIEL, mode] = theirs
        for loop in loops.values():
            loop(random.Random(0))
        speeds = measure(loops, seconds)
    for mode in MODES:
        for count in cores:
            yield as_row(players, mode, play, CPU, count, speeds[count, mode], speeds.get((OPENSPIEL, mode)))


@contextmanager
def batch_loops(players: int, play: str, cores: int) -> Iterator[dict[str, Loop]]:
    """A loop for each mode, compiled and warm."""
    from tamaya.sim import Batch

    policy = POLICIES[play]
    games = GAMES if cores == 1 else cores * GAMES_PER_THREAD
    with Batch(Rules(players=players), games, seed=0, threads=cores) as batch:
        observations = batch.observe("canonical")
        batch.play(WARM_UP_TURNS, policy)

        def play_and_observe() -> int:
            moves = batch.play(1, policy).moves
            batch.observe("canonical", out=observations)
            return moves

        yield {
            "raw": lambda _: batch.play(TURNS, policy).moves,
            "mask": lambda _: batch.play(1, policy).moves,
            "canonical": lambda _: play_and_observe(),
        }


def memory(players: int = 2, games: int = MILLION) -> tuple[int, int]:
    """The bytes that a batch of games holds, and the peak while the games were dealt and played."""
    from tamaya.sim import Batch

    Batch(Rules(players=players), seed=0).play(1)
    tracemalloc.start()
    try:
        with Batch(Rules(players=players), games, seed=0) as batch:
            batch.play(1)
            return tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()


def as_row(players: int, mode: str, play: str, device: str, cores: int, ours: float, theirs: float | None) -> Row:
    """One figure beside OpenSpiel's; None where it is not installed."""
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
