"""What a sight says of cards: which can be played, which are dead, what clues told, and what a clue touches.

What policies share. Sets of cards are numbers, one bit each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tamaya.engine.kernel import Constants, Jit, Kernel, Row
from tamaya.engine.layout import (
    EVERY_VALUE,
    HEIGHT,
    NAMED_COLOURS,
    NAMED_VALUES,
    NUMBER,
    POSSIBLE_COLOURS,
    POSSIBLE_VALUES,
    SLOT,
)


class Cards(NamedTuple):
    """The functions that look at cards."""

    one_value: int
    """The lowest card of every colour; shifted by a value, all cards of that value."""
    multicolour_cards: int
    """The cards that every colour clue touches."""
    number_at: Callable[[Row, int, int], int]
    face_at: Callable[[Row, int, int], int]
    is_clued: Callable[[Row, int, int], bool]
    playable_cards: Callable[[Row], int]
    dead_cards: Callable[[Row], int]
    spare_cards: Callable[[Row, int], int]
    seen_cards: Callable[[Row, int], int]
    holders_of: Callable[[Row, int], int]
    told_cards: Callable[[Row, int, int], int]
    index_of: Callable[[int], int]
    count_cards: Callable[[int], int]
    count_out: Callable[[Row, Row, int], None]
    target_of: Callable[[int, int], int]
    matching: Callable[[int], int]
    play: Callable[[int, int], int]


def build_cards(kernel: Kernel, jit: Jit, constants: Constants) -> Cards:
    """The functions that look at cards."""
    layout, copies = kernel.layout, constants(kernel.layout.copies)
    multicolour_cards = EVERY_VALUE << layout.multicolour * HEIGHT if layout.multicolour >= 0 else 0
    one_value = sum(1 << HEIGHT * colour for colour in range(layout.colours))

    @jit
    def number_at(sight: Row, seat: int, slot: int) -> int:
        """The number of the card in a slot."""
        return sight[layout.hands + (seat * layout.hand_size + slot) * SLOT + NUMBER] + 0

    @jit
    def face_at(sight: Row, seat: int, slot: int) -> int:
        """The card in a slot, where it is seen."""
        return sight[layout.deck + number_at(sight, seat, slot)] + 0

    @jit
    def is_clued(sight: Row, seat: int, slot: int) -> bool:
        """Whether a clue has touched the card in a slot."""
        at = layout.hands + (seat * layout.hand_size + slot) * SLOT
        return bool(sight[at + NAMED_COLOURS] + sight[at + NAMED_VALUES] > 0)

    @jit
    def playable_cards(sight: Row) -> int:
        """The next card of each firework, if there is still one."""
        found = 0
        for colour in range(layout.colours):
            height = sight[layout.fireworks + colour] + 0
            if height < HEIGHT and sight[layout.discards + colour * HEIGHT + height] < copies[colour * HEIGHT + height]:
                found |= 1 << (colour * HEIGHT + height)
        return found

    @jit
    def dead_cards(sight: Row) -> int:
        """Cards that can never be placed any more."""
        found = 0
        for colour in range(layout.colours):
            height, end = sight[layout.fireworks + colour] + 0, kernel.reach(sight, colour)
            found |= (EVERY_VALUE & ~(((1 << end) - 1) & ~((1 << height) - 1))) << (colour * HEIGHT)
        return found

    @jit
    def spare_cards(sight: Row, dead: int) -> int:
        """Cards that can be done without: dead ones, and those of which more than one copy is left."""
        found = dead
        for card in range(layout.cards):
            if copies[card] - sight[layout.discards + card] > 1:
                found |= 1 << card
        return found

    @jit
    def seen_cards(sight: Row, me: int) -> int:
        """The cards in the other hands."""
        found = 0
        for seat in range(layout.players):
            if seat != me:
                for slot in range(kernel.hand_count(sight, seat)):
                    found |= 1 << face_at(sight, seat, slot)
        return found

    @jit
    def holders_of(sight: Row, card: int) -> int:
        """In how many hands a card is seen."""
        found = 0
        for seat in range(layout.players):
            for slot in range(kernel.hand_count(sight, seat)):
                if face_at(sight, seat, slot) == card:
                    found += 1
                    break
        return found

    @jit
    def told_cards(sight: Row, seat: int, slot: int) -> int:
        """The cards that clues leave open for a slot."""
        at = layout.hands + (seat * layout.hand_size + slot) * SLOT
        found, values = 0, sight[at + POSSIBLE_VALUES] + 0
        for colour in range(layout.colours):
            if (sight[at + POSSIBLE_COLOURS] >> colour) & 1:
                found |= values << (colour * HEIGHT)
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
    def count_cards(some: int) -> int:
        """How many cards these are: the bits that are set, added up in pairs, fours and so on."""
        some -= (some >> 1) & 0x55555555
        some = (some & 0x33333333) + ((some >> 2) & 0x33333333)
        some = (some + (some >> 4)) & 0x0F0F0F0F
        return ((some * 0x01010101) >> 24) & 63

    @jit
    def count_out(memory: Row, sight: Row, weights: int) -> None:
        """Write how many copies of each card are neither placed nor thrown away."""
        for colour in range(layout.colours):
            height = sight[layout.fireworks + colour] + 0
            for value in range(HEIGHT):
                card = colour * HEIGHT + value
                memory[weights + card] = copies[card] - sight[layout.discards + card] - (1 if value < height else 0)

    @jit
    def target_of(giver: int, action: int) -> int:
        """The seat a clue goes to."""
        if action < layout.value_action:
            return (giver + 1 + (action - layout.colour_action) // layout.named_colours) % layout.players
        return (giver + 1 + (action - layout.value_action) // HEIGHT) % layout.players

    @jit
    def matching(action: int) -> int:
        """The cards that a clue touches."""
        if action < layout.value_action:
            return EVERY_VALUE << ((action - layout.colour_action) % layout.named_colours * HEIGHT) | multicolour_cards
        return one_value << ((action - layout.value_action) % HEIGHT)

    @jit
    def play(slot: int, fitting: int) -> int:
        """The action of playing a slot that is one of these cards if it fits; where that earns a token, with its colour."""
        if layout.announced_plays:
            for colour in range(layout.colours):
                if fitting and fitting & ~(EVERY_VALUE << (colour * HEIGHT)) == 0:
                    return layout.announce_action + slot * layout.colours + colour
        return layout.play_action + slot

    return Cards(
        one_value, multicolour_cards, number_at, face_at, is_clued, playable_cards, dead_cards, spare_cards, seen_cards,
        holders_of, told_cards, index_of, count_cards, count_out, target_of, matching, play,
    )  # fmt: skip
