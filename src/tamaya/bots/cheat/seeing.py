"""What lies on the table and in all hands."""

from __future__ import annotations

from typing import Any

from tamaya.bots.policy import Table
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import NUMBER, SLOT


def build_seeing(kernel: Kernel, jit: Jit, table: Table) -> Parts:
    """The functions that look."""
    plan = kernel.layout
    players, hand_size, cards, deck, hands = plan.players, plan.hand_size, plan.colours * 5, plan.deck, plan.hands
    fireworks, discards, copies = plan.fireworks, plan.discards, table(plan.copies)
    hand_count, reach = kernel.hand_count, kernel.reach

    @jit
    def card_at(sight: Any, seat: int, slot: int) -> int:
        card: int = sight[deck + sight[hands + (seat * hand_size + slot) * SLOT + NUMBER]] + 0
        return card

    @jit
    def look(memory: Any, sight: Any) -> None:
        """Count the copies of each card that are in hands."""
        for card in range(cards):
            memory[card] = 0
        for seat in range(players):
            for slot in range(hand_count(sight, seat)):
                memory[card_at(sight, seat, slot)] += 1

    @jit
    def fits(sight: Any, card: int) -> bool:
        return bool(sight[fireworks + card // 5] == card % 5)

    @jit
    def is_dead(sight: Any, card: int) -> bool:
        """Whether a card can never be placed any more."""
        return bool(card % 5 < sight[fireworks + card // 5]) or card % 5 >= reach(sight, card // 5)

    @jit
    def is_last(sight: Any, card: int) -> bool:
        return bool(sight[discards + card] + 1 >= copies[card])

    @jit
    def thrown_away(sight: Any) -> int:
        total = 0
        for card in range(cards):
            total += sight[discards + card]
        return total

    @jit
    def can_play(sight: Any, me: int) -> bool:
        """Whether any of the others can play."""
        for seat in range(players):
            if seat != me:
                for slot in range(hand_count(sight, seat)):
                    if fits(sight, card_at(sight, seat, slot)):
                        return True
        return False

    return Parts(
        card_at=card_at, look=look, fits=fits, is_dead=is_dead, is_last=is_last, thrown_away=thrown_away, can_play=can_play
    )
