"""The solver's functions for given rules, as they stand or compiled; the ones without the other's packages."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, NamedTuple

from tamaya.engine.kernel.parts import Jit, Parts, interpreted
from tamaya.engine.layout import DRAWN, Layout, layout
from tamaya.rules import Rules
from tamaya.sim.extras import needed
from tamaya.sim.solver.bounds import HOPELESS, build_room
from tamaya.sim.solver.common import LOSES, build_common
from tamaya.sim.solver.desk import FORKS, Desk, Numbers
from tamaya.sim.solver.layers import build_search
from tamaya.sim.solver.positions import build_bits, build_packing, build_reading
from tamaya.sim.solver.steps import build_choices, build_moves, build_steps
from tamaya.sim.solver.worth import build_worth

UNKNOWN, TOO_LATE, TOO_FULL = range(3)
"""What a first look says: nothing, or that it cannot be won because cards come too late or hands are too small."""


class Functions(NamedTuple):
    """What the solver calls, at one speed."""

    look: Callable[[Any, Desk], int]
    """Read a game's array into the desk and say whether a bound settles it."""
    search: Callable[[Any, Desk, int, int, int, int], int]
    """Search from a game with a width, completely or not, with a worth of tokens, up to a number of nodes."""
    zeros: Callable[[int], Numbers]
    """A row of numbers for the desk."""
    bytes_of: Callable[[bytes], Any]
    """A game's array in the form the functions take."""


def build(rules: Layout, jit: Jit) -> Parts:
    """The two functions for these rules, with their parts passed through ``jit``."""
    bits = build_bits(jit)
    choices, packing, reading = build_choices(rules, jit, bits), build_packing(rules, jit), build_reading(rules, jit)
    room, common = build_room(rules, jit).room, build_common(rules, jit, bits, choices).common
    read, survey = reading.read, reading.survey
    parts = Parts(
        room=room,
        common=common,
        worth=build_worth(rules, jit, bits, choices).worth,
        move=build_moves(rules, jit).move,
        list_steps=build_steps(rules, jit, bits, choices).list_steps,
        pack=packing.pack,
        unpack=packing.unpack,
    )
    layers = build_search(rules, jit, parts).search

    def look(state: Any, desk: Desk) -> int:
        survey(state, desk.tables)
        read(state, desk.position)
        if room(desk.position, state[DRAWN] + 0, desk.tables, desk.times) == HOPELESS:
            return TOO_LATE
        return TOO_FULL if common(desk.position, state[DRAWN] + 0, desk, FORKS) == LOSES else UNKNOWN

    def search(state: Any, desk: Desk, width: int, complete: int, token: int, budget: int) -> int:
        survey(state, desk.tables)
        read(state, desk.position)
        found: int = layers(desk, state[DRAWN] + 0, width, complete, token, budget)
        return found

    return Parts(look=look, search=search)


def fastest() -> str:
    """The fastest speed for which the packages are installed."""
    return "compiled" if find_spec("numba") and find_spec("numpy") else "interpreted"


@lru_cache(maxsize=64)
def functions(rules: Rules, name: str) -> Functions:
    """The functions for these rules at the speed of that name, built once."""
    if name == "interpreted":
        plain = build(layout(rules), interpreted)
        return Functions(plain.look, plain.search, lambda count: [0] * count, bytes)
    np = needed("numpy", "sim")
    from tamaya.sim.speeds import speed

    fast = speed(name)
    made = build(layout(rules), fast.jit)
    return Functions(
        look=fast.loop(made.look, str(rules)),
        search=fast.loop(made.search, str(rules)),
        zeros=lambda count: np.zeros(count, np.int64),
        bytes_of=lambda state: np.frombuffer(bytearray(state), np.uint8),
    )
