"""Worlds that could be: the cards that nobody sees in some order, and how the greedy choice would end there."""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel import Jit, Kernel, Table
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.kernel.shuffle import build_shuffle
from tamaya.engine.layout import DRAWN, ENDED, RUNNING, TURN
from tamaya.rules import Ending

WORLDS = 8
LOST, LOSS = int(Ending.MISTAKES), 100
"""What a lost game costs, in points."""


def build_imagining(kernel: Kernel, jit: Jit, table: Table, look: Any, greedy: Any) -> Parts:
    """The functions that look ahead."""
    plan = kernel.layout
    size, cards, deck, deck_size = plan.size, plan.colours * 5, plan.deck, plan.deck_size
    discards, fireworks, copies = plan.discards, plan.fireworks, table(plan.copies)
    apply, points, shuffling = kernel.apply, kernel.points, build_shuffle(plan, jit)
    start, below = shuffling.start, shuffling.below

    @jit
    def imagine(memory: Any, sight: Any, world: Any, which: int) -> None:
        """Copy what is seen, and lay the cards that are not into the deck, in an order that the turn and the number decide."""
        for at in range(size):
            world[at] = sight[at]
        look(memory, sight)
        first: int = sight[DRAWN] + 0
        end = first
        for card in range(cards):
            placed = 1 if card % 5 < sight[fireworks + card // 5] else 0
            for _ in range(copies[card] - sight[discards + card] - memory[card] - placed):
                world[deck + end] = card
                end += 1
        a, b, c, counter = start(sight[TURN] + 0, which)
        for left in range(deck_size - first, 1, -1):
            a, b, c, counter, place = below(left, a, b, c, counter)
            card = world[deck + first + left - 1]
            world[deck + first + left - 1] = world[deck + first + place]
            world[deck + first + place] = card

    @jit
    def worth(memory: Any, sight: Any, world: Any, action: int) -> int:
        """The points that follow on an action in all worlds together, everybody being greedy from then on."""
        total = 0
        for which in range(WORLDS):
            imagine(memory, sight, world, which)
            apply(world, action)
            while world[ENDED] == RUNNING:
                apply(world, greedy(memory, world))
            total += points(world)
            if world[ENDED] >= LOST:
                total -= LOSS
        return total

    return Parts(worth=worth)
