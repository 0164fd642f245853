"""Which clue stands for which number.

To each seat a clue can say a few things, by whether it names a colour or a value and whether it touches the *index slot*,
the one about which most is unknown. Only as many are counted as can be said whatever the hand really is. The numbers of
the seats follow each other, from the giver's left.
"""

from __future__ import annotations

from typing import Any

from tamaya.bots.hat.memory import Memory
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts


def build_clues(kernel: Kernel, jit: Jit, notes: Memory, cards: Parts, picture: Parts) -> Parts:
    """The functions that number clues."""
    plan = kernel.layout
    players, hand_size, colours, named_colours = plan.players, plan.hand_size, plan.colours, plan.named_colours
    colour_action, value_action, empty_clues, kinds = plan.colour_action, plan.value_action, plan.empty_clues, colours * 5
    hand_count, face_at, pictured = kernel.hand_count, cards.face_at, picture.pictured
    left, answers = notes.left, notes.answers
    multicolour_cards, one_value, count_cards = cards.multicolour_cards, cards.one_value, cards.count_cards
    target_of, matching = cards.target_of, cards.matching

    @jit
    def index_slot(memory: Any, sight: Any, seat: int, dead: int) -> int:
        """The slot whose touching counts: the leftmost of those about which most is unknown."""
        best, most = 0, -1
        for slot in range(hand_count(sight, seat)):
            options, points = pictured(memory, sight, seat, slot), 0
            if options & (options - 1) and options & ~dead:
                points = 3
                for colour in range(colours):
                    points -= options & ~(31 << (colour * 5)) == 0
                for value in range(5):
                    points -= options & ~(one_value << value) == 0
            if points > most:
                best, most = slot, points
        return best

    @jit
    def can_be_all(memory: Any, sight: Any, seat: int, some: int) -> bool:
        """Whether every card of a hand can be one of these."""
        for slot in range(hand_count(sight, seat)):
            if pictured(memory, sight, seat, slot) & some == 0:
                return False
        return True

    @jit
    def messages_to(memory: Any, sight: Any, seat: int, index: int) -> int:
        """How many things a clue to a seat can surely say."""
        held = hand_count(sight, seat)
        if held == 0:
            return 0
        options = pictured(memory, sight, seat, index)
        by_value, by_colour, misses = True, options & multicolour_cards == 0, True
        if empty_clues:
            return 4 if by_colour else 3
        for value in range(5):
            if can_be_all(memory, sight, seat, one_value << value):
                by_value = False
                if options & multicolour_cards & (one_value << value):
                    misses = False
        for colour in range(named_colours):
            if can_be_all(memory, sight, seat, 31 << (colour * 5)):
                by_colour = False
        for card in range(kinds):
            if memory[left + card] >= held and can_be_all(memory, sight, seat, 1 << card):
                misses = False
        if not misses:
            return 2
        return 4 if by_value and by_colour else 3

    @jit
    def meaning(names_colour: bool, touches: bool, messages: int) -> int:
        """What a clue says to its seat: value or colour, touching the index slot or missing it, as far as that counts."""
        if touches or messages == 2:
            return 1 if names_colour else 0
        return 3 if names_colour and messages == 4 else 2

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
        target, total, seat = target_of(giver, action), 0, (giver + 1) % players
        while seat != target:
            total += messages_to(memory, sight, seat, index_slot(memory, sight, seat, dead))
            seat = (seat + 1) % players
        index = index_slot(memory, sight, seat, dead)
        touches = (touched >> index) & 1 == 1
        return total + meaning(action < value_action, touches, messages_to(memory, sight, seat, index))

    @jit
    def touched_by(sight: Any, seat: int, action: int) -> int:
        """The slots that a clue touches, one bit each."""
        touched, match = 0, matching(action)
        for slot in range(hand_count(sight, seat)):
            touched |= ((match >> face_at(sight, seat, slot)) & 1) << slot
        return touched

    @jit
    def open_after(memory: Any, sight: Any, seat: int, action: int, touched: int) -> int:
        """How many possibilities a hand has left when the answers to its questions and a clue are known."""
        count, match = 0, matching(action)
        for slot in range(hand_count(sight, seat)):
            options = memory[answers + seat * hand_size + slot]
            count += count_cards(options & (match if (touched >> slot) & 1 else ~match))
        return count

    @jit
    def best_clue(memory: Any, sight: Any, giver: int, number: int, dead: int) -> int:
        """The clue that stands for a number and leaves fewest possibilities, the answers being known; -1 if there is none."""
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
                touched = touched_by(sight, seat, action)
                touches = (touched >> index) & 1 == 1
                if (touched or empty_clues) and meaning(kind < named_colours, touches, messages) == number:
                    count = open_after(memory, sight, seat, action, touched)
                    if count < fewest:
                        best, fewest = action, count
            return best
        return -1

    @jit
    def plain_clue(memory: Any, sight: Any, giver: int) -> int:
        """The clue that rules out most by its words alone; -1 if there is none."""
        best, most = -1, -1
        for action in range(colour_action, value_action + (players - 1) * 5):
            seat = target_of(giver, action)
            touched, ruled_out = touched_by(sight, seat, action), 0
            for slot in range(hand_count(sight, seat)):
                options = pictured(memory, sight, seat, slot)
                memory[answers + seat * hand_size + slot] = options
                ruled_out += count_cards(options)
            ruled_out -= open_after(memory, sight, seat, action, touched)
            if (touched or empty_clues) and ruled_out > most:
                best, most = action, ruled_out
        return best

    return Parts(
        all_messages=all_messages, number_of=number_of, best_clue=best_clue, plain_clue=plain_clue, target_of=target_of
    )
