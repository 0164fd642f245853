"""The player's own hand: what the player knows beyond the public knowledge, and which card to play or discard.

Functions that choose a card return its slot, or `NO_SLOT`.
"""

from __future__ import annotations

from tamaya.bots import cards
from tamaya.bots.hat.inference import SURE, chance_of, is_known_elsewhere, is_open, public_options
from tamaya.bots.hat.memory import HatMemory, weights
from tamaya.engine.instances import Options, Row
from tamaya.engine.kernel.hands import card_at, hand_count
from tamaya.engine.layout import heights, layout

OPTIONS = Options()
NO_SLOT = -1
FIRST_PLAY_WORTH, PARTS = 9, 1000
"""The worth of playing the first card of a firework, each later card being worth one less; and its number of parts, which are
shared among all players who could play the card."""
COST_SEEN = 5
"""The cost of discarding a needed card that another hand holds too."""
COST_SPARE, COST_SPARE_STEP = 15, 5
"""The cost for a card of which another copy is left; and what each card that follows it in its firework adds."""
COST_LAST_COPY, COST_LAST_COPY_STEP = 100, 60
"""The same for a last copy."""


def infer_own_hand(memory: HatMemory, sight: Row, me: int) -> None:
    """Write the options of the player's own cards: the public ones, less what the other hands and its other cards rule out."""
    cards.count_left(memory.unseen, sight)
    for seat in range(layout.players):
        if seat != me:
            for slot in range(hand_count(sight, seat)):
                memory.unseen[card_at(sight, seat, slot)] -= 1
    held = hand_count(sight, me)
    for slot in range(held):
        memory.own_hand[slot] = public_options(memory, sight, me, slot)
    again = True
    while again:
        again = False
        for slot in range(held):
            options = memory.own_hand[slot]
            if is_open(options):
                excluded = excluded_options(memory, slot, held, options)
                if excluded and options & ~excluded:
                    memory.own_hand[slot] = options & ~excluded
                    again = True


def excluded_options(memory: HatMemory, slot: int, held: int, options: int) -> int:
    """The options of a slot of which every copy is seen or is another of the player's own cards."""
    excluded = 0
    for card in range(layout.cards):
        if (options >> card) & 1:
            count = memory.unseen[card]
            for other in range(held):
                if other != slot and memory.own_hand[other] == 1 << card:
                    count -= 1
            if count <= 0:
                excluded |= 1 << card
    return excluded


def own_chance(memory: HatMemory, slot: int, wanted: int) -> int:
    """The chance, in parts of `SURE`, that one of the player's own cards is a wanted one."""
    return chance_of(wanted, memory.own_hand[slot], memory.unseen)


def sure_play(memory: HatMemory, sight: Row, me: int, playable: int) -> int:
    """A surely playable card: one that is low in its firework and that few other players could play instead."""
    best, most = NO_SLOT, -1
    for slot in range(hand_count(sight, me)):
        options, worth, total = memory.own_hand[slot], 0, 0
        if options & ~playable:
            continue
        for card in range(layout.cards):
            if (options >> card) & 1:
                count = max(memory.unseen[card], 0)
                worth += count * (FIRST_PLAY_WORTH - heights[card]) * PARTS // (cards.holders_of(sight, card) + 1)
                total += count
        worth //= max(total, 1)
        if worth > most:
            best, most = slot, worth
    return best


def likeliest_slot(memory: HatMemory, sight: Row, me: int, playable: int, among: int, above: int) -> int:
    """The card most likely playable, of those that are surely in `among` and playable with a chance above `above`."""
    best, most = NO_SLOT, above
    for slot in range(hand_count(sight, me)):
        if memory.own_hand[slot] & ~among == 0:
            likely = own_chance(memory, slot, playable)
            if likely > most:
                best, most = slot, likely
    return best


def harmless_play(memory: HatMemory, sight: Row, me: int, playable: int, useless: int) -> int:
    """A card that is very likely playable and otherwise useless, so that playing it risks a mistake but no card."""
    return likeliest_slot(memory, sight, me, playable, playable | useless, SURE * weights.risk // 100)


def likeliest_play(memory: HatMemory, sight: Row, me: int, playable: int) -> int:
    """The card that is most likely playable."""
    return likeliest_slot(memory, sight, me, playable, layout.every_card, 0)


def useless_slot(memory: HatMemory, sight: Row, me: int, useless: int) -> int:
    """A card that the player knows to be useless, or to have a copy in its own or another hand."""
    for slot in range(hand_count(sight, me)):
        options = memory.own_hand[slot]
        if options & ~useless == 0:
            return slot
        if not is_open(options):
            for other in range(slot):
                if memory.own_hand[other] == options:
                    return slot
            if is_known_elsewhere(memory, sight, me, options):
                return slot
    return NO_SLOT


def cheapest_discard(memory: HatMemory, sight: Row, me: int, useless: int) -> int:
    """The card that costs least to discard, on average over its options."""
    seen, spare = cards.seen_cards(sight, me), cards.non_critical_cards(sight, useless)
    best, least = 0, 1 << 60
    for slot in range(hand_count(sight, me)):
        options, total, cost = memory.own_hand[slot], 0, 0
        for card in range(layout.cards):
            if (options >> card) & 1:
                count = max(memory.unseen[card], 0)
                total += count
                if not (useless >> card) & 1:
                    cost += count * discard_cost(card, (spare >> card) & 1, (seen >> card) & 1)
        cost = cost * SURE // max(total, 1)
        if cost < least:
            best, least = slot, cost
    return best


def discard_cost(card: int, is_spare: int, is_seen: int) -> int:
    """The cost of discarding a needed card: the more cards follow it in its firework, the higher."""
    following = layout.values - 1 - heights[card]
    if not is_spare:
        return COST_LAST_COPY + COST_LAST_COPY_STEP * following
    return COST_SEEN if is_seen else COST_SPARE + COST_SPARE_STEP * following
