"""Which positions look best: what the search keeps when it cannot keep all.

Positions are compared after the same number of card actions, so that more points mean fewer cards thrown away. The weights
were found by trying changes on some hundred hard deals (2, 3 and 5 players, five and six colours, all or nothing), keeping
what lessened the positions looked at.
"""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel.parts import Jit, Parts
from tamaya.engine.layout import Layout
from tamaya.sim.solver.desk import MOST_WORTH
from tamaya.sim.solver.positions import HANDS, PLACED, TOKENS

POINT, FREE_SLOT, FULL_HAND = 56, 9, -30
SAVING, SPENDING = 20, -10
"""The worth of a token in the two styles of searching: positions that one throws away, the other often keeps."""

FIRST_TOKENS = 4
MIDDLE = 1000


def build_worth(rules: Layout, jit: Jit, bits: Parts, choices: Parts) -> Parts:
    """The worth of a position."""
    players, hand_size, count, playable = rules.players, rules.hand_size, bits.count, choices.playable

    @jit
    def worth(position: Any, token: int) -> int:
        """Points, the first tokens, and slots that are not taken by cards which have to wait."""
        fits = playable(position[PLACED])
        value = MIDDLE + POINT * count(position[PLACED]) + token * min(position[TOKENS], FIRST_TOKENS)
        for seat in range(players):
            hand = position[HANDS + seat]
            free = hand_size - count(hand & ~fits)
            value += FREE_SLOT * free if free else FULL_HAND
        bounded: int = max(0, min(value, MOST_WORTH - 1))
        return bounded

    return Parts(worth=worth)
