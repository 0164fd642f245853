"""What a learned policy keeps in mind, and where its network finds what."""

from __future__ import annotations

from operator import attrgetter
from typing import Annotated, NamedTuple

from tamaya.bots.encoding.bits import words_for
from tamaya.bots.encoding.sections import canonical_sections, last_action_cells
from tamaya.bots.memory import NOTHING, ONE, exactly
from tamaya.engine.layout import Layout

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


def places_of(layout: Layout, past: int) -> Places:
    """The places by these rules, for a network that looks at so many of the last actions; the last of them is part of what is
    seen."""
    seen, action = canonical_sections(layout).size, last_action_cells(layout).end
    chances = seen + (past - 1) * action
    others = chances + layout.players * layout.hand_size * KINDS * LEVELS
    unseen = others + (layout.players - 1) * layout.hand_size * KINDS
    kinds = unseen + layout.deck_size
    return Places(seen, chances, others, unseen, kinds, kinds + KINDS * layout.cards, action)


class LearnedShape(NamedTuple):
    """What a network is made for, and its size."""

    layout: Layout
    past: int
    """So many of the last actions it looks at."""
    width: int
    """Cells of a hidden layer."""

    @property
    def places(self) -> Places:
        """Where its cells begin."""
        return places_of(self.layout, self.past)

    @property
    def action_words(self) -> int:
        """The words that one action is written into."""
        return words_for(self.places.action_width)

    @property
    def past_words(self) -> int:
        """The words of all actions before the last one."""
        return (self.past - 1) * self.action_words

    @property
    def seen_words(self) -> int:
        """The words of the canonical observation."""
        return words_for(canonical_sections(self.layout).size)

    @property
    def longest_list(self) -> int:
        """The most cells of a layer that can be other than 0."""
        return max(self.places.size, self.width)


class LearnedMemory(NamedTuple):
    """Where the memory holds what, by the shape of the network."""

    past: Annotated[int, attrgetter("past_words")]  # the actions before the last one, the newest first
    scratch: Annotated[int, NOTHING]
    seen: Annotated[int, attrgetter("seen_words")]  # the canonical observation
    left: Annotated[int, attrgetter("layout.cards")]  # copies that are not on the table
    unseen: Annotated[int, attrgetter("layout.cards")]  # copies that the player does not see
    sets: Annotated[int, exactly(KINDS)]  # which cards are of each kind
    listed: Annotated[int, ONE]  # how many cells of the layer before are not 0
    cells: Annotated[int, attrgetter("longest_list")]  # and which, in their order
    hidden: Annotated[int, attrgetter("width")]
    following: Annotated[int, attrgetter("width")]
    worth: Annotated[int, attrgetter("layout.actions")]  # what each action is worth
    words: Annotated[int, NOTHING]
