"""A byte-bounded cache of rendered HTML, one per process, and placeholders that are filled per request."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import wraps
from sys import getsizeof
from typing import Any, ParamSpec, TypeVar
from weakref import ref

from markupsafe import Markup

_OPEN, _CLOSE = "<!--gap ", "-->"


def placeholder(name: str) -> Markup:
    """A mark in rendered HTML that is filled later; user input cannot forge one, because it is escaped."""
    return Markup(_OPEN + name + _CLOSE)


@dataclass(frozen=True, slots=True)
class PlaceholderHtml:
    """Rendered HTML, and the name, start and end of each placeholder in it."""

    text: str
    placeholders: tuple[tuple[str, int, int], ...]

    @classmethod
    def parse(cls, drawn: str) -> PlaceholderHtml:
        """Find the placeholders in rendered HTML."""
        placeholders, end = list[tuple[str, int, int]](), 0
        while (start := drawn.find(_OPEN, end)) >= 0:
            closes = drawn.index(_CLOSE, start)
            end = closes + len(_CLOSE)
            placeholders.append((drawn[start + len(_OPEN) : closes], start, end))
        return cls(drawn, tuple(placeholders))

    def fill(self, values: Mapping[str, Markup]) -> PlaceholderHtml:
        """The HTML with new values in its placeholders, which may have been filled before."""
        pieces, placeholders, read, written = list[str](), list[tuple[str, int, int]](), 0, 0
        for name, start, end in self.placeholders:
            pieces += self.text[read:start], values[name]
            begins = written + start - read
            read, written = end, begins + len(values[name])
            placeholders.append((name, begins, written))
        return PlaceholderHtml("".join([*pieces, self.text[read:]]), tuple(placeholders))


P = ParamSpec("P")
T = TypeVar("T")

RENDER_CACHE_SIZE = 160 * 2**20
"""The size of the cache of components, in bytes: enough for about a thousand tables, with an action every few seconds, to reuse
the components of their last one."""
BOARD_CACHE_SIZE = 32 * 2**20
"""The size of the cache of boards. They are many times as large and are used until the next action only, so they would evict
components from a shared cache."""
ENTRY_OVERHEAD = 600
"""The approximate bytes of an entry besides its text."""
NO_ENTRY = (None, 0)


class RenderCache:
    """A cache bounded by size rather than by entries, since players influence the length of texts.

    It has two generations. A hit moves the entry to the new one; when that is full, the old one is dropped and the new one
    takes its place. This approximates LRU eviction at the cost of a dictionary lookup.
    """

    def __init__(self, max_size: int = RENDER_CACHE_SIZE) -> None:
        self._half = max_size // 2
        self._new: dict[Hashable, tuple[Any, int]] = {}
        self._old: dict[Hashable, tuple[Any, int]] = {}
        self._new_size = self._old_size = 0

    @property
    def size(self) -> int:
        """The approximate size of all entries, in bytes."""
        return self._new_size + self._old_size

    def get(self, key: Hashable) -> Any:
        """The value of a key, or None."""
        entry = self._new.get(key)
        if entry is None:
            entry = self._old.pop(key, None)
            if entry is None:
                return None
            self._old_size -= entry[1]
            self._add(key, *entry)
        return entry[0]

    def put(self, key: Hashable, value: Any, size: int) -> None:
        """Store a value that contains N bytes of text."""
        self._new_size -= self._new.pop(key, NO_ENTRY)[1]
        self._old_size -= self._old.pop(key, NO_ENTRY)[1]
        self._add(key, value, size + ENTRY_OVERHEAD)

    def get_for(self, owner: object, key: Hashable) -> Any:
        """The value of a key if it was stored for this very object, or None."""
        entry = self.get(key)
        return entry[1] if entry and entry[0]() is owner else None

    def put_for(self, owner: object, key: Hashable, value: Any, size: int) -> None:
        """Store a value that is valid for one object only, which is referenced weakly."""
        self.put(key, (ref(owner), value), size)

    def _add(self, key: Hashable, value: Any, size: int) -> None:
        if size > self._half:
            return
        if self._new_size + size > self._half:
            self._old, self._old_size = self._new, self._new_size
            self._new, self._new_size = {}, 0
        self._new[key] = value, size
        self._new_size += size


RENDER_CACHE = RenderCache()
"""The process's cache of rendered components."""


def cached(make: Callable[P, T]) -> Callable[P, T]:
    """Cache a function's results in `RENDER_CACHE`; its arguments, which are cached themselves or small, are not counted."""

    @wraps(make)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> T:
        key = (make, args, *kwargs.items()) if kwargs else (make, args)
        result: T | None = RENDER_CACHE.get(key)
        if result is None:
            result = make(*args, **kwargs)
            RENDER_CACHE.put(key, result, text_size(result))
        return result

    return wrapper


def text_size(value: object) -> int:
    """The size of all texts in an object, in bytes."""
    if isinstance(value, str | bytes):
        return getsizeof(value)
    if isinstance(value, Mapping):
        return sum(map(text_size, value.values()))
    parts = value if isinstance(value, tuple) else (getattr(value, name) for name in getattr(value, "__dataclass_fields__", ()))
    return sum(map(text_size, parts))
