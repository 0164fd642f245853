"""Hands: cards come in at the right, slots close up when one leaves, clues mark what they touch."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tamaya.engine.kernel.dialect import Jit, Row
from tamaya.engine.layout import (
    DRAWN,
    EVERY_VALUE,
    HEIGHT,
    LAST_TURNS,
    NAMED,
    NO_CARD,
    NUMBER,
    POSSIBLE_COLOURS,
    POSSIBLE_VALUES,
    SLOT,
    Layout,
)


class Hands(NamedTuple):
    """The functions that move and mark cards in hands."""

    hand_count: Callable[[Row, int], int]
    draw: Callable[[Row, int], None]
    take: Callable[[Row, int, int], int]
    tell: Callable[[Row, int, int, int, int], int]


def build_hands(layout: Layout, jit: Jit) -> Hands:
    """The functions that move and mark cards in hands."""
    every_colour = (1 << layout.colours) - 1

    @jit
    def hand_count(state: Row, seat: int) -> int:
        """How many cards a hand holds, counted from the right: a full hand shows at once."""
        count = layout.hand_size
        while count > 0 and state[layout.hands + seat * layout.hand_bytes + (count - 1) * SLOT + NUMBER] == NO_CARD:
            count -= 1
        return count

    @jit
    def draw(state: Row, seat: int) -> None:
        """The top card of the deck, if there is one, becomes the rightmost of the hand; the last one starts the last turns."""
        if state[DRAWN] == layout.deck_size:
            return
        slot = layout.hands + seat * layout.hand_bytes + hand_count(state, seat) * SLOT
        for at in range(slot, slot + SLOT):
            state[at] = 0
        state[slot + NUMBER] = state[DRAWN]
        state[slot + POSSIBLE_COLOURS] = every_colour
        state[slot + POSSIBLE_VALUES] = EVERY_VALUE
        state[DRAWN] += 1
        if state[DRAWN] == layout.deck_size and not layout.all_or_nothing:
            state[LAST_TURNS] = layout.players

    @jit
    def take(state: Row, seat: int, slot: int) -> int:
        """A card leaves the hand, the cards to its right close up; returns the card's number."""
        first = layout.hands + seat * layout.hand_bytes + slot * SLOT
        last = layout.hands + (seat + 1) * layout.hand_bytes - SLOT
        number = state[first + NUMBER]
        for at in range(first, last):
            state[at] = state[at + SLOT]
        for at in range(last, last + SLOT):
            state[at] = 0
        state[last + NUMBER] = NO_CARD
        return number

    @jit
    def tell(state: Row, seat: int, trait: int, named: int, matching: int) -> int:
        """Name one colour or value (`trait` says which) of a hand: touched cards match it, the others do not.

        Returns the touched slots, one bit each.
        """
        touched = 0
        for slot in range(hand_count(state, seat)):
            at = layout.hands + seat * layout.hand_bytes + slot * SLOT
            card = state[layout.deck + state[at + NUMBER]]
            kind = card // HEIGHT if trait == POSSIBLE_COLOURS else card % HEIGHT
            if (matching >> kind) & 1:
                state[at + trait] &= matching
                state[at + trait + NAMED] |= 1 << named
                touched |= 1 << slot
            else:
                state[at + trait] &= ~matching & 0xFF
        return touched

    return Hands(hand_count, draw, take, tell)
