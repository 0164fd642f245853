"""What the learned policy keeps in mind, and the sizes of its network."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from tamaya.bots.encoding.bits import words_for
from tamaya.bots.encoding.sections import canonical_sections, last_action_cells
from tamaya.bots.memory import NOTHING, ONE, PER_CARD, exactly
from tamaya.engine.layout import Layout

PAST = 8
"""So many of the last actions it looks at; the last of them is part of what is seen."""
WIDTH = 512
"""Cells of a hidden layer."""
CELL_BITS = 16
"""A cell of a hidden layer counts in parts of ``2**CELL_BITS``."""
LEVELS = 5
"""A chance is told as: possible at all, a quarter, a half, three quarters, certain."""
KINDS = 3
"""Playable, of no use any more, the last of its kind."""


class Places(NamedTuple):
    """Where the cells of a row of features begin, and how many there are."""

    past: int
    chances: int
    others: int
    unseen: int
    kinds: int
    size: int
    action_width: int
    """The cells of one action."""


def places_of(layout: Layout) -> Places:
    """The places by these rules."""
    seen, action = canonical_sections(layout).size, last_action_cells(layout).end
    chances = seen + (PAST - 1) * action
    others = chances + layout.players * layout.hand_size * KINDS * LEVELS
    unseen = others + (layout.players - 1) * layout.hand_size * KINDS
    kinds = unseen + layout.deck_size
    return Places(seen, chances, others, unseen, kinds, kinds + KINDS * layout.cards, action)


def words_of_action(layout: Layout) -> int:
    """The words that one action is written into."""
    return words_for(last_action_cells(layout).end)


def _past(layout: Layout) -> int:
    return (PAST - 1) * words_of_action(layout)


def _seen(layout: Layout) -> int:
    return words_for(canonical_sections(layout).size)


def _cells(layout: Layout) -> int:
    return places_of(layout).size


def _actions(layout: Layout) -> int:
    return layout.actions


class LearnedMemory(NamedTuple):
    """Where the memory holds what."""

    past: Annotated[int, _past]  # the actions before the last one, the newest first
    scratch: Annotated[int, NOTHING]
    seen: Annotated[int, _seen]  # the canonical observation
    left: Annotated[int, PER_CARD]  # copies that are not on the table
    unseen: Annotated[int, PER_CARD]  # copies that the player does not see
    sets: Annotated[int, exactly(KINDS)]  # which cards are of each kind
    listed: Annotated[int, ONE]  # how many cells are 1
    cells: Annotated[int, _cells]  # and which
    hidden: Annotated[int, exactly(WIDTH)]
    following: Annotated[int, exactly(WIDTH)]
    worth: Annotated[int, _actions]  # what each action is worth
    words: Annotated[int, NOTHING]
