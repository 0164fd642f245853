"""How long one waits for the compiler: the first time, and when it finds its work on disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from typing import NamedTuple, cast

from tamaya.cli.bench_sim.measuring import PLAYS
from tamaya.rules import Rules

CHILD = "from tamaya.cli.bench_sim.making import tell_makings; tell_makings({players})"


class Wait(NamedTuple):
    """The seconds until a loop is ready: compiled, and found on disk."""

    loop: str
    compiled: float
    from_disk: float


def waits(players: int) -> list[Wait]:
    """The waits for the loops that the bench uses, each in a process that has compiled nothing yet."""
    with tempfile.TemporaryDirectory() as folder:
        first, again = ({loop: took for loop, took, _ in _told(players, folder)} for _ in range(2))
    return [Wait(loop, took, again[loop]) for loop, took in first.items()]


def _told(players: int, folder: str) -> list[tuple[str, float, bool]]:
    command = [sys.executable, "-c", CHILD.format(players=players)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "NUMBA_CACHE_DIR": folder})
    return cast("list[tuple[str, float, bool]]", json.loads(done.stdout))


def tell_makings(players: int) -> None:
    """Make every loop ready and write how long each took."""
    from tamaya.sim import Batch

    rules = Rules(players=players)
    with Batch(rules, seed=0) as batch:
        for play in PLAYS:
            batch.play(1, play)
        batch.observe("canonical")
    print(json.dumps([(f"{loop}{key.removeprefix(str(rules))}", took, kept) for loop, key, took, kept in makings()]))


def makings() -> list[tuple[str, str, float, bool]]:
    """What this process has made ready: the loop, what for, the seconds, and whether it was found on disk."""
    from tamaya.sim.speeds import Compiled, speed

    made = cast("Compiled", speed("compiled")).makings
    return [(making.loop.removesuffix("_games"), making.key, making.seconds, making.from_disk) for making in made]
