"""Compiled loops kept on disk, so that the next program need not wait.

Numba keeps a function under its own text and what it closes over; the loops here close over functions built for given
rules, which it cannot tell apart. So the key is ours: the rules and the loop by name, and the text of every file that the
functions come from. Each loop has files of its own that say whose they are: programs that compile at the same time would
otherwise number their files alike, and find each other's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile

from tamaya.sim.sources import sources


class LoopFile(IndexDataCacheFile):
    """Files that hold the key they were written for."""

    def save(self, key: Any, data: Any) -> None:
        """Keep a compiled loop, if the disk has room for it."""
        with suppress(OSError):
            super().save(key, (key, data))  # type: ignore[no-untyped-call]

    def load(self, key: Any) -> Any:
        """What was kept under this key; nothing where the files are damaged."""
        with suppress(Exception):
            written_for, data = super().load(key)  # type: ignore[no-untyped-call]
            return data if written_for == key else None
        return None

    def _load_index(self) -> Any:
        with suppress(Exception):
            return super()._load_index()  # type: ignore[no-untyped-call]
        return {}


class LoopCache(FunctionCache):
    """Numba's cache with a key of our own."""

    def __init__(self, function: Any, key: str) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._key = key
        name = f"{self._impl.filename_base}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"
        self._cache_file = LoopFile(self._cache_path, name, sources())  # type: ignore[no-untyped-call]
        self.lock = Path(self._cache_path, f"{name}.lock")

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return sig, codegen.magic_tuple(), self._key, sources()


def keep_on_disk(dispatcher: Any, key: str) -> None:
    """Let a compiled loop be kept and found again, if there is a folder for it."""
    try:
        dispatcher._cache = LoopCache(dispatcher.py_func, key)
    except (RuntimeError, AttributeError, TypeError):  # no folder, or another Numba: it is compiled each time
        return


@contextmanager
def alone(dispatcher: Any) -> Iterator[None]:
    """Let one program at a time make a loop ready, where the system can: the others wait, and find it on disk then."""
    with ExitStack() as held:
        with suppress(ImportError, OSError, AttributeError):
            import fcntl

            file = held.enter_context(dispatcher._cache.lock.open("w"))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
