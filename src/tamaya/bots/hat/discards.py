"""Which card the hat bot discards."""

from __future__ import annotations

from typing import Any

from tamaya.bots.hat.memory import Memory
from tamaya.bots.hat.own import SURE
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts

SEEN, SPARE = 20, 10  # what it counts for a discard that the card lies in another hand, or can be done without


def build_discards(kernel: Kernel, jit: Jit, notes: Memory, cards: Parts, picture: Parts, own_hand: Parts) -> Parts:
    """The functions that choose a card to discard."""
    plan = kernel.layout
    players, kinds, hand_count = plan.players, plan.colours * 5, kernel.hand_count
    own, own_left, pictured, own_chance = notes.own, notes.own_left, picture.pictured, own_hand.own_chance
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
        """The slot that will be missed least: seen in another hand, or not the last copy, or else high."""
        seen, spare = seen_cards(sight, me), spare_cards(sight, dead)
        best, most = 0, -1
        for slot in range(hand_count(sight, me)):
            options, total, values = memory[own + slot], 0, 0
            for card in range(kinds):
                if (options >> card) & 1:
                    copies = max(memory[own_left + card], 0)
                    total += copies
                    values += copies * (card % 5 + 1)
            worth = SEEN * own_chance(memory, slot, seen | dead) + SPARE * own_chance(memory, slot, spare)
            worth += values * SURE // max(total, 1)
            if worth > most:
                best, most = slot, worth
        return best

    return Parts(
        is_useless=is_useless, count_useless=count_useless, nth_useless=nth_useless, own_useless=own_useless, cheapest=cheapest
    )
