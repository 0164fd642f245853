"""The observer's own cards: the target of an auxiliary loss, never a part of what a player sees."""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel import Jit, Kernel, Table
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import NUMBER, SLOT, Layout
from tamaya.sim.encoding.bits import build_bits, words_for
from tamaya.sim.encoding.sections import Sections


def own_hand_sections(rules: Layout) -> Sections:
    """One cell a card of the game, for each slot."""
    return Sections({"own_hand": rules.hand_size * rules.colours * 5})


def build_own_hand(kernel: Kernel, sections: Sections, jit: Jit, table: Table) -> Parts:
    """The encoder; an empty slot marks nothing."""
    rules, hand_count, bits = kernel.layout, kernel.hand_count, build_bits(jit)
    clear, mark, count = bits.clear, bits.mark, words_for(sections.size)
    hand_size, cards, deck, first_slot = rules.hand_size, 5 * rules.colours, rules.deck, rules.hands

    @jit
    def encode(state: Any, observer: int, words: Any) -> None:
        """Write which card lies in which slot."""
        clear(words, count)
        for slot in range(hand_count(state, observer)):
            card = state[deck + state[first_slot + (observer * hand_size + slot) * SLOT + NUMBER]]
            mark(words, slot * cards + card)

    return Parts(encode=encode)
