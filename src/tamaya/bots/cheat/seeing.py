"""What lies on the table and in all hands."""

from __future__ import annotations

from typing import Any

from tamaya.bots.cards import build_cards
from tamaya.engine.kernel import Jit, Kernel, Table
from tamaya.engine.kernel.parts import Parts


def build_seeing(kernel: Kernel, jit: Jit, table: Table) -> Parts:
    """The functions that look."""
    plan = kernel.layout
    players, cards, looking = plan.players, plan.colours * 5, build_cards(kernel, jit, table)
    fireworks, discards, copies = plan.fireworks, plan.discards, table(plan.copies)
    hand_count, reach, card_at = kernel.hand_count, kernel.reach, looking.face_at

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
        card_at=card_at, holders_of=looking.holders_of, play=looking.play, look=look, fits=fits, is_dead=is_dead,
        is_last=is_last, thrown_away=thrown_away, can_play=can_play,
    )  # fmt: skip
