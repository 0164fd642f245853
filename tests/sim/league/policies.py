"""Two small policies, quickly compiled: one is honest, one peeks at its own hand."""

from __future__ import annotations

from typing import Any

from tamaya.bots.policy import Policy
from tamaya.engine.kernel import Jit, Kernel, Table
from tamaya.engine.layout import CLUES, NO_CARD, NUMBER, SEAT, SLOT
from tamaya.rules import LastMistake, Rules

RULES = Rules(players=3, mistakes=5, last_mistake=LastMistake.POINTS)
"""Those for which tests compile."""


def build_oldest(kernel: Kernel, jit: Jit, table: Table) -> Policy:
    """Plays its oldest card in every third turn that it sees, else discards it; it counts turns in its memory."""
    return _build(kernel, jit, False)


def build_peeking(kernel: Kernel, jit: Jit, table: Table) -> Policy:
    """Plays its oldest card if it fits, which it can see."""
    return _build(kernel, jit, True)


def build_wrong(kernel: Kernel, jit: Jit, table: Table) -> Policy:
    """Discards at once, when all clue tokens are there."""
    made = _build(kernel, jit, False)

    @jit
    def choose(memory: Any, sight: Any) -> int:
        return 0

    return made._replace(choose=choose)


def _build(kernel: Kernel, jit: Jit, peeks: bool) -> Policy:
    plan = kernel.layout
    hands, deck, fireworks, hand_bytes = plan.hands, plan.deck, plan.fireworks, plan.hand_size * SLOT
    play_action, clue_tokens = plan.play_action, plan.clue_tokens

    @jit
    def begin(memory: Any) -> None:
        memory[0] = 0

    @jit
    def choose(memory: Any, sight: Any) -> int:
        card = sight[deck + sight[hands + sight[SEAT] * hand_bytes + NUMBER]]
        plays = memory[0] % 3 == 2
        if peeks:
            plays = card != NO_CARD and sight[fireworks + card // 5] == card % 5
        return play_action if plays or sight[CLUES] == clue_tokens else 0

    @jit
    def notice(memory: Any, seat: int, before: Any, after: Any) -> None:
        memory[0] += 1

    return Policy(words=1, begin=begin, choose=choose, notice=notice)
