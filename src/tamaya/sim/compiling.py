"""Compiled loops kept on disk, so that the next program need not wait.

Numba keeps a function under its own text and what it closes over; the loops here close over functions built for given
rules, which it cannot tell apart. So the key is ours: the rules and the loop by name, and the text of every file that the
functions come from.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache

import tamaya

SOURCES = ("rules", "engine", "sim", "bots")


@lru_cache(maxsize=1)
def sources() -> str:
    """A fingerprint of every file whose functions may be compiled."""
    root = Path(tamaya.__file__).parent
    digest = hashlib.sha256()
    for room in SOURCES:
        for path in sorted((root / room).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


class LoopCache(FunctionCache):
    """Numba's cache with a key of our own."""

    def __init__(self, function: Any, key: str) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._key = key

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return sig, codegen.magic_tuple(), self._key, sources()


def keep_on_disk(dispatcher: Any, key: str) -> None:
    """Let a compiled loop be kept and found again, if there is a folder for it."""
    try:
        dispatcher._cache = LoopCache(dispatcher.py_func, key)
    except RuntimeError:  # no folder can be written: it is compiled each time
        return
