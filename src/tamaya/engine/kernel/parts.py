"""What the rooms of the kernel hand to each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any, TypeAlias

Jit: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]
"""What turns a plain function into one of the wanted speed: the identity, ``numba.njit``, ``cuda.jit(device=True)``."""

Table: TypeAlias = Callable[[Iterable[int]], Any]
"""What makes a table of constants for a speed: a tuple, or an array that a compiler knows."""

Parts = SimpleNamespace
"""Built functions by name."""


def interpreted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The slowest speed, and the only one without a compiler: the function as it stands."""
    return function
