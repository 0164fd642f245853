"""What one seat may see, in the same array: a view for functions in the kernel's style."""

from __future__ import annotations

from collections.abc import Callable

from tamaya.engine.kernel.dialect import Jit, Row
from tamaya.engine.layout import DRAWN, NO_CARD, NUMBER, SLOT, Layout

EVERYBODY = -1
"""The eyes of those who see every hand: of players who cheat, to measure against."""


def build_sight(layout: Layout, jit: Jit) -> Callable[[Row, int, Row], None]:
    """The function that writes down what a seat sees."""

    @jit
    def see(state: Row, seat: int, sight: Row) -> None:
        """Copy what lies open and what was told; of the faces, those of cards that left the deck for other hands or the table.

        The deck is never seen, not even by `EVERYBODY`.
        """
        for at in range(layout.deck):
            sight[at] = state[at]
        for at in range(layout.hands, layout.size):
            sight[at] = state[at]
        drawn = state[DRAWN] + 0
        for number in range(drawn):
            sight[layout.deck + number] = state[layout.deck + number]
        for number in range(drawn, layout.deck_size):
            sight[layout.deck + number] = NO_CARD
        if seat != EVERYBODY:
            for slot in range(layout.hand_size):
                number = state[layout.hands + seat * layout.hand_bytes + slot * SLOT + NUMBER]
                if number != NO_CARD:
                    sight[layout.deck + number] = NO_CARD

    return see
