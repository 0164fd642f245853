"""What a sight says of cards: which can be played, which are dead, what clues told. Sets of cards are numbers, one bit each."""

from __future__ import annotations

from typing import Any

from tamaya.bots.policy import Table
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import COLOURS, NUMBER, SLOT, VALUES


def build_cards(kernel: Kernel, jit: Jit, table: Table) -> Parts:
    """The functions that look at cards."""
    plan = kernel.layout
    players, hand_size, colours, kinds = plan.players, plan.hand_size, plan.colours, plan.colours * 5
    fireworks, discards, deck, hands = plan.fireworks, plan.discards, plan.deck, plan.hands
    copies, reach, hand_count = table(plan.copies), kernel.reach, kernel.hand_count

    @jit
    def number_at(sight: Any, seat: int, slot: int) -> int:
        """The number of the card in a slot."""
        number: int = sight[hands + (seat * hand_size + slot) * SLOT + NUMBER] + 0
        return number

    @jit
    def face_at(sight: Any, seat: int, slot: int) -> int:
        """The card in a slot, where it is seen."""
        card: int = sight[deck + number_at(sight, seat, slot)] + 0
        return card

    @jit
    def playable_cards(sight: Any) -> int:
        """The next card of each firework."""
        found = 0
        for colour in range(colours):
            height = sight[fireworks + colour] + 0
            if height < 5:
                found |= 1 << (colour * 5 + height)
        return found

    @jit
    def dead_cards(sight: Any) -> int:
        """Cards that can never be placed any more."""
        found = 0
        for colour in range(colours):
            height, end = sight[fireworks + colour] + 0, reach(sight, colour)
            found |= (31 & ~(((1 << end) - 1) & ~((1 << height) - 1))) << (colour * 5)
        return found

    @jit
    def spare_cards(sight: Any, dead: int) -> int:
        """Cards that can be done without: dead ones, and those of which more than one copy is left."""
        found = dead
        for card in range(kinds):
            if copies[card] - sight[discards + card] > 1:
                found |= 1 << card
        return found

    @jit
    def seen_cards(sight: Any, me: int) -> int:
        """The cards in the other hands."""
        found = 0
        for seat in range(players):
            if seat != me:
                for slot in range(hand_count(sight, seat)):
                    found |= 1 << face_at(sight, seat, slot)
        return found

    @jit
    def told_cards(sight: Any, seat: int, slot: int) -> int:
        """The cards that clues leave open for a slot."""
        at = hands + (seat * hand_size + slot) * SLOT
        found, values = 0, sight[at + VALUES] + 0
        for colour in range(colours):
            if (sight[at + COLOURS] >> colour) & 1:
                found |= values << (colour * 5)
        return found

    @jit
    def index_of(one: int) -> int:
        """Which card it is that the only bit stands for."""
        index = 0
        for step in (16, 8, 4, 2, 1):
            if one >> step:
                index += step
                one >>= step
        return index

    @jit
    def count_out(memory: Any, sight: Any, weights: int) -> None:
        """Write how many copies of each card are neither placed nor thrown away."""
        for colour in range(colours):
            height = sight[fireworks + colour] + 0
            for value in range(5):
                card = colour * 5 + value
                memory[weights + card] = copies[card] - sight[discards + card] - (1 if value < height else 0)

    @jit
    def weigh(memory: Any, weights: int, options: int) -> int:
        """How many copies there are of these cards."""
        total = 0
        for card in range(kinds):
            if (options >> card) & 1:
                total += max(memory[weights + card], 0)
        return total

    return Parts(
        number_at=number_at, face_at=face_at, playable_cards=playable_cards, dead_cards=dead_cards, spare_cards=spare_cards,
        seen_cards=seen_cards, told_cards=told_cards, index_of=index_of, count_out=count_out, weigh=weigh,
    )  # fmt: skip
