"""Playing a chunk with compiled policies: thousands of games a second, and the scores that friendly bots would have."""

from __future__ import annotations

import time

import numpy as np

from tamaya.rules import Ending
from tamaya.sim.league.play import play_game
from tamaya.sim.league.run import Chunk, Run
from tamaya.sim.league.totals import Totals
from tamaya.sim.selfplay import Results, self_play
from tamaya.sim.teamplay import team_play


def play_fast(chunk: Chunk, speed: str = "compiled") -> tuple[Totals, bytes, int]:
    """Totals, scores and nanoseconds of a chunk. The time does not include compiling, which is done before the first game."""
    _play(chunk.run, chunk.first, chunk.first, speed)
    start = time.process_time_ns()
    results = _play(chunk.run, chunk.first, chunk.end, speed)
    taken = time.process_time_ns() - start
    if results.illegal.any():
        play_game(chunk.run, chunk.first + int(results.illegal.argmax()))  # which fails too, and can say where
        raise AssertionError("an action was legal in the interpreted game and not in the compiled one")
    histogram = np.bincount(results.scores, minlength=chunk.run.rules.maximum + 1).tolist()
    lost = int((results.endings >= Ending.MISTAKES).sum())
    return Totals(tuple(histogram), lost, int(results.turns.sum())), results.scores.astype(np.uint8).tobytes(), taken


def _play(run: Run, first: int, end: int, speed: str) -> Results:
    names = tuple(sorted(set(run.lineup)))
    if len(names) == 1:
        return self_play(run.rules, names[0], speed).play(run.seed, first, end)
    return team_play(run.rules, names, speed).play(run.lineup, run.seed, first, end)
