"""The player's own hand: what it knows of it beyond the public picture, and which card it would play or discard."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tamaya.bots.cards import Cards
from tamaya.bots.hat.habits import COST_LAST_COPY, COST_LAST_COPY_STEP, COST_SEEN, COST_SPARE, COST_SPARE_STEP, Habits
from tamaya.bots.hat.memory import HatMemory
from tamaya.bots.hat.picture import SURE, Foresight, HatPicture
from tamaya.engine.kernel import Jit, Kernel, Row
from tamaya.engine.layout import HEIGHT

LOWEST_WORTH, PARTS = 9, 1000
"""What it is worth to play a card of the lowest value, each higher value being worth one less; and the parts of that which are
shared among all who could play it."""


class OwnHand(NamedTuple):
    """The functions about the player's own cards; those that choose one return its slot, or -1."""

    look: Callable[[Row, Row, int], None]
    chance: Callable[[Row, int, int], int]
    sure_play: Callable[[Row, Row, int, int], int]
    harmless_play: Callable[[Row, Row, int, int, int], int]
    likeliest_play: Callable[[Row, Row, int, int], int]
    useless: Callable[[Row, Row, int, int], int]
    cheapest: Callable[[Row, Row, int, int], int]


def build_own_hand(
    kernel: Kernel, jit: Jit, notes: HatMemory, cards: Cards, picture: HatPicture, foresight: Foresight, habits: Habits
) -> OwnHand:
    """The functions about the player's own cards."""
    layout, risk = kernel.layout, SURE * habits.risk // 100

    @jit
    def look(memory: Row, sight: Row, me: int) -> None:
        """Write what the own cards can be: the picture, less what lies in the other hands and what other own cards are."""
        cards.count_out(memory, sight, notes.unseen)
        for seat in range(layout.players):
            if seat != me:
                for slot in range(kernel.hand_count(sight, seat)):
                    memory[notes.unseen + cards.face_at(sight, seat, slot)] -= 1
        held = kernel.hand_count(sight, me)
        for slot in range(held):
            memory[notes.own_hand + slot] = picture.pictured(memory, sight, me, slot)
        again = True
        while again:
            again = False
            for slot in range(held):
                options = memory[notes.own_hand + slot]
                if picture.is_open(options):
                    gone = gone_for(memory, slot, held, options)
                    if gone and options & ~gone:
                        memory[notes.own_hand + slot] = options & ~gone
                        again = True

    @jit
    def gone_for(memory: Row, slot: int, held: int, options: int) -> int:
        """Those of its options that a slot cannot be, as all copies are elsewhere."""
        gone = 0
        for card in range(layout.cards):
            if (options >> card) & 1:
                copies = memory[notes.unseen + card]
                for other in range(held):
                    if other != slot and memory[notes.own_hand + other] == 1 << card:
                        copies -= 1
                if copies <= 0:
                    gone |= 1 << card
        return gone

    @jit
    def chance(memory: Row, slot: int, wanted: int) -> int:
        """How likely an own card is a wanted one."""
        return picture.chance(memory, notes.unseen, memory[notes.own_hand + slot], wanted)

    @jit
    def sure_play(memory: Row, sight: Row, me: int, playable: int) -> int:
        """A card that surely fits: a low one that few others could play instead."""
        best, most = -1, -1
        for slot in range(kernel.hand_count(sight, me)):
            options, worth, total = memory[notes.own_hand + slot], 0, 0
            if options & ~playable:
                continue
            for card in range(layout.cards):
                if (options >> card) & 1:
                    copies = max(memory[notes.unseen + card], 0)
                    worth += copies * (LOWEST_WORTH - card % HEIGHT) * PARTS // (cards.holders_of(sight, card) + 1)
                    total += copies
            worth //= max(total, 1)
            if worth > most:
                best, most = slot, worth
        return best

    @jit
    def likeliest(memory: Row, sight: Row, me: int, playable: int, among: int, least: int) -> int:
        """The card that most likely fits, of those that can only be among these and fit more likely than the least."""
        best, most = -1, least
        for slot in range(kernel.hand_count(sight, me)):
            if memory[notes.own_hand + slot] & ~among == 0:
                likely = chance(memory, slot, playable)
                if likely > most:
                    best, most = slot, likely
        return best

    @jit
    def harmless_play(memory: Row, sight: Row, me: int, playable: int, dead: int) -> int:
        """A card that very likely fits and otherwise is dead, so that nothing but a mistake can come of it."""
        return likeliest(memory, sight, me, playable, playable | dead, risk)

    @jit
    def likeliest_play(memory: Row, sight: Row, me: int, playable: int) -> int:
        """The card that most likely fits."""
        return likeliest(memory, sight, me, playable, layout.every_card, 0)

    @jit
    def useless(memory: Row, sight: Row, me: int, dead: int) -> int:
        """A card that the player knows to be useless."""
        for slot in range(kernel.hand_count(sight, me)):
            options = memory[notes.own_hand + slot]
            if options & ~dead == 0:
                return slot
            if not picture.is_open(options):
                for other in range(slot):
                    if memory[notes.own_hand + other] == options:
                        return slot
                if foresight.is_elsewhere(memory, sight, me, options):
                    return slot
        return -1

    @jit
    def cheapest(memory: Row, sight: Row, me: int, dead: int) -> int:
        """The card that will be missed least, by what it can be."""
        seen, spare = cards.seen_cards(sight, me), cards.spare_cards(sight, dead)
        best, least = 0, 1 << 60
        for slot in range(kernel.hand_count(sight, me)):
            options, total, cost = memory[notes.own_hand + slot], 0, 0
            for card in range(layout.cards):
                if (options >> card) & 1:
                    copies = max(memory[notes.unseen + card], 0)
                    total += copies
                    if not (dead >> card) & 1:
                        cost += copies * cost_of(card, (spare >> card) & 1, (seen >> card) & 1)
            cost = cost * SURE // max(total, 1)
            if cost < least:
                best, least = slot, cost
        return best

    @jit
    def cost_of(card: int, is_spare: int, is_seen: int) -> int:
        """What it costs to discard a card that is needed: the more, the more cards come after it."""
        coming = HEIGHT - 1 - card % HEIGHT
        if not is_spare:
            return COST_LAST_COPY + COST_LAST_COPY_STEP * coming
        return COST_SEEN if is_seen else COST_SPARE + COST_SPARE_STEP * coming

    return OwnHand(look, chance, sure_play, harmless_play, likeliest_play, useless, cheapest)
