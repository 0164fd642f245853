"""Public knowledge: what every card in a hand can be as far as all players know, and what all players expect from that.

The cards that a card can be, its *options*, are a set: ``options & ~useless == 0`` says that all of them are useless.
"""

from __future__ import annotations

from tamaya.bots import cards
from tamaya.bots.hat.memory import HatMemory
from tamaya.engine.instances import Options, Row
from tamaya.engine.kernel.clues import possible_cards
from tamaya.engine.kernel.ending import card_after
from tamaya.engine.kernel.hands import hand_count, number_at
from tamaya.engine.layout import NO_CARD, heights, layout

OPTIONS = Options()
SURE = 1 << 16
"""Certainty; chances are whole numbers in parts of it."""


def start(memory: HatMemory, sight: Row) -> None:
    """Start with what clues and counting say."""
    for number in range(layout.deck_size):
        memory.possible[number] = layout.every_card
    memory.code_broken = 0
    forget_code(memory, sight)
    count_cards_out(memory, sight)


def forget_code(memory: HatMemory, sight: Row) -> None:
    """Reduce the options of all cards in hands to the literal meaning of the clues."""
    for seat in range(layout.players):
        for slot in range(hand_count(sight, seat)):
            memory.possible[number_at(sight, seat, slot)] = possible_cards(sight, seat, slot)


def public_options(memory: HatMemory, sight: Row, seat: int, slot: int) -> int:
    """What all players know a card in a hand can be."""
    return memory.possible[number_at(sight, seat, slot)]


def is_open(options: int) -> bool:
    """Whether more than one card is possible."""
    return options & (options - 1) != 0


def count_cards_out(memory: HatMemory, sight: Row) -> None:
    """Exclude from the options the cards of which every copy is located elsewhere, until nothing new follows."""
    cards.count_left(memory.left, sight)
    again = True
    while again:
        located = located_cards(memory, sight)
        again = False
        for seat in range(layout.players):
            for slot in range(hand_count(sight, seat)):
                options = public_options(memory, sight, seat, slot)
                if is_open(options) and options & located:
                    options &= ~located
                    again = again or (options > 0 and not is_open(options))
                if options == 0:
                    options = literal_options(memory, sight, seat, slot)
                    memory.code_broken = 1
                memory.possible[number_at(sight, seat, slot)] = options


def located_cards(memory: HatMemory, sight: Row) -> int:
    """The cards of which every copy is played, discarded, or publicly known to be in some slot."""
    for card in range(layout.cards):
        memory.unlocated[card] = memory.left[card]
    for seat in range(layout.players):
        for slot in range(hand_count(sight, seat)):
            options = public_options(memory, sight, seat, slot)
            if options and not is_open(options):
                memory.unlocated[cards.index_of(options)] -= 1
    located = 0
    for card in range(layout.cards):
        if memory.unlocated[card] <= 0:
            located |= 1 << card
    return located


def literal_options(memory: HatMemory, sight: Row, seat: int, slot: int) -> int:
    """The options of a card by clues and counting alone, for when the code has led to a contradiction."""
    possible, options = possible_cards(sight, seat, slot), 0
    for card in range(layout.cards):
        if (possible >> card) & 1 and memory.left[card] > 0:
            options |= 1 << card
    return options if options else possible


def chance_of(wanted: int, options: int, copies: Row) -> int:
    """The chance, in parts of `SURE`, that a card with these options is a wanted one, weighted by the copies of each card."""
    if options & ~wanted == 0:
        return SURE
    if options & wanted == 0:
        return 0
    some, total = 0, 0
    for card in range(layout.cards):
        if (options >> card) & 1:
            count = max(copies[card], 0)
            total += count
            some += count * ((wanted >> card) & 1)
    if total == 0:
        return 0
    return min(max(some * SURE // total, 1), SURE - 1)


def expect_plays(memory: HatMemory, sight: Row, actor: int) -> None:
    """Write for each other seat the cards that will be playable on its next turn if the seats before it play as all expect."""
    playable = cards.playable_cards(sight)
    for distance in range(layout.players - 1):
        seat = (actor + 1 + distance) % layout.players
        memory.playable_next[seat] = playable
        played = expected_play(memory, sight, seat, playable)
        if played:
            playable &= ~played
            following = card_after(cards.index_of(played))
            if following != NO_CARD and memory.left[following] > 0:
                playable |= 1 << following


def expected_play(memory: HatMemory, sight: Row, seat: int, playable: int) -> int:
    """The card that all expect a seat to play, the lowest playable one it knows, as a set; 0 if that cannot be told."""
    best, least = 0, layout.values
    for slot in range(hand_count(sight, seat)):
        options = public_options(memory, sight, seat, slot)
        if options and options & ~playable == 0:
            if is_open(options):
                return 0
            height = heights[cards.index_of(options)] + 0
            if height < least:
                best, least = options, height
    return best


def knows_play(memory: HatMemory, sight: Row, seat: int) -> bool:
    """Whether a seat has a card that all know will be playable on its next turn."""
    for slot in range(hand_count(sight, seat)):
        options = public_options(memory, sight, seat, slot)
        if options and options & ~memory.playable_next[seat] == 0:
            return True
    return False


def is_known_elsewhere(memory: HatMemory, sight: Row, me: int, options: int) -> bool:
    """Whether all know that another hand holds this card too."""
    for seat in range(layout.players):
        if seat != me:
            for slot in range(hand_count(sight, seat)):
                if public_options(memory, sight, seat, slot) == options:
                    return True
    return False


def is_known_useless(memory: HatMemory, sight: Row, me: int, slot: int, useless: int) -> bool:
    """Whether all know that the card in a slot is useless, or has a copy further left or in another hand."""
    options = public_options(memory, sight, me, slot)
    if options & ~useless == 0:
        return True
    if is_open(options):
        return False
    for other in range(slot):
        if public_options(memory, sight, me, other) == options:
            return True
    return is_known_elsewhere(memory, sight, me, options)


def known_useless_count(memory: HatMemory, sight: Row, me: int, slots: int, useless: int) -> int:
    """The number of cards in the first slots of a hand that all know to be useless."""
    found = 0
    for slot in range(slots):
        if is_known_useless(memory, sight, me, slot, useless):
            found += 1
    return found


def nth_known_useless(memory: HatMemory, sight: Row, me: int, nth: int, useless: int) -> int:
    """The slot known to be useless that has `nth` others to its left."""
    slot = 0
    while nth > 0 or not is_known_useless(memory, sight, me, slot, useless):
        nth -= is_known_useless(memory, sight, me, slot, useless)
        slot += 1
    return slot
