"""The engine's functions for a GPU: in CUDA's words, device functions."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from tamaya.engine.kernel import Jit, Kernel, build
from tamaya.rules import MissingPartError, Rules, say
from tamaya.rules.errors import require
from tamaya.sim.speeds import constant_array
from tamaya.sim.turns import build_turns

cuda: Any = require("numba.cuda", "gpu")
BYTE, WORD, NUMBER = (getattr(require("numba", "sim"), kind) for kind in ("uint8", "uint32", "int64"))

# A few games are a fair thing to ask for, though they leave most of a device idle.
warnings.filterwarnings("ignore", message=".*Grid size", module="numba")


class Device:
    """The functions for one set of rules."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.jit: Jit = cuda.jit(device=True)
        self.kernel: Kernel = build(rules, self.jit)
        self.turns = build_turns(self.kernel, self.jit)
        self.plain: Callable[[Any], Any] = _build_plain(self.jit)

    def constants(self, numbers: Iterable[int]) -> Any:
        """Numbers that the compiler takes for constants."""
        return tuple(numbers) if _is_simulated() else constant_array(numbers)


def address(array: Any) -> int:
    """Where an array on the device begins."""
    return int((array.__array_interface__ if _is_simulated() else array.__cuda_array_interface__)["data"][0])


def _is_simulated() -> bool:
    """Whether Numba plays the device itself, thread by thread, for tests."""
    return "simulator" in cuda.jit.__module__


def _build_plain(jit: Jit) -> Any:
    """The function that a thread's part of an array goes through, for a simulated device to have plain numbers in it."""

    def simulated(array: Any) -> Any:
        return array.data

    @jit
    def plain(array: Any) -> Any:
        return array

    return simulated if _is_simulated() else plain


def find_device() -> None:
    """Nothing, where there is a device to play on; else words."""
    if not cuda.is_available():
        raise MissingPartError("no_device", say("There is no GPU here that CUDA can use."))


@lru_cache(maxsize=64)
def device(rules: Rules) -> Device:
    """The device functions for these rules, built once."""
    return Device(rules)
