"""Our batches on the processor, beside OpenSpiel, and the memory that many games take."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from tamaya.cli.bench_sim.measuring import MODES, PLAYS, Loop, Row, as_row, measure
from tamaya.cli.bench_sim.openspiel import openspiel_loop
from tamaya.rules import Rules

GAMES = 4096
"""In one thread: few enough for the observations to stay in a cache, enough for a call to cost nothing."""
GAMES_PER_THREAD = 32768
"""In several threads, which have to wait for each other after every turn."""
TURNS = 32
"""Turns of a call where nobody looks in between."""
SETTLING = 200
"""Turns before measuring, for the games of a batch to be at all stages."""
MILLION = 1_000_000
CPU = "cpu"
THEIRS = 0
"""In place of our cores."""


def cpu_rows(players: int, cores: Sequence[int], seconds: float) -> list[Row]:
    """The rows of the processor for so many players: both kinds of play, all modes, with each number of cores."""
    return [row for play in PLAYS for row in _rows(players, play, cores, seconds)]


def _rows(players: int, play: str, cores: Sequence[int], seconds: float) -> Iterator[Row]:
    with ExitStack() as stack:
        loops = {
            (count, mode): loop
            for count in cores
            for mode, loop in stack.enter_context(batch_loops(players, play, count)).items()
        }
        for mode in MODES:
            if theirs := openspiel_loop(players, play, mode):
                loops[THEIRS, mode] = theirs
        for loop in loops.values():
            loop(random.Random(0))
        speeds = measure(loops, seconds)
    for mode in MODES:
        for count in cores:
            yield as_row(players, mode, play, CPU, count, speeds[count, mode], speeds.get((THEIRS, mode)))


@contextmanager
def batch_loops(players: int, play: str, cores: int) -> Iterator[dict[str, Loop]]:
    """A loop for each mode, compiled and warm."""
    from tamaya.sim import Batch

    games = GAMES if cores == 1 else cores * GAMES_PER_THREAD
    with Batch(Rules(players=players), games, seed=0, threads=cores) as batch:
        seen = batch.observe("canonical")
        batch.play(SETTLING, play)

        def canonical() -> int:
            moves = batch.play(1, play).moves
            batch.observe("canonical", out=seen)
            return moves

        yield {
            "raw": lambda _: batch.play(TURNS, play).moves,
            "mask": lambda _: batch.play(1, play).moves,
            "canonical": lambda _: canonical(),
        }


def memory(players: int = 2, games: int = MILLION) -> tuple[int, int]:
    """The bytes that a batch of so many games holds, and the most that it held while the games were dealt and played."""
    from tamaya.sim import Batch

    Batch(Rules(players=players), seed=0).play(1)
    tracemalloc.start()
    try:
        with Batch(Rules(players=players), games, seed=0) as batch:
            batch.play(1)
            return tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
