"""The speeds at which the same functions run, and what making them fast took.

`Interpreted` takes the functions as they stand. `Compiled` passes them through Numba: the functions of one game are inlined
into those that are called from Python, which run without its lock and are kept on disk where Numba finds a place for it.
"""

from __future__ import annotations

import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np

from tamaya.engine.kernel import Constants, Jit, interpreted
from tamaya.engine.kernel.dialect import Function
from tamaya.rules.errors import require
from tamaya.sim.arrays import Array

Loop = Callable[..., Any]
"""A function that is called from Python with arrays and numbers."""


class Speed(ABC):
    """What the builders of functions need to make them for one speed."""

    name: str
    jit: Jit
    """For functions of a few lines, which become part of what calls them."""
    call: Jit
    """For functions that are called: those of policies, too long to stand in every place that uses them."""
    paste: Jit
    """For functions whose text is put into their caller's: those between a loop and long functions, which would otherwise be
    optimised anew for every step in between. A caller must have them under a name of its own, not in a bundle."""
    constants: Constants

    @abstractmethod
    def loop(self, function: Loop, key: str) -> Loop:
        """A function to be called from Python, made to run on NumPy arrays; the key says in lists what it was made for."""

    def is_ready(self, loop: Loop, arguments: Iterable[Any]) -> bool:
        """Whether a loop can be called with such arguments without compiling anything first."""
        return True


class Interpreted(Speed):
    """The functions as they stand: the same bytes, slowly, and the judge of the faster ones."""

    name = "interpreted"

    def __init__(self) -> None:
        self.jit = self.call = self.paste = interpreted
        self.constants: Constants = tuple

    def loop(self, function: Loop, key: str) -> Loop:
        """The loop itself, on views whose numbers are Python's own."""
        return lambda *arguments: function(*map(_rows, arguments))


def _rows(argument: Any) -> Any:
    """An array as plain Python would have it: a view, or a list of views of its rows."""
    if not isinstance(argument, np.ndarray):
        return argument
    return argument.data if argument.ndim == 1 else [_rows(row) for row in argument]


@dataclass(frozen=True)
class Making:
    """A loop that was made ready: which, for what, how long that took, and whether it was found on disk."""

    loop: str
    key: str
    seconds: float
    from_disk: bool


class CompiledLoop:
    """A loop that is compiled, or found on disk, when it is first called. One is made ready at a time."""

    def __init__(self, dispatcher: Any, key: str, makings: list[Making], one_at_a_time: Lock) -> None:
        from tamaya.sim.compiling import keep_on_disk

        self._dispatcher, self._key, self._makings, self._one_at_a_time = dispatcher, key, makings, one_at_a_time
        self._name = dispatcher.py_func.__name__
        keep_on_disk(dispatcher)

    def __call__(self, *arguments: Any) -> Any:
        """Run it."""
        if not self._dispatcher.signatures:
            with self._one_at_a_time:
                if not self._dispatcher.signatures:
                    self._make(arguments)
        return self._dispatcher(*arguments)

    def is_ready(self, arguments: Iterable[Any]) -> bool:
        """Whether nothing needs to be compiled for arguments of these types."""
        from tamaya.sim.compiling import is_kept

        types = self._types(arguments)
        return types in self._dispatcher.signatures or is_kept(self._dispatcher, types)

    def _types(self, arguments: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(map(self._dispatcher.typeof_pyval, arguments))

    def _make(self, arguments: Iterable[Any]) -> None:
        from tamaya.sim.compiling import alone

        start = time.perf_counter()
        with alone(self._dispatcher):
            self._dispatcher.compile(self._types(arguments))
        took, from_disk = time.perf_counter() - start, bool(self._dispatcher.stats.cache_hits)
        self._makings.append(Making(self._name, self._key, took, from_disk))


class Compiled(Speed):
    """The functions through Numba; `makings` lists what has been compiled so far."""

    name = "compiled"

    def __init__(self) -> None:
        self._njit = require("numba", "sim").njit
        self._mark = secrets.token_hex(8)
        self.jit: Jit = self._part(forceinline=True)
        # Policies only pass on the arrays they are given: without counting who holds them a fifth less time is needed.
        self.call: Jit = self._part(_nrt=False)
        self.paste: Jit = self._part(inline="always")
        self.constants: Constants = constant_array
        self.makings: list[Making] = []
        self._one_at_a_time = Lock()

    def loop(self, function: Loop, key: str) -> Loop:
        """The loop, compiled when it is first called."""
        dispatcher = self._njit(nogil=True, error_model="numpy")(function)
        made = CompiledLoop(dispatcher, key, self.makings, self._one_at_a_time)
        self._mark_name(function)
        return made

    def is_ready(self, loop: Loop, arguments: Iterable[Any]) -> bool:
        """Whether it was compiled here or is kept on disk."""
        assert isinstance(loop, CompiledLoop), "a loop of another speed"
        return loop.is_ready(arguments)

    def _part(self, **options: Any) -> Jit:
        """What makes functions that other compiled functions call, and nobody else."""
        from tamaya.sim.linking import PartCompiler

        jit: Jit = self._njit(
            nogil=True,
            error_model="numpy",
            no_cpython_wrapper=True,
            no_cfunc_wrapper=True,
            pipeline_class=PartCompiler,
            **options,
        )

        def part(function: Function, /) -> Function:
            self._mark_name(function)
            return jit(function)

        return part

    def _mark_name(self, function: Callable[..., Any]) -> None:
        """Give a function a name that no other program gives. Numba calls compiled functions by name and a number that counts
        them: of two that it finds on disk and that different programs compiled, it would take one for the other."""
        function.__qualname__ += f"_{self._mark}"


def constant_array(numbers: Iterable[int]) -> Array:
    """Numbers that a compiler takes for constants, in bytes where they suffice."""
    listed = list(numbers)
    return np.array(listed, np.uint8 if max(listed) < 256 else np.int64)


_MAKERS: Mapping[str, type[Speed]] = {"compiled": Compiled, "interpreted": Interpreted}
_speeds: dict[str, Speed] = {}

SPEEDS = tuple(_MAKERS)


def speed(name: str) -> Speed:
    """The speed of that name, of which there is one."""
    if name not in _speeds:
        _speeds[name] = _MAKERS[name]()
    return _speeds[name]
