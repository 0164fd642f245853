"""Which clue stands for which number.

To each seat a clue can say a few things, by whether it names a colour or a value and whether it touches the *index slot*,
the one about which most is unknown. Only as many are counted as can be said whatever the hand really is. The numbers of
the seats follow each other, from the giver's left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tamaya.bots.cards import Cards
from tamaya.bots.hat.memory import HatMemory
from tamaya.bots.hat.picture import HatPicture
from tamaya.engine.kernel import Jit, Kernel, Row
from tamaya.engine.layout import EVERY_VALUE, HEIGHT

VALUE, COLOUR, VALUE_MISSING, COLOUR_MISSING = range(4)
"""What a clue can say: it names a value or a colour, and touches the index slot or misses it. Where less can be said for sure,
with three messages a miss says no more than that, with two a clue says the same whether it touches or misses."""


class HatClues(NamedTuple):
    """The functions that number clues."""

    all_messages: Callable[[Row, Row, int, int], int]
    number_of: Callable[[Row, Row, int, int, int, int], int]
    best_clue: Callable[[Row, Row, int, int, int], int]
    plain_clue: Callable[[Row, Row, int], int]


def build_clues(kernel: Kernel, jit: Jit, notes: HatMemory, cards: Cards, picture: HatPicture) -> HatClues:
    """The functions that number clues."""
    layout = kernel.layout

    @jit
    def index_slot(memory: Row, sight: Row, seat: int, dead: int) -> int:
        """The slot whose touching counts: the leftmost of those about which most is unknown."""
        best, most = 0, -1
        for slot in range(kernel.hand_count(sight, seat)):
            options, unknown = picture.pictured(memory, sight, seat, slot), 0
            if picture.is_open(options) and options & ~dead:
                unknown = 3
                for colour in range(layout.colours):
                    unknown -= options & ~(EVERY_VALUE << (colour * HEIGHT)) == 0
                for value in range(HEIGHT):
                    unknown -= options & ~(cards.one_value << value) == 0
            if unknown > most:
                best, most = slot, unknown
        return best

    @jit
    def can_be_all(memory: Row, sight: Row, seat: int, some: int) -> bool:
        """Whether every card of a hand can be one of these."""
        for slot in range(kernel.hand_count(sight, seat)):
            if picture.pictured(memory, sight, seat, slot) & some == 0:
                return False
        return True

    @jit
    def messages_to(memory: Row, sight: Row, seat: int, index: int) -> int:
        """How many things a clue to a seat can surely say."""
        held = kernel.hand_count(sight, seat)
        if held == 0:
            return 0
        options = picture.pictured(memory, sight, seat, index)
        by_value, by_colour, misses = True, options & cards.multicolour_cards == 0, True
        if layout.empty_clues:
            return 4 if by_colour else 3
        for value in range(HEIGHT):
            if can_be_all(memory, sight, seat, cards.one_value << value):
                by_value = False
                if options & cards.multicolour_cards & (cards.one_value << value):
                    misses = False
        for colour in range(layout.named_colours):
            if can_be_all(memory, sight, seat, EVERY_VALUE << (colour * HEIGHT)):
                by_colour = False
        for card in range(layout.cards):
            if memory[notes.left + card] >= held and can_be_all(memory, sight, seat, 1 << card):
                misses = False
        if not misses:
            return 2
        return 4 if by_value and by_colour else 3

    @jit
    def meaning(names_colour: bool, touches: bool, messages: int) -> int:
        """What a clue says to its seat, as far as that counts."""
        if touches or messages == 2:
            return COLOUR if names_colour else VALUE
        return COLOUR_MISSING if names_colour and messages == 4 else VALUE_MISSING

    @jit
    def all_messages(memory: Row, sight: Row, giver: int, dead: int) -> int:
        """How many numbers a clue of this giver can stand for."""
        total = 0
        for distance in range(layout.players - 1):
            seat = (giver + 1 + distance) % layout.players
            total += messages_to(memory, sight, seat, index_slot(memory, sight, seat, dead))
        return total

    @jit
    def number_of(memory: Row, sight: Row, giver: int, action: int, touched: int, dead: int) -> int:
        """The number that a clue stands for."""
        target, total, seat = cards.target_of(giver, action), 0, (giver + 1) % layout.players
        while seat != target:
            total += messages_to(memory, sight, seat, index_slot(memory, sight, seat, dead))
            seat = (seat + 1) % layout.players
        index = index_slot(memory, sight, seat, dead)
        touches = (touched >> index) & 1 == 1
        return total + meaning(action < layout.value_action, touches, messages_to(memory, sight, seat, index))

    @jit
    def touched_by(sight: Row, seat: int, action: int) -> int:
        """The slots that a clue touches, one bit each."""
        touched, match = 0, cards.matching(action)
        for slot in range(kernel.hand_count(sight, seat)):
            touched |= ((match >> cards.face_at(sight, seat, slot)) & 1) << slot
        return touched

    @jit
    def open_after(memory: Row, sight: Row, seat: int, action: int, touched: int) -> int:
        """How many possibilities a hand has left when the answers to its questions and a clue are known."""
        count, match = 0, cards.matching(action)
        for slot in range(kernel.hand_count(sight, seat)):
            options = memory[notes.learnt + seat * layout.hand_size + slot]
            count += cards.count_cards(options & (match if (touched >> slot) & 1 else ~match))
        return count

    @jit
    def best_clue(memory: Row, sight: Row, giver: int, number: int, dead: int) -> int:
        """The clue that stands for a number and leaves fewest possibilities, the answers being known; -1 if there is none."""
        for distance in range(layout.players - 1):
            seat = (giver + 1 + distance) % layout.players
            index = index_slot(memory, sight, seat, dead)
            messages = messages_to(memory, sight, seat, index)
            if number >= messages:
                number -= messages
                continue
            best, fewest = -1, 1 << 30
            for kind in range(layout.named_colours + HEIGHT):
                action = layout.colour_action + distance * layout.named_colours + kind
                if kind >= layout.named_colours:
                    action = layout.value_action + distance * HEIGHT + kind - layout.named_colours
                touched = touched_by(sight, seat, action)
                touches = (touched >> index) & 1 == 1
                if (touched or layout.empty_clues) and meaning(kind < layout.named_colours, touches, messages) == number:
                    count = open_after(memory, sight, seat, action, touched)
                    if count < fewest:
                        best, fewest = action, count
            return best
        return -1

    @jit
    def plain_clue(memory: Row, sight: Row, giver: int) -> int:
        """The clue that rules out most by its words alone; -1 if there is none."""
        best, most = -1, -1
        for action in range(layout.colour_action, layout.value_action + (layout.players - 1) * HEIGHT):
            seat = cards.target_of(giver, action)
            touched, ruled_out = touched_by(sight, seat, action), 0
            for slot in range(kernel.hand_count(sight, seat)):
                options = picture.pictured(memory, sight, seat, slot)
                memory[notes.learnt + seat * layout.hand_size + slot] = options
                ruled_out += cards.count_cards(options)
            ruled_out -= open_after(memory, sight, seat, action, touched)
            if (touched or layout.empty_clues) and ruled_out > most:
                best, most = action, ruled_out
        return best

    return HatClues(all_messages, number_of, best_clue, plain_clue)
