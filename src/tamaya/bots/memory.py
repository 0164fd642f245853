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
from itertools import accumulate
from operator import attrgetter
from typing import TypeAlias, TypeVar, get_type_hints

from tamaya.engine.layout import Layout

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
