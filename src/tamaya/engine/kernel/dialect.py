"""The dialect in which the kernel and the policies are written.

A *builder* is an ordinary function that defines small functions over flat rows of whole numbers, passes each through `jit`,
and returns them as a *bundle*: a named tuple that says what each function takes and returns. Inside, they read constants from
a `Layout` and call the functions of other bundles by name, ``hands.hand_count(state, seat)``; a compiler looks both up while
compiling. The same lines run interpreted, compiled for a processor, and compiled for a GPU, so they keep to what all three
know: whole numbers, comparisons, loops, tuples. Interpreted, a number read from a row is Python's own; compiled, it is a byte
that wraps, which is why ``state[SEAT] + 0`` makes a plain number of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeAlias, TypeVar

from tamaya.engine.instances import Row as Row

Function = TypeVar("Function", bound=Callable[..., Any])


class Jit(Protocol):
    """What turns a plain function into one of the wanted speed: the identity, ``numba.njit``, ``cuda.jit(device=True)``."""

    def __call__(self, function: Function, /) -> Function:
        """The function at that speed."""
        ...


Constants: TypeAlias = Callable[[Iterable[int]], Any]
"""What makes constants to be looked up by a number that changes: a tuple, or an array that a compiler knows."""


def interpreted(function: Function) -> Function:
    """The slowest speed, and the only one without a compiler: the function as it stands."""
    return function
