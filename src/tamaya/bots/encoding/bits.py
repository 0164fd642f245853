"""An observation as bits, in 32-bit words that fill from their lowest bit on, and how it is handed out."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tamaya.engine.kernel import Constants, Jit, Row
from tamaya.engine.kernel.deal import WORD

BITS = 32
"""BitWriter of a word: place `at` is bit ``at & LAST_BIT`` of word ``at >> WORD_SHIFT``."""
LAST_BIT, WORD_SHIFT = BITS - 1, 5
FILLED = 30
"""Ones that are written at a time."""
BYTE, BYTES = 8, 1 << 8

KINDS = ("uint8", "float32", "bits")
"""A cell a byte, a cell a float, or 32 cells a word with the first cell in the lowest bit."""


class BitWriter(NamedTuple):
    """The functions that write bits into words which were zero before."""

    clear: Callable[[Row, int], None]
    put: Callable[[Row, int, int], None]
    mark: Callable[[Row, int], None]
    fill: Callable[[Row, int, int], None]


def words_for(bits: int) -> int:
    """The words that an observation of so many bits is written into: one to spare, as a write may reach into the next."""
    return -(-bits // BITS) + 1


def build_bits(jit: Jit) -> BitWriter:
    """The functions that write bits into words which were zero before."""

    @jit
    def clear(words: Row, count: int) -> None:
        for at in range(count):
            words[at] = 0

    @jit
    def put(words: Row, at: int, number: int) -> None:
        """The bits of a number of at most 32, from a place on."""
        shifted = number << (at & LAST_BIT)
        words[at >> WORD_SHIFT] |= shifted & WORD
        words[(at >> WORD_SHIFT) + 1] |= shifted >> BITS

    @jit
    def mark(words: Row, at: int) -> None:
        """One bit."""
        words[at >> WORD_SHIFT] |= 1 << (at & LAST_BIT)

    @jit
    def fill(words: Row, at: int, count: int) -> None:
        """As many ones as are counted, from a place on."""
        while count > FILLED:
            put(words, at, (1 << FILLED) - 1)
            at += FILLED
            count -= FILLED
        put(words, at, (1 << count) - 1)

    return BitWriter(clear, put, mark, fill)


def build_expand(size: int, kind: str, jit: Jit, constants: Constants) -> Callable[[Row, Row], None]:
    """The function that turns the words of an observation of this size into a row of this kind."""
    whole, rest = size // BITS, size % BITS
    ones = constants((byte >> bit) & 1 for byte in range(BYTES) for bit in range(BYTE))

    @jit
    def copy(words: Row, row: Row) -> None:
        for at in range(whole + (rest > 0)):
            row[at] = words[at]

    @jit
    def expand(words: Row, row: Row) -> None:
        """Eight cells at a time, looked up."""
        for word in range(whole):
            bits = words[word]
            for quarter in range(BITS // BYTE):
                eight = ((bits >> (BYTE * quarter)) & (BYTES - 1)) * BYTE
                for bit in range(BYTE):
                    row[word * BITS + quarter * BYTE + bit] = ones[eight + bit]
        for bit in range(rest):
            row[whole * BITS + bit] = (words[whole] >> bit) & 1

    return copy if kind == "bits" else expand
