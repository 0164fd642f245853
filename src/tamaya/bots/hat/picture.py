"""The public picture: for each card in a hand, the cards it can be as far as everybody knows."""

from __future__ import annotations

from typing import Any

from tamaya.bots.hat.memory import Memory
from tamaya.engine.kernel import Jit, Kernel, Table
from tamaya.engine.kernel.parts import Parts


def build_picture(kernel: Kernel, jit: Jit, table: Table, notes: Memory, cards: Parts) -> Parts:
    """The functions that keep the picture."""
    plan = kernel.layout
    players, kinds, deck_size, hand_count = plan.players, plan.colours * 5, plan.deck_size, kernel.hand_count
    copies, every_card = table(plan.copies), (1 << plan.colours * 5) - 1
    picture, left, loose, broken = notes.picture, notes.left, notes.loose, notes.broken
    number_at, told_cards, index_of, count_out = cards.number_at, cards.told_cards, cards.index_of, cards.count_out

    @jit
    def begin(memory: Any) -> None:
        """Any card can be any."""
        for number in range(deck_size):
            memory[picture + number] = every_card
        for card in range(kinds):
            memory[left + card] = copies[card]
            memory[loose + card] = copies[card]
        memory[broken] = 0

    @jit
    def doubt(memory: Any, sight: Any) -> None:
        """Keep of the picture what clues say by their words alone."""
        for seat in range(players):
            for slot in range(hand_count(sight, seat)):
                memory[picture + number_at(sight, seat, slot)] = told_cards(sight, seat, slot)

    @jit
    def pictured(memory: Any, sight: Any, seat: int, slot: int) -> int:
        """What all know a card in a hand to be."""
        options: int = memory[picture + number_at(sight, seat, slot)]
        return options

    @jit
    def settle(memory: Any, sight: Any) -> None:
        """Draw the conclusions from counting: where all copies of a card are known, nothing else can be one."""
        count_out(memory, sight, left)
        again = True
        while again:
            gone = find_gone(memory, sight)
            again = False
            for seat in range(players):
                for slot in range(hand_count(sight, seat)):
                    options = pictured(memory, sight, seat, slot)
                    if options & (options - 1) and options & gone:
                        options &= ~gone
                        again = again or (options > 0 and options & (options - 1) == 0)
                    if options == 0:
                        options = recovered(memory, sight, seat, slot)
                        memory[broken] = 1
                    memory[picture + number_at(sight, seat, slot)] = options

    @jit
    def find_gone(memory: Any, sight: Any) -> int:
        """The cards of which no copy is loose."""
        for card in range(kinds):
            memory[loose + card] = memory[left + card]
        for seat in range(players):
            for slot in range(hand_count(sight, seat)):
                options = pictured(memory, sight, seat, slot)
                if options and options & (options - 1) == 0:
                    memory[loose + index_of(options)] -= 1
        gone = 0
        for card in range(kinds):
            if memory[loose + card] <= 0:
                gone |= 1 << card
        return gone

    @jit
    def recovered(memory: Any, sight: Any, seat: int, slot: int) -> int:
        """What a card can be by clues and counting alone, where what somebody did made no sense."""
        told, options = told_cards(sight, seat, slot), 0
        for card in range(kinds):
            if (told >> card) & 1 and memory[left + card] > 0:
                options |= 1 << card
        return options if options else told

    return Parts(begin=begin, doubt=doubt, pictured=pictured, settle=settle)
