"""How a policy declares its memory: a named tuple of places, each with its size beside it.

    class Memory(NamedTuple):
        picture: Annotated[int, PER_NUMBER]  # what each card can be
        scratch: Annotated[int, NOTHING]  # what comes before is kept from turn to turn, what comes behind is not
        chances: Annotated[int, PER_SLOT]
        words: Annotated[int, NOTHING]

``plan(Memory, layout)`` says where each field begins in a row of numbers: ``memory[notes.picture + number]``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from operator import attrgetter
from typing import Any, TypeAlias, TypeVar, get_type_hints

from tamaya.engine.instances import Fields, Setting
from tamaya.engine.layout import Layout, layout_of

Size: TypeAlias = Callable[[Layout], int]
Places = TypeVar("Places", bound=tuple[int, ...])

PER_NUMBER: Size = attrgetter("deck_size")
"""A number for each card of the deck, by its number."""
PER_CARD: Size = attrgetter("cards")
"""One for each different card."""
PER_COLOUR: Size = attrgetter("colours")
PER_SEAT: Size = attrgetter("players")
PER_SLOT: Size = attrgetter("hand_size")
"""One for each slot of one hand."""


def PER_HAND_SLOT(layout: Layout) -> int:  # noqa: N802 - it stands beside the others
    """One for each slot of every hand: ``seat * hand_size + slot``."""
    return layout.players * layout.hand_size


def exactly(count: int) -> Size:
    """So many numbers, whatever the rules."""
    return lambda layout: count


ONE, NOTHING = exactly(1), exactly(0)


def plan(kind: type[Places], basis: object) -> Places:
    """Where the fields of a memory begin. Their sizes are functions of the basis: a layout, or what else a memory needs."""
    hints = get_type_hints(kind, include_extras=True)
    sizes = [hints[name].__metadata__[0](basis) for name in kind._fields[:-1]]  # type: ignore[attr-defined]
    return kind(*accumulate(sizes, initial=0))


# What follows is how memories are declared from now on; the above goes with the last builder.


class Scratch:
    """Marks the field of a memory behind which nothing is kept from turn to turn."""


class Memory:
    """What a policy remembers, as a class of named numbers::

        class HatMemory(Memory):
            possible: Annotated[Row, PER_NUMBER]  # what each card can be
            refuted: int
            scratch: Scratch  # the fields above are kept from turn to turn; those below may hold anything at the next call
            chances: Annotated[Row, PER_SLOT]

    Its functions take one: ``memory.possible[number]``, ``memory.refuted += 1``. What is copied from turn to turn is a row of
    numbers, which a policy sees as its `Memory`.
    """


@lru_cache(maxsize=256)
def fields_of(memory: type[Any], setting: Setting) -> tuple[Fields, int]:
    """The fields of a memory, and how many numbers of it are kept from turn to turn."""
    found, saved, layout = list[tuple[str, int]](), None, layout_of(setting.rules)
    for name, hint in get_type_hints(memory, include_extras=True).items():
        if hint is Scratch:
            saved = sum(size or 1 for _, size in found)
        elif hint is int:
            found.append((name, 0))
        else:
            size = hint.__metadata__[0]
            found.append((name, size.of(setting) if isinstance(size, PerSetting) else size(layout)))
    return Fields(tuple(found)), sum(size or 1 for _, size in found) if saved is None else saved


@dataclass(frozen=True)
class PerSetting:
    """The size of a field that follows from a policy's own setting."""

    of: Callable[[Any], int]
