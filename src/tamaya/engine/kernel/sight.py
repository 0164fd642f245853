"""What one seat may see, in the same array: a view for functions in the kernel's style."""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel.parts import Jit, Parts
from tamaya.engine.layout import DRAWN, NO_CARD, NUMBER, SLOT, Layout

EVERYBODY = -1
"""The eyes of those who see every hand: of players who cheat, to measure against."""


def build_sight(rules: Layout, jit: Jit) -> Parts:
    """The function that writes down what a seat sees."""
    deck, deck_size, hands, size = rules.deck, rules.deck_size, rules.hands, rules.size
    hand_size, hand_bytes = rules.hand_size, rules.hand_size * SLOT

    @jit
    def see(state: Any, seat: int, sight: Any) -> None:
        """Copy what lies open and what was told; of the faces, those of cards that left the deck for other hands or the table.

        The deck is never seen, not even by `EVERYBODY`.
        """
        for at in range(deck):
            sight[at] = state[at]
        for at in range(hands, size):
            sight[at] = state[at]
        drawn = state[DRAWN] + 0
        for number in range(drawn):
            sight[deck + number] = state[deck + number]
        for number in range(drawn, deck_size):
            sight[deck + number] = NO_CARD
        if seat != EVERYBODY:
            for slot in range(hand_size):
                number = state[hands + seat * hand_bytes + slot * SLOT + NUMBER]
                if number != NO_CARD:
                    sight[deck + number] = NO_CARD

    return Parts(see=see)
