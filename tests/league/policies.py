"""Small policies, quickly compiled: one is honest, one peeks at its own hand, one breaks the rules."""

from __future__ import annotations

from tamaya.bots import Blueprint, BotEntry, Policy, Sees
from tamaya.engine.kernel import Constants, Jit, Kernel, Row
from tamaya.engine.layout import CLUES, HEIGHT, NO_CARD, NUMBER, SEAT
from tamaya.rules import LastMistake, Rules, say

RULES = Rules(players=3, mistakes=5, last_mistake=LastMistake.POINTS)
"""Those for which tests compile."""


def build_oldest(kernel: Kernel, jit: Jit, constants: Constants) -> Policy:
    """Plays its oldest card in every third turn that it sees, else discards it; it counts turns in its memory."""
    return _build(kernel, jit, False)


def build_peeking(kernel: Kernel, jit: Jit, constants: Constants) -> Policy:
    """Plays its oldest card if it fits, which it can see."""
    return _build(kernel, jit, True)


def build_wrong(kernel: Kernel, jit: Jit, constants: Constants) -> Policy:
    """Discards at once, when all clue tokens are there."""

    @jit
    def choose(memory: Row, sight: Row, mask: Row, luck: int) -> int:
        return 0

    return _build(kernel, jit, False)._replace(choose=choose)


def _build(kernel: Kernel, jit: Jit, peeks: bool) -> Policy:
    layout = kernel.layout

    @jit
    def begin(memory: Row, sight: Row) -> None:
        memory[0] = 0

    @jit
    def choose(memory: Row, sight: Row, mask: Row, luck: int) -> int:
        card = sight[layout.deck + sight[layout.hands + sight[SEAT] * layout.hand_bytes + NUMBER]]
        plays = memory[0] % 3 == 2
        if peeks:
            plays = card != NO_CARD and sight[layout.fireworks + card // HEIGHT] == card % HEIGHT
        return layout.play_action if plays or sight[CLUES] == layout.clue_tokens else 0

    @jit
    def notice(memory: Row, seat: int, before: Row, after: Row) -> None:
        memory[0] += 1

    return Policy(1, 1, begin, choose, notice)


ENTRIES = {
    "oldest": BotEntry(say("Test."), blueprint=Blueprint(build_oldest)),
    "peeking": BotEntry(say("Test."), blueprint=Blueprint(build_peeking, sees=Sees.HANDS)),
    "wrong": BotEntry(say("Test."), blueprint=Blueprint(build_wrong)),
}
