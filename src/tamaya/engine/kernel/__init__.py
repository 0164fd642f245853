"""The rules of the game, written once, as plain functions over one flat array of bytes.

`build` makes them for given `Rules`: what the rules fix are constants that the functions close over. With ``jit`` the
identity they run interpreted on a ``bytearray``; a compiler in its place makes the same lines fast. Nothing here checks
its arguments or knows objects; `tamaya.engine.Game` is the friendly face.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from tamaya.engine.kernel.ending import build_ending
from tamaya.engine.kernel.hands import build_hands
from tamaya.engine.kernel.legal import build_legal
from tamaya.engine.kernel.moves import build_apply, build_cards
from tamaya.engine.kernel.parts import Jit, Parts, Table, interpreted
from tamaya.engine.kernel.shuffle import build_shuffle
from tamaya.engine.kernel.sight import EVERYBODY, build_sight
from tamaya.engine.layout import CLUES, NO_CARD, Layout, layout
from tamaya.rules import Rules

__all__ = ["EVERYBODY", "Jit", "Kernel", "Table", "build", "interpreted", "interpreted_kernel"]


class Kernel(NamedTuple):
    """The functions of one set of rules at one speed."""

    layout: Layout
    deal: Callable[[Any, int, int], None]
    """Shuffle by a seed of twice 32 bits, then begin."""
    begin: Callable[[Any], None]
    """Deal the hands from the deck that lies in the state."""
    legal: Callable[[Any, Any], None]
    apply: Callable[[Any, int], None]
    points: Callable[[Any], int]
    reach: Callable[[Any, int], int]
    maximum: Callable[[Any], int]
    hand_count: Callable[[Any, int], int]
    see: Callable[[Any, int, Any], None]
    """Write down what a seat sees."""


def build(rules: Rules, jit: Jit = interpreted) -> Kernel:
    """The kernel for these rules, each function passed through ``jit``."""
    plan = layout(rules)
    hands = build_hands(plan, jit)
    ending = build_ending(plan, jit, hands)
    cards = build_cards(plan, jit, hands, ending)
    deal = build_deal(plan, jit, build_shuffle(plan, jit), hands)
    return Kernel(
        layout=plan,
        deal=deal.deal,
        begin=deal.begin,
        legal=build_legal(plan, jit, hands).legal,
        apply=build_apply(plan, jit, hands, ending, cards).apply,
        points=ending.points,
        reach=ending.reach,
        maximum=ending.maximum,
        hand_count=hands.hand_count,
        see=build_sight(plan, jit).see,
    )


def build_deal(rules: Layout, jit: Jit, shuffling: Parts, hands: Parts) -> Parts:
    """Setting the table."""
    players, hand_size, clue_tokens = rules.players, rules.hand_size, rules.clue_tokens
    deck, first_slot, size = rules.deck, rules.hands, rules.size
    lay_out, shuffle, draw = shuffling.lay_out, shuffling.shuffle, hands.draw

    @jit
    def begin(state: Any) -> None:
        """All clue tokens available, no card on the table, a full hand for each seat in turn."""
        for at in range(deck):
            state[at] = 0
        for at in range(first_slot, size):
            state[at] = NO_CARD
        state[CLUES] = clue_tokens
        for seat in range(players):
            for _ in range(hand_size):
                draw(state, seat)

    @jit
    def deal(state: Any, seed_high: int, seed_low: int) -> None:
        lay_out(state)
        shuffle(state, seed_high, seed_low)
        begin(state)

    return Parts(deal=deal, begin=begin)


@lru_cache(maxsize=256)
def interpreted_kernel(rules: Rules) -> Kernel:
    """The interpreted kernel for these rules, built once."""
    return build(rules)
