"""The deal: the deck in an order that a seed decides, the same on every machine and at every speed.

The generator is sfc32 (Chris Doty-Humphrey, PractRand): 128 bits of state, additions, shifts and exclusive ors of 32-bit
numbers only, twelve rounds of warming up. A number below n comes from it by Lemire's multiplication with rejection, which
has no bias; the shuffle is Fisher and Yates'.
"""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel.parts import Jit, Parts
from tamaya.engine.layout import Layout

WORD = 0xFFFFFFFF
WARM_UP = 12


def build_shuffle(rules: Layout, jit: Jit) -> Parts:
    """The functions that lay out a deck and shuffle it."""
    deck, deck_size, cards, copies = rules.deck, rules.deck_size, rules.colours * 5, rules.copies

    @jit
    def step(a: int, b: int, c: int, counter: int) -> tuple[int, int, int, int, int]:
        drawn = (a + b + counter) & WORD
        a = b ^ (b >> 9)
        b = (c + (c << 3)) & WORD
        c = ((((c << 21) & WORD) | (c >> 11)) + drawn) & WORD
        return a, b, c, (counter + 1) & WORD, drawn

    @jit
    def start(seed_high: int, seed_low: int) -> tuple[int, int, int, int]:
        """The generator's state for a seed of twice 32 bits."""
        a, b, c, counter = 0, seed_low & WORD, seed_high & WORD, 1
        for _ in range(WARM_UP):
            a, b, c, counter, _ = step(a, b, c, counter)
        return a, b, c, counter

    @jit
    def below(count: int, a: int, b: int, c: int, counter: int) -> tuple[int, int, int, int, int]:
        """The generator's next state, and a number from 0 to below the count, each equally likely."""
        a, b, c, counter, drawn = step(a, b, c, counter)
        scaled = drawn * count
        while (scaled & WORD) < count and (scaled & WORD) < (WORD + 1 - count) % count:
            a, b, c, counter, drawn = step(a, b, c, counter)
            scaled = drawn * count
        return a, b, c, counter, scaled >> 32

    @jit
    def lay_out(state: Any) -> None:
        """Every card of the box, in order."""
        at = deck
        for card in range(cards):
            for _ in range(copies[card]):
                state[at] = card
                at += 1

    @jit
    def shuffle(state: Any, seed_high: int, seed_low: int) -> None:
        """Swap each card, from the bottom, with one at or above it."""
        a, b, c, counter = start(seed_high, seed_low)
        for left in range(deck_size, 1, -1):
            a, b, c, counter, place = below(left, a, b, c, counter)
            card = state[deck + left - 1]
            state[deck + left - 1] = state[deck + place]
            state[deck + place] = card

    return Parts(start=start, below=below, lay_out=lay_out, shuffle=shuffle)
