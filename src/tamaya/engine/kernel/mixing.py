"""Numbers that look random and follow from others."""

from __future__ import annotations

from tamaya.engine.kernel.parts import Jit, Parts
from tamaya.engine.kernel.shuffle import WORD


def build_mixing(jit: Jit) -> Parts:
    """The function that mixes."""

    @jit
    def mix(word: int) -> int:
        """A 32-bit number that looks nothing like this one (Chris Wellons' lowbias32)."""
        word &= WORD
        word ^= word >> 16
        word = (word * 0x7FEB352D) & WORD
        word ^= word >> 15
        word = (word * 0x846CA68B) & WORD
        return word ^ (word >> 16)

    return Parts(mix=mix)
