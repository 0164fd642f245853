"""How long one waits for the compiler: the first time, and when its work is found on disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from typing import NamedTuple, cast

from benchmarks.measuring import POLICIES
from tamaya.rules import Rules

CHILD = "from benchmarks.sim.compiling import print_compilations; print_compilations({players})"


class Wait(NamedTuple):
    """The seconds until a loop is ready: compiled, and found on disk."""

    loop: str
    compiled: float
    from_disk: float


def compile_waits(players: int) -> list[Wait]:
    """The waits for the loops that the benchmark uses, each in a process that has compiled nothing yet."""
    with tempfile.TemporaryDirectory() as folder:
        first, again = ({loop: took for loop, took, _ in _compile_elsewhere(players, folder)} for _ in range(2))
    return [Wait(loop, took, again[loop]) for loop, took in first.items()]


def _compile_elsewhere(players: int, folder: str) -> list[tuple[str, float, bool]]:
    """What `print_compilations` prints in a new process that keeps its work in a folder."""
    command = [sys.executable, "-c", CHILD.format(players=players)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "NUMBA_CACHE_DIR": folder})
    return cast("list[tuple[str, float, bool]]", json.loads(done.stdout))


def print_compilations(players: int) -> None:
    """Make every loop ready and print how long each took."""
    from tamaya.sim import Batch

    rules = Rules(players=players)
    with Batch(rules, seed=0) as batch:
        for policy in POLICIES.values():
            batch.play(1, policy)
        batch.observe("canonical")
    print(json.dumps([(f"{loop}{key.removeprefix(str(rules))}", took, kept) for loop, key, took, kept in compilations()]))


def compilations() -> list[tuple[str, str, float, bool]]:
    """What this process has compiled: the loop, what for, the seconds, and whether it was found on disk."""
    from tamaya.sim.speeds import Compiled, speed

    found = cast("Compiled", speed("compiled")).records
    return [(record.loop.removesuffix("_games"), record.key, record.seconds, record.from_disk) for record in found]
