"""Hands: cards come in at the right, slots close up when one leaves, clues mark what they touch."""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel.parts import Jit, Parts
from tamaya.engine.layout import COLOURS, DRAWN, LAST_TURNS, NAMED, NO_CARD, NUMBER, SLOT, VALUES, Layout


def build_hands(rules: Layout, jit: Jit) -> Parts:
    """The functions that move and mark cards in hands."""
    players, hand_size, all_or_nothing = rules.players, rules.hand_size, rules.all_or_nothing
    deck, deck_size, hands, hand_bytes = rules.deck, rules.deck_size, rules.hands, rules.hand_size * SLOT
    every_colour, every_value = (1 << rules.colours) - 1, (1 << 5) - 1

    @jit
    def hand_count(state: Any, seat: int) -> int:
        """How many cards a hand holds, counted from the right: a full hand shows at once."""
        count = hand_size
        while count > 0 and state[hands + seat * hand_bytes + (count - 1) * SLOT + NUMBER] == NO_CARD:
            count -= 1
        return count

    @jit
    def draw(state: Any, seat: int) -> None:
        """The top card of the deck, if there is one, becomes the rightmost of the hand; the last one starts the last turns."""
        if state[DRAWN] == deck_size:
            return
        slot = hands + seat * hand_bytes + hand_count(state, seat) * SLOT
        for at in range(slot, slot + SLOT):
            state[at] = 0
        state[slot + NUMBER] = state[DRAWN]
        state[slot + COLOURS] = every_colour
        state[slot + VALUES] = every_value
        state[DRAWN] += 1
        if state[DRAWN] == deck_size and not all_or_nothing:
            state[LAST_TURNS] = players

    @jit
    def take(state: Any, seat: int, slot: int) -> int:
        """A card leaves the hand, the cards to its right close up; returns the card's number."""
        first = hands + seat * hand_bytes + slot * SLOT
        last = hands + (seat + 1) * hand_bytes - SLOT
        number: int = state[first + NUMBER]
        for at in range(first, last):
            state[at] = state[at + SLOT]
        for at in range(last, last + SLOT):
            state[at] = 0
        state[last + NUMBER] = NO_CARD
        return number

    @jit
    def tell(state: Any, seat: int, trait: int, named: int, matching: int) -> int:
        """Name one colour or value (`trait` says which) of a hand: touched cards match it, the others do not.

        Returns the touched slots, one bit each.
        """
        touched = 0
        for slot in range(hand_count(state, seat)):
            at = hands + seat * hand_bytes + slot * SLOT
            card = state[deck + state[at + NUMBER]]
            kind = card // 5 if trait == COLOURS else card % 5
            if (matching >> kind) & 1:
                state[at + trait] &= matching
                state[at + trait + NAMED] |= 1 << named
                touched |= 1 << slot
            else:
                state[at + trait] &= ~matching & 0xFF
        return touched

    return Parts(hand_count=hand_count, draw=draw, take=take, tell=tell)
