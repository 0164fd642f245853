"""Other deals that a seat could not tell from the one on the table.

What a seat cannot see, its own hand and the deck, is dealt anew: every order of the hidden cards that agrees with the clues
given to the hand is equally likely. The cards of the hand are drawn slot by slot among those that fit; a draw is kept as
often as it leaves choices (as many as would be there at the start), else all begins again. That makes up for draws that
leave fewer choices to the next slot, so nothing is favoured.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tamaya.engine.kernel import Jit, Kernel, Row
from tamaya.engine.layout import DRAWN, HEIGHT, NUMBER, POSSIBLE_COLOURS, POSSIBLE_VALUES, SLOT

Chance = tuple[int, int, int, int]
"""The state of the generator that draws lots."""


class Resampling(NamedTuple):
    """The functions that deal anew what a seat cannot see: state, seat, and a seed of twice 32 bits."""

    resample_hand: Callable[[Row, int, int, int], None]
    """The hand alone. A card that comes into the hand changes places with the one that was there, so the cards exchanged with
    the hand move and the rest of the deck keeps its order; what a draw that was given up had exchanged stays exchanged."""
    resample: Callable[[Row, int, int, int], None]
    """The same hand for the same seed, then the order of the deck."""


def build_resampling(kernel: Kernel, jit: Jit) -> Resampling:
    """The functions that deal anew what a seat cannot see."""
    layout, shuffle = kernel.layout, kernel.shuffle

    @jit
    def place_of(state: Row, seat: int, held: int, hidden: int) -> int:
        """Where a hidden card lies: first those of the hand, then the deck."""
        number = state[DRAWN] + hidden - held
        if hidden < held:
            number = state[layout.hands + seat * layout.hand_bytes + hidden * SLOT + NUMBER] + 0
        return layout.deck + number

    @jit
    def fits(state: Row, seat: int, slot: int, card: int) -> int:
        """1 if the clues allow the card in that slot, else 0."""
        at = layout.hands + seat * layout.hand_bytes + slot * SLOT
        return (state[at + POSSIBLE_COLOURS] >> (card // HEIGHT)) & (state[at + POSSIBLE_VALUES] >> (card % HEIGHT)) & 1

    @jit
    def count_fitting(state: Row, seat: int, held: int, slot: int, first: int) -> int:
        """How many hidden cards, from a first one on, can lie in a slot."""
        count = 0
        for hidden in range(first, held + layout.deck_size - state[DRAWN]):
            count += fits(state, seat, slot, state[place_of(state, seat, held, hidden)] + 0)
        return count

    @jit
    def exchange(state: Row, one: int, other: int) -> None:
        card = state[one]
        state[one] = state[other]
        state[other] = card

    @jit
    def bring(state: Row, seat: int, held: int, slot: int, nth: int) -> None:
        """Exchange the card in a slot with the nth hidden one from there on that fits."""
        for hidden in range(slot, held + layout.deck_size - state[DRAWN]):
            other = place_of(state, seat, held, hidden)
            if fits(state, seat, slot, state[other] + 0):
                if nth == 0:
                    exchange(state, place_of(state, seat, held, slot), other)
                    return
                nth -= 1

    @jit
    def deal_hand(state: Row, seat: int, seed_high: int, seed_low: int) -> Chance:
        """Another hand that agrees with the clues; returns where the generator stands then."""
        a, b, c, counter = shuffle.start(seed_high, seed_low)
        held, slot = kernel.hand_count(state, seat), 0
        while slot < held:
            choices = count_fitting(state, seat, held, slot, slot)
            a, b, c, counter, luck = shuffle.below(count_fitting(state, seat, held, slot, 0), a, b, c, counter)
            if luck < choices:
                a, b, c, counter, nth = shuffle.below(choices, a, b, c, counter)
                bring(state, seat, held, slot, nth)
                slot += 1
            else:
                slot = 0
        return a, b, c, counter

    @jit
    def resample_hand(state: Row, seat: int, seed_high: int, seed_low: int) -> None:
        deal_hand(state, seat, seed_high, seed_low)

    @jit
    def resample(state: Row, seat: int, seed_high: int, seed_low: int) -> None:
        a, b, c, counter = deal_hand(state, seat, seed_high, seed_low)
        top = layout.deck + state[DRAWN]
        for left in range(layout.deck_size - state[DRAWN], 1, -1):
            a, b, c, counter, other = shuffle.below(left, a, b, c, counter)
            exchange(state, top + left - 1, top + other)

    return Resampling(resample_hand, resample)
