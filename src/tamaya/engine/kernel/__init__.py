"""The rules of the game, written once, as plain functions over one flat array of bytes.

`build` makes them for given `Rules`: what the rules fix are constants that the functions close over. With ``jit`` the
identity they run interpreted on a ``bytearray``; a compiler in its place makes the same lines fast. Nothing here checks
its arguments or knows objects; `tamaya.engine.Game` is the friendly face.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from tamaya.engine.kernel.dialect import Constants, Jit, Row, interpreted
from tamaya.engine.kernel.ending import build_ending
from tamaya.engine.kernel.hands import Hands, build_hands
from tamaya.engine.kernel.legal import build_legal
from tamaya.engine.kernel.moves import build_apply
from tamaya.engine.kernel.shuffle import Shuffle, build_shuffle
from tamaya.engine.kernel.sight import EVERYBODY, build_sight
from tamaya.engine.layout import CLUES, NO_CARD, Layout, layout_of
from tamaya.rules import Rules

__all__ = ["EVERYBODY", "Constants", "Jit", "Kernel", "Row", "build", "interpreted", "interpreted_kernel"]


class Kernel(NamedTuple):
    """The functions of one set of rules at one speed."""

    layout: Layout
    shuffle: Shuffle
    """What deals by chance; for whoever imagines other deals."""
    deal: Callable[[Row, int, int], None]
    """Shuffle by a seed of twice 32 bits, then begin."""
    begin: Callable[[Row], None]
    """Deal the hands from the deck that lies in the state."""
    legal: Callable[[Row, Row], None]
    """Mark the legal actions."""
    apply: Callable[[Row, int], None]
    """Take a turn with a legal action."""
    points: Callable[[Row], int]
    score: Callable[[Row], int]
    """The points, or nothing where the rules take them at the end: the one place that says what a game is worth."""
    reach: Callable[[Row, int], int]
    """How high a firework can still get."""
    maximum: Callable[[Row], int]
    hand_count: Callable[[Row, int], int]
    see: Callable[[Row, int, Row], None]
    """Write down what a seat sees."""


def build(rules: Rules, jit: Jit = interpreted) -> Kernel:
    """The kernel for these rules, each function passed through ``jit``."""
    layout = layout_of(rules)
    hands, shuffle = build_hands(layout, jit), build_shuffle(layout, jit)
    ending = build_ending(layout, jit, hands)
    begin, deal = build_deal(layout, jit, shuffle, hands)
    return Kernel(
        layout=layout,
        shuffle=shuffle,
        deal=deal,
        begin=begin,
        legal=build_legal(layout, jit, hands),
        apply=build_apply(layout, jit, hands, ending),
        points=ending.points,
        score=ending.score,
        reach=ending.reach,
        maximum=ending.maximum,
        hand_count=hands.hand_count,
        see=build_sight(layout, jit),
    )


def build_deal(
    layout: Layout, jit: Jit, shuffle: Shuffle, hands: Hands
) -> tuple[Callable[[Row], None], Callable[[Row, int, int], None]]:
    """Setting the table: the functions that begin with the deck as it lies, and with one shuffled by a seed."""

    @jit
    def begin(state: Row) -> None:
        """All clue tokens available, no card on the table, a full hand for each seat in turn."""
        for at in range(layout.deck):
            state[at] = 0
        for at in range(layout.hands, layout.size):
            state[at] = NO_CARD
        state[CLUES] = layout.clue_tokens
        for seat in range(layout.players):
            for _ in range(layout.hand_size):
                hands.draw(state, seat)

    @jit
    def deal(state: Row, seed_high: int, seed_low: int) -> None:
        shuffle.lay_out(state)
        shuffle.shuffle(state, seed_high, seed_low)
        begin(state)

    return begin, deal


@lru_cache(maxsize=256)
def interpreted_kernel(rules: Rules) -> Kernel:
    """The interpreted kernel for these rules, built once."""
    return build(rules)
