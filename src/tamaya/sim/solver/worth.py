"""Which positions look best: what the search keeps when it cannot keep all.

Positions are compared after the same number of card actions, so that more points mean fewer cards thrown away. The weights
were found by trying changes on some hundred hard deals (2, 4 and 5 players, five and six colours, all or nothing), keeping
what lessened the positions looked at.
"""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel.parts import Jit, Parts
from tamaya.engine.layout import Layout
from tamaya.sim.solver.desk import MOST_WORTH
from tamaya.sim.solver.positions import HANDS, PLACED, TOKENS, deck_tables

POINT, TOKEN, FREE_SLOT, FULL_HAND, LAST_COPY, FITTING, NEXT_BUT_ONE = 56, -11, 9, -40, -7, -8, 8
FIRST_TOKENS = 4
MIDDLE = 1000


def build_worth(rules: Layout, jit: Jit, bits: Parts, choices: Parts) -> Parts:
    """The worth of a position."""
    players, hand_size, below = rules.players, rules.hand_size, deck_tables(rules).below
    ones = sum(1 << 5 * colour for colour in range(rules.colours))
    count, playable = bits.count, choices.playable

    @jit
    def worth(position: Any, drawn: int, tables: Any) -> int:
        """The worth of a position in which `drawn` cards have left the deck."""
        placed, held, twice = position[PLACED], 0, 0
        fits = playable(placed)
        value = MIDDLE + POINT * count(placed) + TOKEN * min(position[TOKENS], FIRST_TOKENS)
        for seat in range(players):
            hand = position[HANDS + seat]
            twice |= held & hand
            held |= hand
            free = hand_size - count(hand & ~fits)
            value += FREE_SLOT * free if free else FULL_HAND
        value += LAST_COPY * count(held & ~fits & ~twice & ~tables[below + drawn])
        value += FITTING * count(held & fits) + NEXT_BUT_ONE * count(held & fits << 1 & ~ones & ~placed)
        bounded: int = max(0, min(value, MOST_WORTH - 1))
        return bounded

    return Parts(worth=worth)
