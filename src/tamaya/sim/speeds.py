"""The speeds at which plain functions run: interpreted, and compiled by Numba.

Compiled, the functions of one game are inlined into the loops that Python calls, which run without the GIL and are cached on
disk if Numba finds a folder for them.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from threading import Lock
from types import FunctionType
from typing import Any

import numpy as np

from tamaya.engine.instances import INTERPRETED, Fields, LookupTable, Options, Setting, Speed
from tamaya.rules.errors import require
from tamaya.sim.threads import Array

SPEEDS = ("compiled", "interpreted")
"""The speeds of batches and teams; ``checked`` is for tests."""
KINDS: Mapping[str, dict[str, Any]] = {"inline": {"forceinline": True}, "call": {"_nrt": False}, "paste": {"inline": "always"}}
"""Numba's options for the functions of each kind. Policies and loops only pass on the arrays that they are given: without
reference counting they run up to twice as fast."""


@dataclass(frozen=True)
class CompileRecord:
    """A record of a loop that was made ready: its name, its setting, the time it took, and whether it was found on disk."""

    loop: str
    key: str
    seconds: float
    from_disk: bool


class CompiledLoop:
    """A loop that is compiled, or loaded from disk, when first called; one at a time."""

    def __init__(self, dispatcher: Any, key: str, records: list[CompileRecord], one_at_a_time: Lock) -> None:
        self._dispatcher, self._key, self._records, self._one_at_a_time = dispatcher, key, records, one_at_a_time
        self._name, self._has_disk_cache = dispatcher.py_func.__name__, False

    def __call__(self, *arguments: Any) -> Any:
        """Run the loop."""
        if not self._dispatcher.signatures:
            with self._one_at_a_time:
                if not self._dispatcher.signatures:
                    self._make(arguments)
        return self._dispatcher(*arguments)

    def is_ready(self, arguments: Iterable[Any]) -> bool:
        """Whether nothing needs to be compiled for arguments of these types."""
        from tamaya.sim.code_cache import is_cached

        self._cache_on_disk()
        types = self._types(arguments)
        return types in self._dispatcher.signatures or is_cached(self._dispatcher, types)

    def _types(self, arguments: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(map(self._dispatcher.typeof_pyval, arguments))

    def _cache_on_disk(self) -> None:
        """Enable the disk cache for the loop; its key is known only once all functions that it reaches exist."""
        from tamaya.sim.code_cache import cache_on_disk

        if not self._has_disk_cache:
            cache_on_disk(self._dispatcher)
            self._has_disk_cache = True

    def _make(self, arguments: Iterable[Any]) -> None:
        from tamaya.sim.code_cache import compile_lock

        self._cache_on_disk()
        start = time.perf_counter()
        with compile_lock(self._dispatcher):
            self._dispatcher.compile(self._types(arguments))
        took, from_disk = time.perf_counter() - start, bool(self._dispatcher.stats.cache_hits)
        self._records.append(CompileRecord(self._name, self._key, took, from_disk))


class Compiled:
    """Functions compiled by Numba; `records` lists the loops compiled so far."""

    name = "compiled"
    interprets = False

    def __init__(self, **options: Any) -> None:
        njit = require("numba", "sim").njit
        self._njit = partial(njit, nogil=True, error_model="numpy", **options)
        self._mark = secrets.token_hex(8)
        self.records: list[CompileRecord] = []
        self._one_at_a_time = Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return speed, (self.name,)

    def make(self, function: FunctionType, options: Options, setting: Setting) -> Any:
        """A function that only compiled functions call, or a loop that is compiled when first called."""
        if options.kind == "loop":
            made = CompiledLoop(self._njit(_nrt=False)(function), str(setting), self.records, self._one_at_a_time)
            self._mark_name(function)
            return made
        return self._part(function, **KINDS[options.kind])

    def table(self, numbers: LookupTable) -> Any:
        """An array that the compiler treats as constant."""
        return constant_array(numbers)

    def view(self, fields: Fields) -> Any:
        """A function that views a row as a record."""
        return self._part(record_view(fields), forceinline=True)

    def is_ready(self, loop: Any, arguments: Iterable[Any]) -> bool:
        """Whether a loop was compiled in this process, or is cached on disk, for such arguments."""
        assert isinstance(loop, CompiledLoop), "a loop of another speed"
        return loop.is_ready(arguments)

    def _part(self, function: Callable[..., Any], **options: Any) -> Any:
        from tamaya.sim.linking import PartCompiler

        self._mark_name(function)
        parts = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": PartCompiler}
        return self._njit(**parts, **options)(function)

    def _mark_name(self, function: Callable[..., Any]) -> None:
        """Give a function a unique name: Numba would confuse two from disk that different processes compiled under one name."""
        function.__qualname__ += f"_{self._mark}"


class Checked(Compiled):
    """Functions compiled by Numba with bounds checks, for tests: an index outside a row is an error."""

    name = "checked"

    def __init__(self) -> None:
        super().__init__(boundscheck=True)


def record_view(fields: Fields) -> Callable[[Any], Any]:
    """A function that views the numbers of a row as the fields of a record."""
    record = np.dtype([(name, np.int64, (size,)) if size else (name, np.int64) for name, size in fields.sizes])
    words = record.itemsize // 8

    def view(row: Any) -> Any:
        return row[:words].view(record)[0]

    return view


def constant_array(numbers: Iterable[int]) -> Array:
    """Numbers that a compiler treats as constant, in bytes if they fit."""
    listed = list(numbers)
    return np.array(listed, np.uint8 if max(listed) < 256 else np.int64)


@cache
def speed(name: str) -> Speed:
    """The speed of that name; each is created once."""
    if name == "interpreted":
        return INTERPRETED
    return Checked() if name == "checked" else Compiled()
