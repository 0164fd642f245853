"""The public picture: for each card in a hand, what it can be as far as everybody knows."""

from __future__ import annotations

from typing import Any

from tamaya.bots.convention.memory import ANYTHING, Memory
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import COLOURS, NAMED_COLOURS, NAMED_VALUES, NUMBER, SLOT, VALUES


def build_picture(kernel: Kernel, jit: Jit, table: Any, notes: Memory, weights: tuple[int, ...]) -> Parts:
    """The functions that keep the picture."""
    plan = kernel.layout
    players, hand_size, colours, cards = plan.players, plan.hand_size, plan.colours, plan.colours * 5
    fireworks, discards, hands, deck_size = plan.fireworks, plan.discards, plan.hands, plan.deck_size
    copies, hand_count, reach = table(plan.copies), kernel.hand_count, kernel.reach
    every_card, value_row = (1 << cards) - 1, sum(1 << 5 * colour for colour in range(colours))
    picture, meant, loose, waiting, left = notes.picture, notes.meant, notes.loose, notes.waiting, notes.left
    weight_row, weight_count, weighed = notes.weights, len(weights), table(weights)

    @jit
    def begin(memory: Any) -> None:
        for number in range(deck_size):
            memory[picture + number] = every_card
            memory[meant + number] = every_card
            memory[loose + number] = ANYTHING
            memory[waiting + number] = 0
        for card in range(cards):
            memory[left + card] = copies[card]
        memory[notes.refuted] = 0
        for weight in range(weight_count):
            memory[weight_row + weight] = weighed[weight]

    @jit
    def number_at(sight: Any, seat: int, slot: int) -> int:
        """The number of the card in a slot."""
        return sight[hands + (seat * hand_size + slot) * SLOT + NUMBER] + 0

    @jit
    def is_clued(sight: Any, seat: int, slot: int) -> bool:
        """Whether a clue has touched the card in a slot."""
        at = hands + (seat * hand_size + slot) * SLOT
        return sight[at + NAMED_COLOURS] + sight[at + NAMED_VALUES] > 0

    @jit
    def playable_cards(sight: Any) -> int:
        """The cards that continue a firework."""
        found = 0
        for colour in range(colours):
            height = sight[fireworks + colour] + 0
            if height < reach(sight, colour):
                found |= 1 << (colour * 5 + height)
        return found

    @jit
    def dead_cards(sight: Any) -> int:
        """Cards that can never be placed any more."""
        found = 0
        for colour in range(colours):
            height, end = sight[fireworks + colour] + 0, reach(sight, colour)
            live = ((1 << end) - 1) & ~((1 << height) - 1)
            found |= (31 & ~live) << (colour * 5)
        return found

    @jit
    def critical_cards(sight: Any, dead: int) -> int:
        """Cards that are needed and of which one copy is left."""
        found = 0
        for card in range(cards):
            if copies[card] - sight[discards + card] == 1:
                found |= 1 << card
        return found & ~dead

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
        """Which card the only bit stands for."""
        index = 0
        while one > 1:
            one >>= 1
            index += 1
        return index

    @jit
    def count_out(memory: Any, sight: Any) -> None:
        """Write how many copies of each card are neither placed nor thrown away."""
        for colour in range(colours):
            height = sight[fireworks + colour] + 0
            for value in range(5):
                card = colour * 5 + value
                memory[left + card] = copies[card] - sight[discards + card] - (1 if value < height else 0)

    @jit
    def settle(memory: Any, sight: Any) -> None:
        """Draw the conclusions from clues and counting; where they leave nothing of a reading, it is forgotten."""
        count_out(memory, sight)
        gone = 0
        for card in range(cards):
            if memory[left + card] <= 0:
                gone |= 1 << card
        for seat in range(players):
            for slot in range(hand_count(sight, seat)):
                number = number_at(sight, seat, slot)
                told = told_cards(sight, seat, slot)
                options = memory[picture + number] & told & ~gone
                if options == 0:
                    options = told & ~gone
                memory[picture + number] = options
                memory[meant + number] &= options
                if memory[meant + number] == 0:
                    memory[meant + number] = options
                    memory[loose + number] = ANYTHING
                    memory[waiting + number] = 0

    return Parts(
        begin=begin, number_at=number_at, is_clued=is_clued, playable_cards=playable_cards, dead_cards=dead_cards,
        critical_cards=critical_cards, told_cards=told_cards, index_of=index_of, settle=settle, value_row=value_row,
    )  # fmt: skip
