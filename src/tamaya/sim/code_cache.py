"""A disk cache of compiled functions, so that the next process need not compile them.

Numba keys a function by its own source and the values it closes over; functions here refer to others, made for given rules, in
their globals, which Numba cannot tell apart. So they have a key of their own: a fingerprint of everything that the function can
reach. Comments and bots that it does not call are not part of that; policies of other packages are. Each function has its own
files, which hold the key: processes that compile at the same time would otherwise give their files the same numbers and read
each other's.
"""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.core.caching import FunctionCache, IndexDataCacheFile

MAX_BYTES = 512 << 20
"""The most bytes of a cache folder. Visitors of a server choose the rules, and could fill the disk."""


class Fingerprint:
    """What a compiled function consists of: its bytecode and that of every function it can reach, with their constants."""

    def __init__(self, function: Any) -> None:
        self._digest = hashlib.sha256()
        self._known: dict[int, int] = {}
        self._add(function, frozenset())

    def __str__(self) -> str:
        return self._digest.hexdigest()

    def _write(self, *facts: object) -> None:
        self._digest.update(repr(facts).encode())

    def _add(self, value: Any, names: frozenset[str]) -> None:
        """Add a value that code with these names uses."""
        if isinstance(getattr(value, "py_func", value), FunctionType):
            self._add_function(value)
        elif isinstance(value, tuple):
            fields = getattr(value, "_fields", range(len(value)))
            for field, part in zip(fields, value, strict=True):
                self._write(field)
                self._add(part, names)
        elif isinstance(value, ModuleType):
            for name in sorted(names & value.__dict__.keys()):
                self._write(name)
                self._add(value.__dict__[name], names)
        elif isinstance(value, np.ndarray):
            self._write(str(value.dtype), value.shape, value.tobytes())
        elif isinstance(value, np.dtype):
            self._write(value.descr)
        elif isinstance(value, (int, float, str, bytes, type(None))):
            self._write(type(value).__name__, value)
        else:
            name = getattr(value, "__qualname__", type(value).__qualname__)
            self._write(getattr(value, "__module__", ""), name, getattr(value, "_fields", ()))

    def _add_function(self, dispatcher: Any) -> None:
        function = getattr(dispatcher, "py_func", dispatcher)
        if id(function) in self._known:
            self._write("again", self._known[id(function)])
            return
        self._known[id(function)] = len(self._known)
        self._write(function.__name__, sorted(getattr(dispatcher, "targetoptions", {}).items()))
        names = frozenset(self._add_code(function.__code__, function.__doc__))
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            self._write(name)
            self._add(cell.cell_contents, names)
        for name in sorted(names & function.__globals__.keys()):
            self._write(name)
            self._add(function.__globals__[name], names)

    def _add_code(self, code: CodeType, doc: str | None = None) -> Iterator[str]:
        """Add a piece of bytecode; returns the names in it."""
        self._write(code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_argcount)
        names = list(code.co_names)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                names += self._add_code(constant)
            elif constant is None or constant != doc:
                self._write(constant)
        return iter(names)


class CodeFile(IndexDataCacheFile):
    """Index and data files that also hold the key they were written for."""

    def save(self, key: Any, data: Any) -> None:
        """Save a compiled function, if the disk has room for it, and delete the least recently used ones over the limit."""
        with suppress(OSError):
            super().save(key, (key, data))  # type: ignore[no-untyped-call]
            evict(Path(self._cache_path), MAX_BYTES)

    def load(self, key: Any) -> Any:
        """The function saved under this key; None if there is none or its files are damaged."""
        with suppress(Exception):
            written_for, data = super().load(key)  # type: ignore[no-untyped-call]
            if written_for == key:
                with suppress(OSError):
                    os.utime(self._index_path)
                return data
        return None

    def has(self, key: Any) -> bool:
        """Whether a function is saved under this key. It is not read, which would be slow."""
        name = self._load_index().get(key)
        return name is not None and Path(self._cache_path, name).is_file()

    def _load_index(self) -> Any:
        with suppress(Exception):
            return super()._load_index()  # type: ignore[no-untyped-call]
        return {}


def evict(folder: Path, max_bytes: int) -> None:
    """Delete the least recently used functions until the rest takes at most `max_bytes`; loading one touches its index."""
    used, sizes, files = dict[str, float](), defaultdict[str, int](int), defaultdict[str, list[Path]](list)
    for file in folder.glob("*.nb[ci]"):
        function, about = file.name.partition(".")[0], file.stat()
        used[function] = max(used.get(function, 0.0), about.st_mtime)
        sizes[function] += about.st_size
        files[function].append(file)
    for function in sorted(used, key=lambda name: used[name]):
        if sum(sizes.values()) <= max_bytes:
            break
        for file in files[function]:
            file.unlink(missing_ok=True)
        del sizes[function]


class CodeCache(FunctionCache):
    """Numba's cache with the fingerprint as key."""

    def __init__(self, dispatcher: Any) -> None:
        function = dispatcher.py_func
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._key = str(Fingerprint(dispatcher))
        name = f"{function.__name__}-{self._key[:24]}"
        self._code_file = self._cache_file = CodeFile(self._cache_path, name, self._key)  # type: ignore[no-untyped-call]
        self.lock = Path(self._cache_path, f"{name}.lock")

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return sig, codegen.magic_tuple(), self._key

    def has(self, types: Any, codegen: Any) -> bool:
        """Whether the function is kept for arguments of these types."""
        return self._code_file.has(self._index_key(types, codegen))


def cache_on_disk(dispatcher: Any) -> None:
    """Let a compiled function be kept and found again, if there is a folder for it."""
    try:
        dispatcher._cache = CodeCache(dispatcher)
    except (RuntimeError, AttributeError, TypeError):  # no folder, or another Numba: it is compiled each time
        return


def is_cached(dispatcher: Any, types: tuple[Any, ...]) -> bool:
    """Whether a compiled function is on disk, for arguments of these types."""
    cache = dispatcher._cache
    return isinstance(cache, CodeCache) and cache.has(types, dispatcher.targetctx.codegen())


@contextmanager
def compile_lock(dispatcher: Any) -> Iterator[None]:
    """Let one program at a time make a function ready, where the system can: the others wait, and find it on disk then."""
    with ExitStack() as held:
        with suppress(ImportError, OSError, AttributeError):
            import fcntl

            file = held.enter_context(dispatcher._cache.lock.open("w"))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
