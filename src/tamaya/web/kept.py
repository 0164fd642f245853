"""What was drawn and may be wanted again: all of it in one place, which has so much room and no more."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import wraps
from sys import getsizeof
from typing import Any, ParamSpec, TypeVar
from weakref import ref

P = ParamSpec("P")
T = TypeVar("T")

ROOM = 160 * 2**20
"""How many bytes the parts of drawings may take in a process. About a thousand tables that move every few seconds find what was
drawn for their last move; with less, all of it is drawn anew each time."""
BOARDS = 32 * 2**20
"""The same of whole boards. They are many times as large and hold until the next move: they would push parts out."""
BESIDES = 600
"""About how many bytes each takes besides its text: the objects that it is found by, and its place."""
NOTHING = (None, 0)


class Shelf:
    """Keeps things by what they were made of, within a room of so many bytes. Most of it is text, in which whoever plays here
    has a say, so that no number of things would bound it.

    The room has two halves. What is wanted moves to the new one, and once that is full, the old one is emptied and takes its
    place: so what was not wanted for longest goes first, and finding something costs no more than looking it up.
    """

    def __init__(self, room: int = ROOM) -> None:
        self._half = room // 2
        self._new: dict[Hashable, tuple[Any, int]] = {}
        self._old: dict[Hashable, tuple[Any, int]] = {}
        self._in_new = self._in_old = 0

    @property
    def size(self) -> int:
        """How many bytes all that is kept takes, about."""
        return self._in_new + self._in_old

    def get(self, key: Hashable) -> Any:
        """What was kept under a key; nothing if it was not or is gone."""
        found = self._new.get(key)
        if found is None:
            found = self._old.pop(key, None)
            if found is None:
                return None
            self._in_old -= found[1]
            self._add(key, *found)
        return found[0]

    def put(self, key: Hashable, thing: Any, text: int) -> None:
        """Keep something with so many bytes of text in it, in place of what was there under the same key."""
        self._in_new -= self._new.pop(key, NOTHING)[1]
        self._in_old -= self._old.pop(key, NOTHING)[1]
        self._add(key, thing, text + BESIDES)

    def get_of(self, owner: object, key: Hashable) -> Any:
        """What was kept under a key, if it is of that very object: another may have taken its place since."""
        found = self.get(key)
        return found[1] if found and found[0]() is owner else None

    def put_of(self, owner: object, key: Hashable, thing: Any, text: int) -> None:
        """Keep something that holds for one object only, without keeping that."""
        self.put(key, (ref(owner), thing), text)

    def _add(self, key: Hashable, thing: Any, size: int) -> None:
        if size > self._half:
            return
        if self._in_new + size > self._half:
            self._old, self._in_old = self._new, self._in_new
            self._new, self._in_new = {}, 0
        self._new[key] = thing, size
        self._in_new += size


SHELF = Shelf()
"""The one of this process."""


def kept(make: Callable[P, T]) -> Callable[P, T]:
    """Let something be made once and then remembered, for as long as there is room. What it was made of is not counted: that
    is kept on the shelf by itself, or short."""

    @wraps(make)
    def remembered(*args: P.args, **kwargs: P.kwargs) -> T:
        key = (make, args, *kwargs.items()) if kwargs else (make, args)
        found: T | None = SHELF.get(key)
        if found is None:
            found = make(*args, **kwargs)
            SHELF.put(key, found, text_in(found))
        return found

    return remembered


def text_in(thing: object) -> int:
    """How many bytes the texts in something take."""
    if isinstance(thing, str | bytes):
        return getsizeof(thing)
    if isinstance(thing, Mapping):
        return sum(map(text_in, thing.values()))
    parts = thing if isinstance(thing, tuple) else (getattr(thing, name) for name in getattr(thing, "__dataclass_fields__", ()))
    return sum(map(text_in, parts))
