"""Writing an observation as bits: 32-bit words, filled from their lowest bit on."""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel import Jit
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.kernel.shuffle import WORD

BITS = 32


def words_for(bits: int) -> int:
    """The words that an observation of so many bits is written into: one to spare, as a write may reach into the next."""
    return -(-bits // BITS) + 1


def build_bits(jit: Jit) -> Parts:
    """The functions that write bits into words which were zero before."""

    @jit
    def clear(words: Any, count: int) -> None:
        for at in range(count):
            words[at] = 0

    @jit
    def put(words: Any, at: int, number: int) -> None:
        """The bits of a number of at most 32, from a place on."""
        shifted = number << (at & 31)
        words[at >> 5] |= shifted & WORD
        words[(at >> 5) + 1] |= shifted >> 32

    @jit
    def mark(words: Any, at: int) -> None:
        """One bit."""
        words[at >> 5] |= 1 << (at & 31)

    @jit
    def fill(words: Any, at: int, count: int) -> None:
        """As many bits as are counted, from a place on."""
        while count > 30:
            put(words, at, (1 << 30) - 1)
            at += 30
            count -= 30
        put(words, at, (1 << count) - 1)

    return Parts(clear=clear, put=put, mark=mark, fill=fill)
