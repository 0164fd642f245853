"""The public picture: for each card in a hand, what it can be as far as everybody knows."""

from __future__ import annotations

from typing import Any

from tamaya.bots.cards import build_cards
from tamaya.bots.convention.memory import ANYTHING, Memory
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts


def build_picture(kernel: Kernel, jit: Jit, table: Any, notes: Memory, weights: tuple[int, ...]) -> Parts:
    """The functions that keep the picture, and those that look at cards."""
    plan = kernel.layout
    players, cards, discards, deck_size = plan.players, plan.colours * 5, plan.discards, plan.deck_size
    copies, hand_count, every_card = table(plan.copies), kernel.hand_count, (1 << cards) - 1
    looking = build_cards(kernel, jit, table)
    number_at, told_cards, count_out = looking.number_at, looking.told_cards, looking.count_out
    picture, meant, loose, waiting, left = notes.picture, notes.meant, notes.loose, notes.waiting, notes.left
    refuted = notes.refuted
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
        memory[refuted] = 0
        for weight in range(weight_count):
            memory[weight_row + weight] = weighed[weight]

    @jit
    def critical_cards(sight: Any, dead: int) -> int:
        """Cards that are needed and of which one copy is left."""
        found = 0
        for card in range(cards):
            if copies[card] - sight[discards + card] == 1:
                found |= 1 << card
        return found & ~dead

    @jit
    def settle(memory: Any, sight: Any) -> None:
        """Draw the conclusions from clues and counting; where they leave nothing of a reading, it is forgotten."""
        count_out(memory, sight, left)
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

    return Parts(**vars(looking), begin=begin, critical_cards=critical_cards, settle=settle)
