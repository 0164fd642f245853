"""How far the fireworks are and can still get, and when the game is over."""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel.parts import Jit, Parts
from tamaya.engine.layout import CLUES, ENDED, LAST_TURNS, MISTAKES, RUNNING, SEAT, Layout
from tamaya.rules import Ending

WON, POINTS, LOST_BY_MISTAKES = int(Ending.WON), int(Ending.POINTS), int(Ending.MISTAKES)
MISSING_CARD, DEADLOCK = int(Ending.MISSING_CARD), int(Ending.DEADLOCK)


def build_ending(rules: Layout, jit: Jit, hands: Parts) -> Parts:
    """The functions that count points and decide the end."""
    players, colours, copies = rules.players, rules.colours, rules.copies
    mistakes, all_or_nothing = rules.mistakes, rules.all_or_nothing
    fireworks, discards = rules.fireworks, rules.discards
    hand_count = hands.hand_count

    @jit
    def points(state: Any) -> int:
        """The sum of each firework's highest card."""
        total = 0
        for colour in range(colours):
            total += state[fireworks + colour]
        return total

    @jit
    def reach(state: Any, colour: int) -> int:
        """The highest value that a firework can still get: up to the first whose copies are all discarded."""
        height: int = state[fireworks + colour] + 0  # a plain number: a compiled byte would wrap
        while height < 5 and state[discards + colour * 5 + height] < copies[colour * 5 + height]:
            height += 1
        return height

    @jit
    def maximum(state: Any) -> int:
        """The points that can still be reached, going by what lies on the table for all to see."""
        made: int = points(state)
        if state[ENDED] != RUNNING:
            return made
        total = 0
        for colour in range(colours):
            total += reach(state, colour)
        if state[LAST_TURNS] > 0:
            total = min(total, made + state[LAST_TURNS])
        return total

    @jit
    def finish_card(state: Any, card: int, thrown_away: bool) -> None:
        """The ends that a played or discarded card brings at once, the last mistake first."""
        if state[MISTAKES] == mistakes:
            state[ENDED] = LOST_BY_MISTAKES
        elif points(state) == 5 * colours:
            state[ENDED] = WON
        elif all_or_nothing and thrown_away and reach(state, card // 5) < 5:
            state[ENDED] = MISSING_CARD

    @jit
    def finish_turn(state: Any, last_turns: int) -> None:
        """The turn passes clockwise, unless it was the very last one; `last_turns` were left when it began."""
        state[SEAT] = (state[SEAT] + 1) % players
        if state[ENDED] != RUNNING:
            return
        if last_turns > 0:
            state[LAST_TURNS] = last_turns - 1
            if last_turns == 1:
                state[ENDED] = POINTS
        elif all_or_nothing and state[CLUES] == 0 and hand_count(state, state[SEAT]) == 0:
            state[ENDED] = DEADLOCK

    return Parts(points=points, reach=reach, maximum=maximum, finish_card=finish_card, finish_turn=finish_turn)
