"""What a clue can say: which clues stand for which number."""

from __future__ import annotations

from typing import Any

from tamaya.bots.hat.memory import Memory
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts


def build_clues(kernel: Kernel, jit: Jit, notes: Memory, picture: Parts) -> Parts:
    """The functions that number clues."""
    plan = kernel.layout
    players, colours, named_colours, cards = plan.players, plan.colours, plan.named_colours, plan.colours * 5
    colour_action, value_action, announce_action = plan.colour_action, plan.value_action, plan.announce_action
    empty_clues, multicolour, deck, hand_size = plan.empty_clues, plan.multicolour, plan.deck, plan.hand_size
    hand_count, number_at, value_row = kernel.hand_count, picture.number_at, picture.value_row
    pictured, left, answers = notes.picture, notes.left, notes.answers
    multicolour_cards = 31 << (multicolour * 5) if multicolour >= 0 else 0
    nameable = named_colours if multicolour >= 0 else colours

    @jit
    def index_slot(memory: Any, sight: Any, seat: int, dead: int) -> int:
        """The slot whose touching counts: the one about which most is unknown."""
        best, most = 0, -1
        for slot in range(hand_count(sight, seat)):
            options = memory[pictured + number_at(sight, seat, slot)]
            points = 0
            if options & (options - 1) and options & ~dead:
                points = 1 + (not same_colour(options)) + (not same_value(options))
            if points > most:
                best, most = slot, points
        return best

    @jit
    def same_colour(options: int) -> bool:
        for colour in range(colours):
            if options & ~(31 << (colour * 5)) == 0:
                return True
        return False

    @jit
    def same_value(options: int) -> bool:
        for value in range(5):
            if options & ~(value_row << value) == 0:
                return True
        return False

    @jit
    def can_share(memory: Any, sight: Any, seat: int, some: int) -> bool:
        """Whether every card of a hand can be one of these."""
        for slot in range(hand_count(sight, seat)):
            if memory[pictured + number_at(sight, seat, slot)] & some == 0:
                return False
        return True

    @jit
    def messages_to(memory: Any, sight: Any, seat: int, index: int) -> int:
        """How many numbers a clue to this seat can stand for: as many as can be told whatever the hand is."""
        held = hand_count(sight, seat)
        if held == 0:
            return 0
        options = memory[pictured + number_at(sight, seat, index)]
        can_be_multicolour = options & multicolour_cards != 0
        if empty_clues:
            return 3 if can_be_multicolour else 4
        misses_value, misses_colour, misses = True, not can_be_multicolour, True
        for value in range(5):
            if can_share(memory, sight, seat, value_row << value):
                misses_value = False
                if options & multicolour_cards & (value_row << value):
                    misses = False
        for colour in range(nameable):
            if can_share(memory, sight, seat, 31 << (colour * 5)):
                misses_colour = False
        if held <= 3:
            for card in range(cards):
                if memory[left + card] >= held and can_share(memory, sight, seat, 1 << card):
                    misses = False
        if not misses:
            return 2
        return 4 if misses_value and misses_colour else 3

    @jit
    def said(names_colour: bool, touches: bool, messages: int) -> int:
        """The number that a clue to a seat stands for."""
        if messages == 2:
            return 1 if names_colour else 0
        if touches:
            return 1 if names_colour else 0
        return 3 if messages == 4 and names_colour else 2

    @jit
    def target_of(sight: Any, giver: int, action: int) -> int:
        """The seat a clue goes to."""
        if action < value_action:
            return (giver + 1 + (action - colour_action) // named_colours) % players
        return (giver + 1 + (action - value_action) // 5) % players

    @jit
    def matching(action: int) -> int:
        """The cards that a clue touches."""
        if action < value_action:
            return 31 << ((action - colour_action) % named_colours * 5) | multicolour_cards
        return value_row << ((action - value_action) % 5)

    @jit
    def all_messages(memory: Any, sight: Any, giver: int, dead: int) -> int:
        """How many numbers a clue of this giver can stand for."""
        total = 0
        for distance in range(players - 1):
            seat = (giver + 1 + distance) % players
            total += messages_to(memory, sight, seat, index_slot(memory, sight, seat, dead))
        return total

    @jit
    def number_of(memory: Any, sight: Any, giver: int, action: int, touched: int, dead: int) -> int:
        """The number that a clue stands for."""
        target, total = target_of(sight, giver, action), 0
        for distance in range(players - 1):
            seat = (giver + 1 + distance) % players
            index = index_slot(memory, sight, seat, dead)
            messages = messages_to(memory, sight, seat, index)
            if seat == target:
                return total + said(action < value_action, (touched >> index) & 1 == 1, messages)
            total += messages
        return total

    @jit
    def best_clue(memory: Any, sight: Any, giver: int, number: int, dead: int) -> int:
        """The legal clue that stands for a number and, the answers being known, leaves fewest possibilities; -1 if none is."""
        for distance in range(players - 1):
            seat = (giver + 1 + distance) % players
            index = index_slot(memory, sight, seat, dead)
            messages = messages_to(memory, sight, seat, index)
            if number >= messages:
                number -= messages
                continue
            best, fewest = -1, 1 << 30
            for kind in range(named_colours + 5):
                action = colour_action + distance * named_colours + kind
                if kind >= named_colours:
                    action = value_action + distance * 5 + kind - named_colours
                match, touched = matching(action), 0
                for slot in range(hand_count(sight, seat)):
                    if (match >> sight[deck + number_at(sight, seat, slot)]) & 1:
                        touched |= 1 << slot
                if touched == 0 and not empty_clues:
                    continue
                if said(kind < named_colours, (touched >> index) & 1 == 1, messages) != number:
                    continue
                open_cards = 0
                for slot in range(hand_count(sight, seat)):
                    options = memory[answers + seat * hand_size + slot]
                    options &= match if (touched >> slot) & 1 else ~match
                    while options:
                        options &= options - 1
                        open_cards += 1
                if open_cards < fewest:
                    best, fewest = action, open_cards
            return best
        return -1

    return Parts(all_messages=all_messages, number_of=number_of, best_clue=best_clue, target_of=target_of)
