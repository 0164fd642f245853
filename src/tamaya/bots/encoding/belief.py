"""Probabilities by counting cards, in the places where the canonical observation has what clues leave possible.

Each card is looked at by itself: every card that the clues leave possible weighs as much as there are copies of it that
cannot be seen. For the observer's own hand that means the cards on the table and in the other hands; for each other hand,
the cards on the table alone, which is what everybody knows that its owner knows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from tamaya.bots.encoding.sections import Sections, knowledge_width
from tamaya.engine.kernel import Constants, Jit, Kernel, Row
from tamaya.engine.layout import HEIGHT, NUMBER, POSSIBLE_COLOURS, POSSIBLE_VALUES, SLOT


class Cells(Protocol):
    """A row of an observation that takes fractions."""

    def __setitem__(self, at: int, number: float, /) -> None: ...


Believe: TypeAlias = Callable[[Row, int, Row, Cells], None]
"""Writes probabilities over an observation: the state, the observer's seat, a row to count cards in, and the observation."""


def build_belief(kernel: Kernel, sections: Sections, jit: Jit, constants: Constants) -> Believe:
    """The function that writes probabilities over a row of the canonical observation."""
    layout, copies = kernel.layout, constants(kernel.layout.copies)
    start, width = sections.start("knowledge"), knowledge_width(kernel.layout)

    @jit
    def count_off_table(state: Row, counts: Row) -> None:
        """The copies of each card that are not on the table."""
        for card in range(layout.cards):
            placed = 1 if state[layout.fireworks + card // HEIGHT] > card % HEIGHT else 0
            counts[card] = copies[card] - state[layout.discards + card] - placed

    @jit
    def leave_out_hands(state: Row, observer: int, counts: Row) -> None:
        """Less those in the other hands."""
        for distance in range(1, layout.players):
            seat = (observer + distance) % layout.players
            for slot in range(kernel.hand_count(state, seat)):
                counts[state[layout.deck + state[layout.hands + seat * layout.hand_bytes + slot * SLOT + NUMBER]]] -= 1

    @jit
    def is_possible(state: Row, told: int, card: int) -> int:
        """1 if the clues leave the card possible, else 0."""
        return (state[told + POSSIBLE_COLOURS] >> (card // HEIGHT)) & (state[told + POSSIBLE_VALUES] >> (card % HEIGHT)) & 1

    @jit
    def weigh(state: Row, told: int, counts: Row, row: Cells, at: int) -> None:
        """The probabilities of one card."""
        total = 0
        for card in range(layout.cards):
            total += is_possible(state, told, card) * counts[card]
        for card in range(layout.cards):
            row[at + card] = is_possible(state, told, card) * counts[card] / total

    @jit
    def believe(state: Row, observer: int, counts: Row, row: Cells) -> None:
        """Write the probabilities of every card in every hand, the observer's last."""
        count_off_table(state, counts)
        for distance in range(layout.players - 1, -1, -1):
            seat = (observer + distance) % layout.players
            if distance == 0:
                leave_out_hands(state, observer, counts)
            for slot in range(kernel.hand_count(state, seat)):
                told = layout.hands + seat * layout.hand_bytes + slot * SLOT
                weigh(state, told, counts, row, start + (distance * layout.hand_size + slot) * width)

    return believe
