"""What a sight says about cards, for all policies. A set of cards is a number with one bit for each card."""

from __future__ import annotations

from tamaya.engine.instances import Options, Row
from tamaya.engine.kernel.ending import next_card, reach
from tamaya.engine.kernel.hands import card_at, hand_count
from tamaya.engine.layout import NAMED_COLOURS, NAMED_VALUES, NO_CARD, SLOT, copies, heights, layout, order

OPTIONS = Options()


def is_clued(sight: Row, seat: int, slot: int) -> bool:
    """Whether a clue has touched the card in a slot."""
    at = layout.hands + (seat * layout.hand_size + slot) * SLOT
    return bool(sight[at + NAMED_COLOURS] + sight[at + NAMED_VALUES] > 0)


def playable_cards(sight: Row) -> int:
    """The next card of each firework, unless every copy is discarded."""
    found = 0
    for colour in range(layout.colours):
        card = next_card(sight, colour)
        if card != NO_CARD and sight[layout.discards + card] < copies[card]:
            found |= 1 << card
    return found


def useless_cards(sight: Row) -> int:
    """The cards that can never be placed any more."""
    found = layout.every_card
    for colour in range(layout.colours):
        for height in range(sight[layout.fireworks + colour], reach(sight, colour)):
            found &= ~(1 << order[colour * layout.values + height])
    return found


def non_critical_cards(sight: Row, useless: int) -> int:
    """The cards that the team can do without: useless ones, and those of which more than one copy is left."""
    found = useless
    for card in range(layout.cards):
        if copies[card] - sight[layout.discards + card] > 1:
            found |= 1 << card
    return found


def seen_cards(sight: Row, me: int) -> int:
    """The cards in the other hands."""
    found = 0
    for seat in range(layout.players):
        if seat != me:
            for slot in range(hand_count(sight, seat)):
                found |= 1 << card_at(sight, seat, slot)
    return found


def holders_of(sight: Row, card: int) -> int:
    """The number of hands in which a card is seen."""
    found = 0
    for seat in range(layout.players):
        for slot in range(hand_count(sight, seat)):
            if card_at(sight, seat, slot) == card:
                found += 1
                break
    return found


def index_of(one: int) -> int:
    """The index of the only set bit."""
    index = 0
    for step in (16, 8, 4, 2, 1):
        if one >> step:
            index += step
            one >>= step
    return index


def count_cards(some: int) -> int:
    """The number of cards in a set: the set bits, added up in pairs, fours and so on."""
    some -= (some >> 1) & 0x55555555
    some = (some & 0x33333333) + ((some >> 2) & 0x33333333)
    some = (some + (some >> 4)) & 0x0F0F0F0F
    return ((some * 0x01010101) >> 24) & 63


def count_left(left: Row, sight: Row) -> None:
    """Write into `left` how many copies of each card are neither placed nor discarded."""
    for card in range(layout.cards):
        placed = sight[layout.fireworks + card // layout.values] > heights[card]
        left[card] = copies[card] - sight[layout.discards + card] - (1 if placed else 0)


def play(slot: int, fitting: int) -> int:
    """The action that plays a slot, announcing the colour if that can earn a token and all `fitting` cards share it."""
    if layout.announced_plays:
        for colour in range(layout.colours):
            if fitting and fitting & ~(layout.every_value << (colour * layout.values)) == 0:
                return layout.announce_action + slot * layout.colours + colour
    return layout.play_action + slot
