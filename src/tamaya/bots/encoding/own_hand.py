"""The observer's own cards: the target of an auxiliary loss, never a part of what a player sees."""

from __future__ import annotations

from tamaya.bots.encoding.bits import build_bits, words_for
from tamaya.bots.encoding.canonical import Encode
from tamaya.bots.encoding.sections import Sections
from tamaya.engine.kernel import Constants, Jit, Kernel, Row
from tamaya.engine.layout import NUMBER, SLOT


def build_own_hand(kernel: Kernel, sections: Sections, jit: Jit, constants: Constants) -> Encode:
    """The encoder; an empty slot marks nothing."""
    layout, bits, count = kernel.layout, build_bits(jit), words_for(sections.size)

    @jit
    def encode(state: Row, observer: int, words: Row) -> None:
        """Write which card lies in which slot."""
        bits.clear(words, count)
        for slot in range(kernel.hand_count(state, observer)):
            card = state[layout.deck + state[layout.hands + observer * layout.hand_bytes + slot * SLOT + NUMBER]]
            bits.mark(words, slot * layout.cards + card)

    return encode
