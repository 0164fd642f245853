"""The cheat: sees every hand and not the deck. A ceiling for honest bots and a partner for tests; no table knows it.

It is greedy: play what fits, throw away what nobody needs while turns abound, else let time pass with a clue while somebody
has something better to do. When few cards are left in the deck it tries its other actions too, in some orders of those cards.
"""

from __future__ import annotations

from typing import Any

from tamaya.bots.cheat.choosing import build_greedy
from tamaya.bots.cheat.imagining import WORLDS, build_imagining
from tamaya.bots.cheat.seeing import build_seeing
from tamaya.bots.policy import Policy
from tamaya.engine.kernel import Jit, Kernel, Table
from tamaya.engine.layout import CLUES, DRAWN, SEAT

LATE = 10
"""With so many cards in the deck the end begins. Looking ahead sooner was measured to be worth nothing."""


def build_cheat(kernel: Kernel, jit: Jit, table: Table) -> Policy:
    """The cheat's policy for a kernel. It expects an open sight: one in which every hand lies face up."""
    plan, hand_count = kernel.layout, kernel.hand_count
    size, cards, deck_size, clue_tokens = plan.size, plan.colours * 5, plan.deck_size, plan.clue_tokens
    seeing = build_seeing(kernel, jit, table)
    choosing = build_greedy(kernel, jit, seeing)
    worth = build_imagining(kernel, jit, table, seeing.look, choosing.greedy).worth
    card_at, fits, greedy, play, stall = seeing.card_at, seeing.fits, choosing.greedy, choosing.play, choosing.stall
    discard_action, perfect = plan.discard_action, WORLDS * 5 * plan.colours

    @jit
    def begin(memory: Any) -> None:
        for card in range(cards):
            memory[card] = 0

    @jit
    def best_action(memory: Any, sight: Any, world: Any, usual: int) -> int:
        """The usual action, unless another one ends better in the same worlds."""
        me: int = sight[SEAT] + 0
        tokens: int = sight[CLUES] + 0
        best, most = usual, worth(memory, sight, world, usual)
        held = hand_count(sight, me)
        for idea in range(2 * held + 1):
            slot, action = idea // 2, -1
            if idea == 2 * held:
                action = stall(sight, me) if tokens > 0 else -1
            elif idea % 2 and tokens < clue_tokens:
                action = discard_action + slot
            elif idea % 2 == 0 and fits(sight, card_at(sight, me, slot)):
                action = play(sight, me, slot)
            if action >= 0 and action != usual and most < perfect:
                points = worth(memory, sight, world, action)
                if points > most:
                    best, most = action, points
        return best

    @jit
    def choose(memory: Any, sight: Any) -> int:
        """The greedy action, or near the end the best one. Worlds are of the memory's kind of numbers, so that a compiler makes
        the functions for one kind."""
        world = memory[cards : cards + size]
        for at in range(size):
            world[at] = sight[at]
        action: int = greedy(memory, world)
        if deck_size - sight[DRAWN] <= LATE:
            action = best_action(memory, sight, world, action)
        return action

    @jit
    def notice(memory: Any, seat: int, before: Any, after: Any) -> None:
        """There is nothing to remember where everything is seen."""

    return Policy(words=cards + size, begin=begin, choose=choose, notice=notice)
