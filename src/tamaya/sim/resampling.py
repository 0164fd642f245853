"""Other deals that a seat could not tell from the one on the table.

What a seat cannot see, its own hand and the deck, is dealt anew: every order of the hidden cards that agrees with the clues
given to the hand is equally likely. The cards of the hand are drawn slot by slot among those that fit; a draw is kept as
often as it leaves choices (as many as would be there at the start), else all begins again. That makes up for draws that
leave fewer choices to the next slot, so nothing is favoured.
"""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.kernel.shuffle import build_shuffle
from tamaya.engine.layout import COLOURS, DRAWN, NUMBER, SLOT, VALUES


def build_resampling(kernel: Kernel, jit: Jit) -> Parts:
    """The function that deals what a seat cannot see anew."""
    rules, hand_count = kernel.layout, kernel.hand_count
    hand_size, deck, deck_size, first_slot = rules.hand_size, rules.deck, rules.deck_size, rules.hands
    chance = build_shuffle(rules, jit)
    start, below = chance.start, chance.below

    @jit
    def place(state: Any, seat: int, held: int, hidden: int) -> int:
        """Where a hidden card lies: first those of the hand, then the deck."""
        number: int = state[DRAWN] + hidden - held
        if hidden < held:
            number = state[first_slot + (seat * hand_size + hidden) * SLOT + NUMBER] + 0
        return deck + number

    @jit
    def fits(state: Any, seat: int, slot: int, card: int) -> int:
        at = first_slot + (seat * hand_size + slot) * SLOT
        possible: int = (state[at + COLOURS] >> (card // 5)) & (state[at + VALUES] >> (card % 5)) & 1
        return possible

    @jit
    def fitting(state: Any, seat: int, held: int, slot: int, first: int) -> int:
        """How many hidden cards, from a first one on, can lie in a slot."""
        count = 0
        for hidden in range(first, held + deck_size - state[DRAWN]):
            count += fits(state, seat, slot, state[place(state, seat, held, hidden)] + 0)
        return count

    @jit
    def bring(state: Any, seat: int, held: int, slot: int, nth: int) -> None:
        """Exchange the card in a slot with the nth hidden one from there on that fits."""
        for hidden in range(slot, held + deck_size - state[DRAWN]):
            other = place(state, seat, held, hidden)
            if fits(state, seat, slot, state[other] + 0):
                if nth == 0:
                    mine = place(state, seat, held, slot)
                    card = state[mine]
                    state[mine] = state[other]
                    state[other] = card
                    return
                nth -= 1

    @jit
    def resample(state: Any, seat: int, seed_high: int, seed_low: int) -> None:
        a, b, c, counter = start(seed_high, seed_low)
        held, slot = hand_count(state, seat), 0
        while slot < held:
            choices = fitting(state, seat, held, slot, slot)
            a, b, c, counter, luck = below(fitting(state, seat, held, slot, 0), a, b, c, counter)
            if luck < choices:
                a, b, c, counter, nth = below(choices, a, b, c, counter)
                bring(state, seat, held, slot, nth)
                slot += 1
            else:
                slot = 0
        top = deck + state[DRAWN]
        for left in range(deck_size - state[DRAWN], 1, -1):
            a, b, c, counter, other = below(left, a, b, c, counter)
            card = state[top + left - 1]
            state[top + left - 1] = state[top + other]
            state[top + other] = card

    return Parts(resample=resample)
