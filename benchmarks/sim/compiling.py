"""Compile times: on the first run, and with a warm cache on disk."""

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


class CompileTime(NamedTuple):
    """The seconds until a loop is ready: compiled, and loaded from disk."""

    loop: str
    compiled: float
    from_disk: float


def compile_times(players: int) -> list[CompileTime]:
    """The compile times of the benchmark's loops, each measured in a fresh process."""
    with tempfile.TemporaryDirectory() as folder:
        first, again = ({loop: took for loop, took, _ in _compile_elsewhere(players, folder)} for _ in range(2))
    return [CompileTime(loop, took, again[loop]) for loop, took in first.items()]


def _compile_elsewhere(players: int, folder: str) -> list[tuple[str, float, bool]]:
    """The output of `print_compilations` in a new process with a cache folder of its own."""
    command = [sys.executable, "-c", CHILD.format(players=players)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "NUMBA_CACHE_DIR": folder})
    return cast("list[tuple[str, float, bool]]", json.loads(done.stdout))


def print_compilations(players: int) -> None:
    """Prepare every loop and print how long each took."""
    from tamaya.sim import Batch

    rules = Rules(players=players)
    with Batch(rules, seed=0) as batch:
        for policy in POLICIES.values():
            batch.play(1, policy)
        batch.observe("canonical")
    print(json.dumps([(f"{loop}{key.removeprefix(str(rules))}", took, kept) for loop, key, took, kept in compilations()]))


def compilations() -> list[tuple[str, str, float, bool]]:
    """What this process has compiled: loop, purpose, seconds, and whether it was loaded from disk."""
    from tamaya.sim.speeds import Compiled, speed

    found = cast("Compiled", speed("compiled")).records
    return [(record.loop.removesuffix("_games"), record.key, record.seconds, record.from_disk) for record in found]
