"""Which card the hat bot plays."""

from __future__ import annotations

from typing import Any

from tamaya.bots.hat.habits import HABITS
from tamaya.bots.hat.memory import Memory
from tamaya.bots.hat.own import SURE
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts


def build_plays(kernel: Kernel, jit: Jit, notes: Memory, cards: Parts, own_hand: Parts) -> Parts:
    """The functions that choose a card to play; each returns a slot, or -1."""
    plan = kernel.layout
    kinds, hand_count, holders_of = plan.colours * 5, kernel.hand_count, cards.holders_of
    risk = SURE * HABITS[plan.players].risk // 100
    own, own_left, own_chance = notes.own, notes.own_left, own_hand.own_chance

    @jit
    def sure_play(memory: Any, sight: Any, me: int, playable: int) -> int:
        """A card that surely fits: a low one that few others could play instead."""
        best, most = -1, -1
        for slot in range(hand_count(sight, me)):
            options, worth, total = memory[own + slot], 0, 0
            if options & ~playable:
                continue
            for card in range(kinds):
                if (options >> card) & 1:
                    copies = max(memory[own_left + card], 0)
                    worth += copies * (9 - card % 5) * 1000 // (holders_of(sight, card) + 1)
                    total += copies
            worth //= max(total, 1)
            if worth > most:
                best, most = slot, worth
        return best

    @jit
    def harmless_play(memory: Any, sight: Any, me: int, playable: int, dead: int) -> int:
        """A card that very likely fits and otherwise is dead, so that nothing but a mistake can come of it."""
        best, most = -1, risk
        for slot in range(hand_count(sight, me)):
            if memory[own + slot] & ~(playable | dead) == 0:
                likely = own_chance(memory, slot, playable)
                if likely > most:
                    best, most = slot, likely
        return best

    @jit
    def likeliest_play(memory: Any, sight: Any, me: int, playable: int) -> int:
        """The card that most likely fits."""
        best, most = -1, 0
        for slot in range(hand_count(sight, me)):
            likely = own_chance(memory, slot, playable)
            if likely > most:
                best, most = slot, likely
        return best

    return Parts(sure_play=sure_play, harmless_play=harmless_play, likeliest_play=likeliest_play)
