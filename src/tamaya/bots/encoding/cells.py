"""The cells of an observation: written as bits, converted to cells of other kinds, and refined to probabilities.

Bits are written into 32-bit words from the lowest bit on. The size of an observation follows from its encoder: functions that
need it take it from the ``size`` of their setting.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Protocol

from tamaya.bots.cards import count_left
from tamaya.bots.encoding.sections import KNOWLEDGE, WIDTH
from tamaya.engine.instances import LookupTable, Options, Row, derived, per_setting
from tamaya.engine.kernel.clues import possible_cards
from tamaya.engine.kernel.deal import WORD
from tamaya.engine.kernel.hands import card_at, hand_count
from tamaya.engine.layout import layout

OPTIONS = Options("inline")
BITS = 32
"""Bits of a word: place `at` is bit ``at & LAST_BIT`` of word ``at >> WORD_SHIFT``."""
LAST_BIT, WORD_SHIFT = BITS - 1, 5
FILLED = 30
"""The number of ones written at a time."""
BYTE, BYTES = 8, 1 << 8

KINDS = ("uint8", "float32", "bits")
"""A byte per cell, a float per cell, or 32 cells per word with the first cell in the lowest bit."""

SIZE: int = per_setting(attrgetter("size"))
"""The number of cells in an observation."""
WHOLE_WORDS: int = derived(SIZE, lambda size: size // BITS)
REST: int = derived(SIZE, lambda size: size % BITS)
"""The cells in a last word that is only partly filled."""
ONES = LookupTable((byte >> bit) & 1 for byte in range(-1, BYTES) for bit in range(BYTE))
"""The bits of every byte, after eight unused entries: if the places began at 0, LLVM would compile ``eight + bit`` to an ``or``
and not look up eight cells at once."""


class Cells(Protocol):
    """The row of an observation: words, bytes or floats."""

    def __setitem__(self, at: int, number: float, /) -> None: ...


def words_for(bits: int) -> int:
    """The number of words for that many bits, plus one, as a write may reach into the next word."""
    return -(-bits // BITS) + 1


# Writing bits, into words that are zero.


def clear(words: Row, count: int) -> None:
    """Set the first words to zero."""
    for at in range(count):
        words[at] = 0


def put(words: Row, at: int, number: int) -> None:
    """Write a number of up to 32 bits, starting at a place."""
    shifted = number << (at & LAST_BIT)
    words[at >> WORD_SHIFT] |= shifted & WORD
    words[(at >> WORD_SHIFT) + 1] |= shifted >> BITS


def mark(words: Row, at: int) -> None:
    """Write a single 1."""
    words[at >> WORD_SHIFT] |= 1 << (at & LAST_BIT)


def fill(words: Row, at: int, count: int) -> None:
    """Write `count` ones, starting at a place."""
    while count > FILLED:
        put(words, at, (1 << FILLED) - 1)
        at += FILLED
        count -= FILLED
    put(words, at, (1 << count) - 1)


# From words to a row of an observation.


def copy_words(words: Row, row: Cells) -> None:
    """Write an observation unchanged, 32 cells per word."""
    for at in range(WHOLE_WORDS + (REST > 0)):
        row[at] = words[at]


def expand_words(words: Row, row: Cells) -> None:
    """Write a cell for each bit, looking up eight at a time."""
    for word in range(WHOLE_WORDS):
        bits = words[word]
        for quarter in range(BITS // BYTE):
            eight = (((bits >> (BYTE * quarter)) & (BYTES - 1)) + 1) * BYTE
            for bit in range(BYTE):
                row[word * BITS + quarter * BYTE + bit] = ONES[eight + bit]
    for bit in range(REST):
        row[WHOLE_WORDS * BITS + bit] = (words[WHOLE_WORDS] >> bit) & 1


# Probabilities by counting cards, in place of what the clues leave possible in the canonical observation.


def leave_out_hands(state: Row, observer: int, counts: Row) -> None:
    """Subtract the cards in the other hands from the counts."""
    for distance in range(1, layout.players):
        seat = (observer + distance) % layout.players
        for slot in range(hand_count(state, seat)):
            counts[card_at(state, seat, slot)] -= 1


def write_chances(possible: int, counts: Row, row: Cells, at: int) -> None:
    """Write the probabilities of a card: each possible card is weighted by its copies."""
    total = 0
    for card in range(layout.cards):
        total += ((possible >> card) & 1) * counts[card]
    for card in range(layout.cards):
        row[at + card] = ((possible >> card) & 1) * counts[card] / total


def write_beliefs(state: Row, observer: int, counts: Row, row: Cells) -> None:
    """Write the probabilities of every card in every hand into a row of the canonical observation.

    For the observer's own hand, they count copies that are neither on the table nor in another hand; for another hand, copies
    that are not on the table, which is what all players know that its owner knows. `counts` is scratch.
    """
    count_left(counts, state)
    for distance in range(layout.players - 1, -1, -1):
        seat = (observer + distance) % layout.players
        if distance == 0:
            leave_out_hands(state, observer, counts)
        for slot in range(hand_count(state, seat)):
            at = KNOWLEDGE + (distance * layout.hand_size + slot) * WIDTH
            write_chances(possible_cards(state, seat, slot), counts, row, at)
