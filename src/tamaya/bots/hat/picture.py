"""The public picture: for each card in a hand, the cards it can be as far as everybody knows."""

from __future__ import annotations

from typing import Any

from tamaya.bots.hat.memory import Memory
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import COLOURS, NO_CARD, NUMBER, SLOT, VALUES


def build_picture(kernel: Kernel, jit: Jit, table: Any, notes: Memory) -> Parts:
    """The functions that keep the picture."""
    plan = kernel.layout
    players, hand_size, colours, cards = plan.players, plan.hand_size, plan.colours, plan.colours * 5
    fireworks, discards, deck, hands, deck_size = plan.fireworks, plan.discards, plan.deck, plan.hands, plan.deck_size
    copies, hand_count, reach = table(plan.copies), kernel.hand_count, kernel.reach
    every_card, value_row = (1 << cards) - 1, sum(1 << 5 * colour for colour in range(colours))
    picture, left, loose, own, own_left = notes.picture, notes.left, notes.loose, notes.own, notes.own_left

    @jit
    def begin(memory: Any) -> None:
        for number in range(deck_size):
            memory[picture + number] = every_card
        for card in range(cards):
            memory[left + card] = copies[card]
            memory[loose + card] = copies[card]

    @jit
    def number_at(sight: Any, seat: int, slot: int) -> int:
        """The number of the card in a slot."""
        return sight[hands + (seat * hand_size + slot) * SLOT + NUMBER] + 0

    @jit
    def playable_cards(sight: Any) -> int:
        found = 0
        for colour in range(colours):
            height = sight[fireworks + colour] + 0
            if height < 5 and sight[discards + colour * 5 + height] < copies[colour * 5 + height]:
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
    def told_cards(sight: Any, seat: int, slot: int) -> int:
        """The cards that clues leave open for a slot."""
        at = hands + (seat * hand_size + slot) * SLOT
        found, named_values = 0, sight[at + VALUES] + 0
        for colour in range(colours):
            if (sight[at + COLOURS] >> colour) & 1:
                found |= named_values << (colour * 5)
        return found

    @jit
    def index_of(one: int) -> int:
        """Which card the only bit stands for."""
        index = 0
        if one >> 16:
            index += 16
            one >>= 16
        if one >> 8:
            index += 8
            one >>= 8
        if one >> 4:
            index += 4
            one >>= 4
        if one >> 2:
            index += 2
            one >>= 2
        return index + (one >> 1)

    @jit
    def count_out(memory: Any, sight: Any, weights: int) -> None:
        """Write how many copies of each card are neither placed nor thrown away."""
        for colour in range(colours):
            height = sight[fireworks + colour] + 0
            for value in range(5):
                card = colour * 5 + value
                memory[weights + card] = copies[card] - sight[discards + card] - (1 if value < height else 0)

    @jit
    def settle(memory: Any, sight: Any) -> None:
        """Draw the conclusions from counting: a card all of whose copies are located is no other card."""
        count_out(memory, sight, left)
        again = True
        while again:
            again = False
            for card in range(cards):
                memory[loose + card] = memory[left + card]
            for seat in range(players):
                for slot in range(hand_count(sight, seat)):
                    options = memory[picture + number_at(sight, seat, slot)]
                    if options & (options - 1) == 0 and options:
                        memory[loose + index_of(options)] -= 1
            gone = 0
            for card in range(cards):
                if memory[loose + card] <= 0:
                    gone |= 1 << card
            for seat in range(players):
                for slot in range(hand_count(sight, seat)):
                    at = picture + number_at(sight, seat, slot)
                    options = memory[at]
                    if options & (options - 1) and options & gone:
                        options &= ~gone
                        memory[at] = options
                        if options & (options - 1) == 0:
                            again = True
                    if options == 0:
                        memory[at] = recovered(memory, sight, seat, slot)

    @jit
    def recovered(memory: Any, sight: Any, seat: int, slot: int) -> int:
        """What a slot can be by clues and counting alone, where somebody's actions made no sense."""
        options, told = 0, told_cards(sight, seat, slot)
        for card in range(cards):
            if (told >> card) & 1 and memory[left + card] > 0:
                options |= 1 << card
        return options if options else told

    @jit
    def look_at_own(memory: Any, sight: Any, seat: int) -> None:
        """What the seat's own cards can be, with what it sees in the other hands."""
        count_out(memory, sight, own_left)
        for other in range(players):
            if other != seat:
                for slot in range(hand_count(sight, other)):
                    memory[own_left + sight[deck + number_at(sight, other, slot)]] -= 1
        held = hand_count(sight, seat)
        for slot in range(held):
            memory[own + slot] = memory[picture + number_at(sight, seat, slot)]
        again = True
        while again:
            again = False
            for slot in range(held):
                options, taken = memory[own + slot], 0
                if options & (options - 1) == 0:
                    continue
                for card in range(cards):
                    if (options >> card) & 1:
                        copies_left = memory[own_left + card]
                        for other in range(held):
                            if other != slot and memory[own + other] == 1 << card:
                                copies_left -= 1
                        if copies_left <= 0:
                            taken |= 1 << card
                if taken and options & ~taken:
                    memory[own + slot] = options & ~taken
                    again = True

    @jit
    def weigh(memory: Any, weights: int, options: int) -> int:
        """How many copies there are of these cards."""
        total = 0
        for card in range(cards):
            if (options >> card) & 1:
                total += memory[weights + card]
        return total

    return Parts(
        begin=begin, number_at=number_at, playable_cards=playable_cards, dead_cards=dead_cards, told_cards=told_cards,
        index_of=index_of, settle=settle, look_at_own=look_at_own, weigh=weigh, value_row=value_row, recovered=recovered,
    )  # fmt: skip
