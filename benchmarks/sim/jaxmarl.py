"""JaxMARL's Hanabi on the same device, as its users run it: many games side by side, many turns compiled into one call.

It runs in a process of its own: JAX reserves the device's memory, and importing JaxMARL writes to the output.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from benchmarks.measuring import Loop, measure

GAMES = (4096, 16384, 65536)
"""Numbers of parallel games; the best figure counts."""
TURNS = 32
CHILD = "from benchmarks.sim.jaxmarl import print_speed; print_speed({players}, {seconds})"
ABSENT = "JaxMARL is not installed here."
NO_DEVICE = "JaxMARL is installed here, but finds no GPU."


def jaxmarl_speed(players: int, seconds: float) -> float | str:
    """JaxMARL's moves per second, or the reason why there is no figure."""
    if find_spec("jaxmarl") is None:
        return ABSENT
    command = [sys.executable, "-c", CHILD.format(players=players, seconds=seconds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return f"JaxMARL failed: {(done.stderr.strip().splitlines() or [''])[-1]}"
    speed: float | None = json.loads(done.stdout.splitlines()[-1])
    return NO_DEVICE if speed is None else speed


def print_speed(players: int, seconds: float) -> None:
    """Measure, and print the figure as the last line: null without a GPU."""
    has_device = import_module("jax").default_backend() == "gpu"
    loops = {games: jaxmarl_loop(players, games) for games in GAMES} if has_device else {}
    print("\n" + json.dumps(max(measure(loops, seconds).values(), default=None)))


def jaxmarl_loop(players: int, games: int) -> Loop:
    """A loop of random legal actions that returns every agent's observation after every turn, compiled and warm."""
    jax: Any = import_module("jax")
    hanabi = import_module("jaxmarl").make("hanabi", num_agents=players)

    def turn(before: Any, _: None) -> tuple[Any, None]:
        key, states, _observations = before
        key, choosing, moving = jax.random.split(key, 3)
        legal = jax.vmap(hanabi.get_legal_moves)(states)
        actions = {
            agent: jax.random.categorical(agents_key, jax.numpy.log(legal[agent]))
            for agent, agents_key in zip(hanabi.agents, jax.random.split(choosing, players), strict=True)
        }
        observations, states, *_others = jax.vmap(hanabi.step)(jax.random.split(moving, games), states, actions)
        return (key, states, observations), None

    turns = jax.jit(lambda before: jax.lax.scan(turn, before, None, TURNS)[0])
    observations, states = jax.vmap(hanabi.reset)(jax.random.split(jax.random.key(0), games))
    now = [jax.block_until_ready(turns((jax.random.key(1), states, observations)))]

    def loop(_: object) -> int:
        now[0] = jax.block_until_ready(turns(now[0]))
        return games * TURNS

    return loop
