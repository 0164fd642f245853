"""The deal: shuffle the deck by a seed, the same on every machine and at every speed, and deal the first hands.

The generator is sfc32 (Chris Doty-Humphrey, PractRand): 128 bits of state; additions, shifts and exclusive ors of 32-bit
numbers only; twelve rounds of warm-up. A number below n is drawn by Lemire's multiplication with rejection, which is
unbiased; the shuffle is Fisher and Yates'.
"""

from __future__ import annotations

from tamaya.engine.instances import Options, Row
from tamaya.engine.kernel.hands import put_top_card
from tamaya.engine.layout import CLUES, SLOT, copies, layout

OPTIONS = Options("inline")
WORD = 0xFFFFFFFF
WARM_UP = 12


def step(a: int, b: int, c: int, counter: int) -> tuple[int, int, int, int, int]:
    """The generator's next state, and the number drawn."""
    drawn = (a + b + counter) & WORD
    a = b ^ (b >> 9)
    b = (c + (c << 3)) & WORD
    c = ((((c << 21) & WORD) | (c >> 11)) + drawn) & WORD
    return a, b, c, (counter + 1) & WORD, drawn


def start(seed_high: int, seed_low: int) -> tuple[int, int, int, int]:
    """The generator's state for a seed of twice 32 bits."""
    a, b, c, counter = 0, seed_low & WORD, seed_high & WORD, 1
    for _ in range(WARM_UP):
        a, b, c, counter, _ = step(a, b, c, counter)
    return a, b, c, counter


def below(count: int, a: int, b: int, c: int, counter: int) -> tuple[int, int, int, int, int]:
    """The generator's next state, and a uniform number below the count."""
    a, b, c, counter, drawn = step(a, b, c, counter)
    scaled = drawn * count
    while (scaled & WORD) < count and (scaled & WORD) < (WORD + 1 - count) % count:
        a, b, c, counter, drawn = step(a, b, c, counter)
        scaled = drawn * count
    return a, b, c, counter, scaled >> 32


def lay_out(state: Row) -> None:
    """Put every card of the box into the deck, in order."""
    at = layout.deck
    for card in range(layout.cards):
        for _ in range(copies[card]):
            state[at] = card
            at += 1


def shuffle(state: Row, seed_high: int, seed_low: int) -> None:
    """Swap each card, from the bottom, with one at or above it."""
    a, b, c, counter = start(seed_high, seed_low)
    for left in range(layout.deck_size, 1, -1):
        a, b, c, counter, place = below(left, a, b, c, counter)
        card = state[layout.deck + left - 1]
        state[layout.deck + left - 1] = state[layout.deck + place]
        state[layout.deck + place] = card


def mix(word: int) -> int:
    """A hash of a 32-bit number (Chris Wellons' lowbias32)."""
    word &= WORD
    word ^= word >> 16
    word = (word * 0x7FEB352D) & WORD
    word ^= word >> 15
    word = (word * 0x846CA68B) & WORD
    return word ^ (word >> 16)


def begin(state: Row) -> None:
    """Start a game with the deck as it lies: all clue tokens, no fireworks, a full hand for each seat in turn."""
    for at in range(layout.deck):
        state[at] = 0
    state[CLUES] = layout.clue_tokens
    for at in range(layout.hands, layout.size, SLOT):
        put_top_card(state, at)


def deal(state: Row, seed_high: int, seed_low: int) -> None:
    """Shuffle by a 64-bit seed, then begin."""
    lay_out(state)
    shuffle(state, seed_high, seed_low)
    begin(state)
