"""The cells of an observation: written as bits, handed out as cells of other kinds, and refined to probabilities.

Bits are written into 32-bit words, which fill from their lowest bit on. How many cells an observation has follows from its
encoder: functions that need to know take it from the ``size`` of their setting.
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
"""Ones that are written at a time."""
BYTE, BYTES = 8, 1 << 8

KINDS = ("uint8", "float32", "bits")
"""A cell a byte, a cell a float, or 32 cells a word with the first cell in the lowest bit."""

SIZE: int = per_setting(attrgetter("size"))
"""The cells of an observation."""
WHOLE_WORDS: int = derived(SIZE, lambda size: size // BITS)
REST: int = derived(SIZE, lambda size: size % BITS)
"""Cells in the last word, if it is not a whole one."""
ONES = LookupTable((byte >> bit) & 1 for byte in range(-1, BYTES) for bit in range(BYTE))
"""The bits of every byte, behind eight that are not looked up: if places began at 0, LLVM would take ``eight + bit`` for an
``or``, and not look up eight cells at once."""


class Cells(Protocol):
    """A row of an observation: words, bytes or fractions."""

    def __setitem__(self, at: int, number: float, /) -> None: ...


def words_for(bits: int) -> int:
    """How many words that many bits are written into: one to spare, as a write may reach into the next."""
    return -(-bits // BITS) + 1


# Writing bits, into words that were zero before.


def clear(words: Row, count: int) -> None:
    """Set the first words to zero."""
    for at in range(count):
        words[at] = 0


def put(words: Row, at: int, number: int) -> None:
    """Write the bits of a number of at most 32, from a place on."""
    shifted = number << (at & LAST_BIT)
    words[at >> WORD_SHIFT] |= shifted & WORD
    words[(at >> WORD_SHIFT) + 1] |= shifted >> BITS


def mark(words: Row, at: int) -> None:
    """Write a single one."""
    words[at >> WORD_SHIFT] |= 1 << (at & LAST_BIT)


def fill(words: Row, at: int, count: int) -> None:
    """Write `count` ones, from a place on."""
    while count > FILLED:
        put(words, at, (1 << FILLED) - 1)
        at += FILLED
        count -= FILLED
    put(words, at, (1 << count) - 1)


# From words to a row of an observation.


def copy_words(words: Row, row: Cells) -> None:
    """Write an observation as it is, 32 cells a word."""
    for at in range(WHOLE_WORDS + (REST > 0)):
        row[at] = words[at]


def expand_words(words: Row, row: Cells) -> None:
    """Write a cell for each bit: eight at a time, looked up."""
    for word in range(WHOLE_WORDS):
        bits = words[word]
        for quarter in range(BITS // BYTE):
            eight = (((bits >> (BYTE * quarter)) & (BYTES - 1)) + 1) * BYTE
            for bit in range(BYTE):
                row[word * BITS + quarter * BYTE + bit] = ONES[eight + bit]
    for bit in range(REST):
        row[WHOLE_WORDS * BITS + bit] = (words[WHOLE_WORDS] >> bit) & 1


# Probabilities by counting cards, in the places where the canonical observation has what clues leave possible.


def leave_out_hands(state: Row, observer: int, counts: Row) -> None:
    """Take the cards in the other hands out of the counts."""
    for distance in range(1, layout.players):
        seat = (observer + distance) % layout.players
        for slot in range(hand_count(state, seat)):
            counts[card_at(state, seat, slot)] -= 1


def write_chances(possible: int, counts: Row, row: Cells, at: int) -> None:
    """Write the probabilities of a card: each one that is possible weighs as much as there are copies of it."""
    total = 0
    for card in range(layout.cards):
        total += ((possible >> card) & 1) * counts[card]
    for card in range(layout.cards):
        row[at + card] = ((possible >> card) & 1) * counts[card] / total


def write_beliefs(state: Row, observer: int, counts: Row, row: Cells) -> None:
    """Write the probabilities of every card in every hand into a row of the canonical observation.

    In the observer's own hand, copies count that lie neither on the table nor in another hand; in each other hand those that do
    not lie on the table, which is what all players know that its owner knows. `counts` is a row to count cards in.
    """
    count_left(counts, state)
    for distance in range(layout.players - 1, -1, -1):
        seat = (observer + distance) % layout.players
        if distance == 0:
            leave_out_hands(state, observer, counts)
        for slot in range(hand_count(state, seat)):
            at = KNOWLEDGE + (distance * layout.hand_size + slot) * WIDTH
            write_chances(possible_cards(state, seat, slot), counts, row, at)
