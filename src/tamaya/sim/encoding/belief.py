"""Probabilities by counting cards, in the places where the canonical observation has what clues leave possible.

Each card is looked at by itself: every card that the clues leave possible weighs as much as there are copies of it that
cannot be seen. For the observer's own hand that means the cards on the table and in the other hands; for each other hand,
the cards on the table alone, which is what everybody knows that its owner knows.
"""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel import Jit, Kernel, Table
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import COLOURS, NUMBER, SLOT, VALUES
from tamaya.sim.encoding.sections import Sections


def build_belief(kernel: Kernel, sections: Sections, jit: Jit, table: Table) -> Parts:
    """The function that writes probabilities over a row of the canonical observation."""
    rules, hand_count = kernel.layout, kernel.hand_count
    players, hand_size, colours, cards = rules.players, rules.hand_size, rules.colours, 5 * rules.colours
    deck, first_slot, fireworks, discards = rules.deck, rules.hands, rules.fireworks, rules.discards
    start, width = sections.start("knowledge"), cards + colours + 5
    copies = table(rules.copies)

    @jit
    def count_hidden(state: Any, counts: Any) -> None:
        """The copies of each card that are not on the table."""
        for card in range(cards):
            placed = 1 if state[fireworks + card // 5] > card % 5 else 0
            counts[card] = copies[card] - state[discards + card] - placed

    @jit
    def see_hands(state: Any, observer: int, counts: Any) -> None:
        """Less those in the other hands."""
        for distance in range(1, players):
            seat = (observer + distance) % players
            for slot in range(hand_count(state, seat)):
                counts[state[deck + state[first_slot + (seat * hand_size + slot) * SLOT + NUMBER]]] -= 1

    @jit
    def weigh(state: Any, slot: int, counts: Any, row: Any, at: int) -> None:
        """The probabilities of one card."""
        total = 0
        for card in range(cards):
            fits = (state[slot + COLOURS] >> (card // 5)) & (state[slot + VALUES] >> (card % 5)) & 1
            total += fits * counts[card]
        for card in range(cards):
            fits = (state[slot + COLOURS] >> (card // 5)) & (state[slot + VALUES] >> (card % 5)) & 1
            row[at + card] = fits * counts[card] / total

    @jit
    def believe(state: Any, observer: int, counts: Any, row: Any) -> None:
        """Write the probabilities of every card in every hand."""
        for hand in range(players):
            distance = players - 1 - hand
            seat = (observer + distance) % players
            if hand == 0:
                count_hidden(state, counts)
            if distance == 0:
                see_hands(state, observer, counts)
            for slot in range(hand_count(state, seat)):
                place = first_slot + (seat * hand_size + slot) * SLOT
                weigh(state, place, counts, row, start + (distance * hand_size + slot) * width)

    return Parts(believe=believe)
