"""Where the hat bot keeps what it knows: places in one row of whole numbers."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from tamaya.bots.hat.reasons import REASONS
from tamaya.engine.layout import Layout

DRAWERS = 4
"""How many of the needed cards in the deck the search for the end follows to whoever draws them."""
POSITIONS = 1 << 11
"""How many positions that search remembers."""


class Memory(NamedTuple):
    """First places: of the public picture, which is kept through a game, and behind it of what is worked out each time."""

    picture: int
    """By number of a card: the cards it can be, one bit each."""
    left: int
    """By card: copies that are neither placed nor thrown away."""
    loose: int
    """By card: those of them that nobody knows the place of."""
    broken: int
    """1 once it has shown that somebody does not keep to the code."""
    own: int
    """By slot: what the player's own cards can be, with what it sees."""
    own_left: int
    """By card: copies that the player does not see."""
    ahead: int
    """By seat: the cards that can be played on its next turn."""
    answers: int
    """By seat and slot: what a card can be after the answers to questions."""
    chances: int
    """By slot: how likely a card can be played."""
    order: int
    """The slots that a question is about, in order."""
    holders: int
    """By card: the seats that hold it and know it, one bit each."""
    hopes: int
    """By card: the seats that hold it and may learn of it."""
    tops: int
    """By colour: how high a firework can get."""
    unseen: int
    """The cards that the player does not see, one after the other."""
    coming: int
    """Needed cards that are in the deck."""
    copies: int
    """How many of each of them."""
    worths: int
    """By option: how good it is."""
    searched: int
    """Positions that were looked at, each with its worth."""
    search: int
    """Which search it is."""
    budget: int
    """How many positions may still be looked at."""
    reason: int
    """Why the last choice was made: see `tamaya.bots.hat.reasons`."""
    words: int


def plan_memory(plan: Layout) -> Memory:
    """The places for games of these rules."""
    cards, slots = plan.colours * 5, plan.players * plan.hand_size
    sizes = (
        plan.deck_size, cards, cards, 1, plan.hand_size, cards, plan.players, slots, plan.hand_size, plan.hand_size * 2,
        cards, cards, plan.colours, plan.deck_size, DRAWERS, DRAWERS, plan.colours + 2, POSITIONS * 2, 1, 1,
        REASONS,
    )  # fmt: skip
    return Memory(*accumulate(sizes, initial=0))
