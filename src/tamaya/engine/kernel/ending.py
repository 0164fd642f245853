"""How far the fireworks are and can still get, when the game is over, and what it is worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tamaya.engine.kernel.dialect import Jit, Row
from tamaya.engine.kernel.hands import Hands
from tamaya.engine.layout import CLUES, ENDED, HEIGHT, LAST_TURNS, MISTAKES, RUNNING, SEAT, Layout
from tamaya.rules import Ending

WON, POINTS, LOST_BY_MISTAKES = int(Ending.WON), int(Ending.POINTS), int(Ending.MISTAKES)
MISSING_CARD, DEADLOCK = int(Ending.MISSING_CARD), int(Ending.DEADLOCK)
LOST = LOST_BY_MISTAKES
"""The first of the endings by which a game is lost; those behind it are others."""


class EndOfGame(NamedTuple):
    """The functions that count points and decide the end."""

    points: Callable[[Row], int]
    score: Callable[[Row], int]
    reach: Callable[[Row, int], int]
    maximum: Callable[[Row], int]
    finish_card: Callable[[Row, int, bool], None]
    finish_turn: Callable[[Row, int], None]


def build_ending(layout: Layout, jit: Jit, hands: Hands) -> EndOfGame:
    """The functions that count points and decide the end."""
    copies = layout.copies

    @jit
    def points(state: Row) -> int:
        """The sum of each firework's highest card."""
        total = 0
        for colour in range(layout.colours):
            total += state[layout.fireworks + colour]
        return total

    @jit
    def score(state: Row) -> int:
        """What a game is worth now: its points, or nothing where the rules take them at its end."""
        ended = state[ENDED]
        if (layout.all_or_nothing and ended > WON) or (ended >= LOST and not layout.keeps_points):
            return 0
        return points(state)

    @jit
    def reach(state: Row, colour: int) -> int:
        """The highest value that a firework can still get: up to the first whose copies are all discarded."""
        height = state[layout.fireworks + colour] + 0
        while height < HEIGHT and state[layout.discards + colour * HEIGHT + height] < copies[colour * HEIGHT + height]:
            height += 1
        return height

    @jit
    def maximum(state: Row) -> int:
        """The points that can still be reached, going by what lies on the table for all to see."""
        made = points(state)
        if state[ENDED] != RUNNING:
            return made
        total = 0
        for colour in range(layout.colours):
            total += reach(state, colour)
        if state[LAST_TURNS] > 0:
            total = min(total, made + state[LAST_TURNS])
        return total

    @jit
    def finish_card(state: Row, card: int, thrown_away: bool) -> None:
        """The ends that a played or discarded card brings at once, the last mistake first."""
        if state[MISTAKES] == layout.mistakes:
            state[ENDED] = LOST_BY_MISTAKES
        elif points(state) == layout.maximum:
            state[ENDED] = WON
        elif layout.all_or_nothing and thrown_away and reach(state, card // HEIGHT) < HEIGHT:
            state[ENDED] = MISSING_CARD

    @jit
    def finish_turn(state: Row, last_turns: int) -> None:
        """The turn passes clockwise, unless it was the very last one; `last_turns` were left when it began."""
        state[SEAT] = (state[SEAT] + 1) % layout.players
        if state[ENDED] != RUNNING:
            return
        if last_turns > 0:
            state[LAST_TURNS] = last_turns - 1
            if last_turns == 1:
                state[ENDED] = POINTS
        elif layout.all_or_nothing and state[CLUES] == 0 and hands.hand_count(state, state[SEAT]) == 0:
            state[ENDED] = DEADLOCK

    return EndOfGame(points, score, reach, maximum, finish_card, finish_turn)
