"""The engine's functions as device functions of a card."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from tamaya.engine.kernel import Jit, Kernel, build
from tamaya.rules import MissingPartError, Rules, say
from tamaya.sim.extras import needed
from tamaya.sim.speeds import constant
from tamaya.sim.turns import build_turns

cuda: Any = needed("numba.cuda", "gpu")
BYTE, WORD = needed("numba", "sim").uint8, needed("numba", "sim").uint32

# A few games are a fair wish, though they leave most of a card idle.
warnings.filterwarnings("ignore", message=".*Grid size", module="numba")


class Card:
    """The functions for one set of rules."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.jit: Jit = cuda.jit(device=True)
        self.kernel: Kernel = build(rules, self.jit)
        self.turns = build_turns(rules, self.kernel, self.jit)
        self.plain = _build_plain(self.jit)

    def table(self, numbers: Iterable[int]) -> Any:
        """A table that the compiler takes for a constant."""
        return tuple(numbers) if _is_simulated() else constant(numbers)


def address(array: Any) -> int:
    """Where an array on the card begins."""
    return int((array.__array_interface__ if _is_simulated() else array.__cuda_array_interface__)["data"][0])


def _is_simulated() -> bool:
    """Whether Numba plays the card itself, thread by thread, for tests."""
    return "simulator" in cuda.jit.__module__


def _build_plain(jit: Jit) -> Any:
    """The function that a thread's part of an array goes through, for a simulated card to have plain numbers in it."""

    def simulated(array: Any) -> Any:
        return array.data

    @jit
    def plain(array: Any) -> Any:
        return array

    return simulated if _is_simulated() else plain


def find_card() -> None:
    """Nothing, where there is a card to play on; else words."""
    if not cuda.is_available():
        raise MissingPartError("no_card", say("There is no graphics card here that CUDA can use."))


@lru_cache(maxsize=64)
def card(rules: Rules) -> Card:
    """The device functions for these rules, built once."""
    return Card(rules)
