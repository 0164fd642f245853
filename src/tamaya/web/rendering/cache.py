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
    """Where something is put in later. Nobody can write one in a name or a message: what people write is escaped."""
    return Markup(_OPEN + name + _CLOSE)


@dataclass(frozen=True, slots=True)
class PlaceholderHtml:
    """A drawing, and from where to where in it each of its gaps goes."""

    text: str
    placeholders: tuple[tuple[str, int, int], ...]

    @classmethod
    def parse(cls, drawn: str) -> PlaceholderHtml:
        """A drawing whose gaps are still open."""
        gaps, end = list[tuple[str, int, int]](), 0
        while (start := drawn.find(_OPEN, end)) >= 0:
            ends = drawn.index(_CLOSE, start)
            end = ends + len(_CLOSE)
            gaps.append((drawn[start + len(_OPEN) : ends], start, end))
        return cls(drawn, tuple(gaps))

    def fill(self, values: Mapping[str, Markup]) -> PlaceholderHtml:
        """The drawing with these in its gaps, whatever was in them."""
        pieces, gaps, read, written = list[str](), list[tuple[str, int, int]](), 0, 0
        for name, start, end in self.placeholders:
            pieces += self.text[read:start], values[name]
            begins = written + start - read
            read, written = end, begins + len(values[name])
            gaps.append((name, begins, written))
        return PlaceholderHtml("".join([*pieces, self.text[read:]]), tuple(gaps))


P = ParamSpec("P")
T = TypeVar("T")

RENDER_CACHE_SIZE = 160 * 2**20
"""How many bytes the parts of drawings may take in a process. About a thousand tables that move every few seconds find what was
drawn for their last move; with less, all of it is drawn anew each time."""
BOARD_CACHE_SIZE = 32 * 2**20
"""The same of whole boards. They are many times as large and hold until the next move: they would push parts out."""
ENTRY_OVERHEAD = 600
"""About how many bytes each takes besides its text: the objects that it is found by, and its place."""
NO_ENTRY = (None, 0)


class RenderCache:
    """Keeps things by what they were made of, within a room of so many bytes. Most of it is text, in which whoever plays here
    has a say, so that no number of things would bound it.

    The room has two halves. What is wanted moves to the new one, and once that is full, the old one is emptied and takes its
    place: so what was not wanted for longest goes first, and finding something costs no more than looking it up.
    """

    def __init__(self, max_size: int = RENDER_CACHE_SIZE) -> None:
        self._half = max_size // 2
        self._new: dict[Hashable, tuple[Any, int]] = {}
        self._old: dict[Hashable, tuple[Any, int]] = {}
        self._new_size = self._old_size = 0

    @property
    def size(self) -> int:
        """How many bytes all that is kept takes, about."""
        return self._new_size + self._old_size

    def get(self, key: Hashable) -> Any:
        """What was kept under a key; nothing if it was not or is gone."""
        found = self._new.get(key)
        if found is None:
            found = self._old.pop(key, None)
            if found is None:
                return None
            self._old_size -= found[1]
            self._add(key, *found)
        return found[0]

    def put(self, key: Hashable, thing: Any, text: int) -> None:
        """Keep something with so many bytes of text in it, in place of what was there under the same key."""
        self._new_size -= self._new.pop(key, NO_ENTRY)[1]
        self._old_size -= self._old.pop(key, NO_ENTRY)[1]
        self._add(key, thing, text + ENTRY_OVERHEAD)

    def get_for(self, owner: object, key: Hashable) -> Any:
        """What was kept under a key, if it is of that very object: another may have taken its place since."""
        found = self.get(key)
        return found[1] if found and found[0]() is owner else None

    def put_for(self, owner: object, key: Hashable, thing: Any, text: int) -> None:
        """Keep something that holds for one object only, without keeping that."""
        self.put(key, (ref(owner), thing), text)

    def _add(self, key: Hashable, thing: Any, size: int) -> None:
        if size > self._half:
            return
        if self._new_size + size > self._half:
            self._old, self._old_size = self._new, self._new_size
            self._new, self._new_size = {}, 0
        self._new[key] = thing, size
        self._new_size += size


RENDER_CACHE = RenderCache()
"""The one of this process."""


def cached(make: Callable[P, T]) -> Callable[P, T]:
    """Let something be made once and then remembered, for as long as there is room. What it was made of is not counted: that
    is kept on the shelf by itself, or short."""

    @wraps(make)
    def remembered(*args: P.args, **kwargs: P.kwargs) -> T:
        key = (make, args, *kwargs.items()) if kwargs else (make, args)
        found: T | None = RENDER_CACHE.get(key)
        if found is None:
            found = make(*args, **kwargs)
            RENDER_CACHE.put(key, found, text_size(found))
        return found

    return remembered


def text_size(thing: object) -> int:
    """How many bytes the texts in something take."""
    if isinstance(thing, str | bytes):
        return getsizeof(thing)
    if isinstance(thing, Mapping):
        return sum(map(text_size, thing.values()))
    parts = thing if isinstance(thing, tuple) else (getattr(thing, name) for name in getattr(thing, "__dataclass_fields__", ()))
    return sum(map(text_size, parts))
