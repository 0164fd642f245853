"""Which card the hat bot discards."""

from __future__ import annotations

from typing import Any

from tamaya.bots.hat.memory import Memory
from tamaya.bots.hat.own import SURE
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts

SEEN = 5  # what it costs to discard a needed card that another hand holds too
SPARE, SPARE_STEP = 15, 5  # one of which another copy is left; and for each card that comes after it
LAST_COPY, LAST_COPY_STEP = 100, 60  # the last copy


def build_discards(kernel: Kernel, jit: Jit, notes: Memory, cards: Parts, picture: Parts) -> Parts:
    """The functions that choose a card to discard."""
    plan = kernel.layout
    players, kinds, hand_count = plan.players, plan.colours * 5, kernel.hand_count
    own, own_left, pictured = notes.own, notes.own_left, picture.pictured
    seen_cards, spare_cards = cards.seen_cards, cards.spare_cards

    @jit
    def is_elsewhere(memory: Any, sight: Any, me: int, options: int) -> bool:
        """Whether all know that another hand holds this one card."""
        for seat in range(players):
            if seat != me:
                for slot in range(hand_count(sight, seat)):
                    if pictured(memory, sight, seat, slot) == options:
                        return True
        return False

    @jit
    def is_useless(memory: Any, sight: Any, me: int, slot: int, dead: int) -> bool:
        """Whether all know that a slot is useless: dead, or a card that is further left or in another hand too."""
        options = pictured(memory, sight, me, slot)
        if options & ~dead == 0:
            return True
        if options & (options - 1):
            return False
        for other in range(slot):
            if pictured(memory, sight, me, other) == options:
                return True
        return is_elsewhere(memory, sight, me, options)

    @jit
    def count_useless(memory: Any, sight: Any, me: int, slots: int, dead: int) -> int:
        """How many of the first slots of a hand all know to be useless."""
        found = 0
        for slot in range(slots):
            if is_useless(memory, sight, me, slot, dead):
                found += 1
        return found

    @jit
    def nth_useless(memory: Any, sight: Any, me: int, nth: int, dead: int) -> int:
        """The slot that has so many useless ones before it."""
        slot = 0
        while nth > 0 or not is_useless(memory, sight, me, slot, dead):
            nth -= is_useless(memory, sight, me, slot, dead)
            slot += 1
        return slot

    @jit
    def own_useless(memory: Any, sight: Any, me: int, dead: int) -> int:
        """A slot that the player knows to be useless, or -1."""
        for slot in range(hand_count(sight, me)):
            options = memory[own + slot]
            if options & ~dead == 0:
                return slot
            if options & (options - 1) == 0:
                for other in range(slot):
                    if memory[own + other] == options:
                        return slot
                if is_elsewhere(memory, sight, me, options):
                    return slot
        return -1

    @jit
    def cheapest(memory: Any, sight: Any, me: int, dead: int) -> int:
        """The slot that will be missed least, by what its card can be."""
        seen, spare = seen_cards(sight, me), spare_cards(sight, dead)
        best, least = 0, 1 << 60
        for slot in range(hand_count(sight, me)):
            options, total, cost = memory[own + slot], 0, 0
            for card in range(kinds):
                if (options >> card) & 1:
                    copies = max(memory[own_left + card], 0)
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
        if not is_spare:
            return LAST_COPY + LAST_COPY_STEP * (4 - card % 5)
        return SEEN if is_seen else SPARE + SPARE_STEP * (4 - card % 5)

    return Parts(
        is_useless=is_useless, count_useless=count_useless, nth_useless=nth_useless, own_useless=own_useless, cheapest=cheapest
    )
