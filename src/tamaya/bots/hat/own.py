"""What a player knows of its own hand beyond the public picture: it sees the other hands."""

from __future__ import annotations

from typing import Any

from tamaya.bots.hat.memory import Memory
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts

SURE = 1 << 16
"""Chances are whole numbers: this one is certainty."""


def build_own(kernel: Kernel, jit: Jit, notes: Memory, cards: Parts, picture: Parts) -> Parts:
    """The functions about the player's own cards."""
    plan = kernel.layout
    players, kinds, hand_count = plan.players, plan.colours * 5, kernel.hand_count
    own, own_left, face_at, count_out, weigh = notes.own, notes.own_left, cards.face_at, cards.count_out, cards.weigh
    pictured = picture.pictured

    @jit
    def look_at_own(memory: Any, sight: Any, me: int) -> None:
        """What the own cards can be: the picture, less what lies in the other hands and what other own cards are."""
        count_out(memory, sight, own_left)
        for seat in range(players):
            if seat != me:
                for slot in range(hand_count(sight, seat)):
                    memory[own_left + face_at(sight, seat, slot)] -= 1
        held = hand_count(sight, me)
        for slot in range(held):
            memory[own + slot] = pictured(memory, sight, me, slot)
        again = True
        while again:
            again = False
            for slot in range(held):
                options = memory[own + slot]
                if options & (options - 1):
                    gone = gone_for(memory, slot, held)
                    if options & gone and options & ~gone:
                        memory[own + slot] = options & ~gone
                        again = True

    @jit
    def gone_for(memory: Any, slot: int, held: int) -> int:
        """The cards that a slot cannot be, as all copies are elsewhere."""
        gone = 0
        for card in range(kinds):
            copies = memory[own_left + card]
            for other in range(held):
                if other != slot and memory[own + other] == 1 << card:
                    copies -= 1
            if copies <= 0:
                gone |= 1 << card
        return gone

    @jit
    def chance(memory: Any, weights: int, options: int, wanted: int) -> int:
        """How likely a card of these options is a wanted one, by the copies that there are."""
        if options & ~wanted == 0:
            return SURE
        if options & wanted == 0:
            return 0
        some, others = weigh(memory, weights, options & wanted), weigh(memory, weights, options & ~wanted)
        if some + others == 0:
            return 0
        return min(max(some * SURE // (some + others), 1), SURE - 1)

    @jit
    def own_chance(memory: Any, slot: int, wanted: int) -> int:
        """How likely an own card is a wanted one."""
        likely: int = chance(memory, own_left, memory[own + slot], wanted)
        return likely

    return Parts(look_at_own=look_at_own, chance=chance, own_chance=own_chance)
