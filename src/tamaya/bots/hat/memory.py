"""Where the hat bot keeps what it knows: places in one row of whole numbers."""

from __future__ import annotations

from typing import NamedTuple

from tamaya.engine.layout import Layout


class Memory(NamedTuple):
    """First places of what is kept through a game, and, behind it, of what is worked out anew each time."""

    picture: int  # by number of a card: the cards it can be, one bit each
    left: int  # by card: copies that are neither placed nor thrown away
    loose: int  # by card: those of them that are not known to be in a certain place
    own: int  # by slot: what the player's own cards can be, with what it sees
    own_left: int  # by card: copies that the player does not see
    answers: int  # by seat and slot: what a card can be after the answer to a question
    chances: int  # by slot: figures that questions are chosen by
    order: int
    words: int


def plan_memory(plan: Layout) -> Memory:
    """The places for games of these rules."""
    cards, slots = plan.colours * 5, plan.players * plan.hand_size
    sizes = (plan.deck_size, cards, cards, plan.hand_size, cards, slots, plan.hand_size * 2, plan.hand_size * 2 + 2)
    places, at = [], 0
    for size in sizes:
        places.append(at)
        at += size
    return Memory(*places, words=at)
