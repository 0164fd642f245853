"""The rules of the game, written once, as plain functions over one flat array of bytes (`tamaya.engine.instances`).

Nothing here checks its arguments or knows objects; `tamaya.engine.Game` is the friendly face.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import FunctionType
from typing import Any, NamedTuple

from tamaya.engine.instances import Fields, Instance, Options, Setting, Table, view_class
from tamaya.engine.kernel import deal, ending, hands, turn
from tamaya.engine.kernel.dialect import Constants, Jit, Row, interpreted
from tamaya.engine.kernel.hands import EVERYBODY
from tamaya.engine.layout import Layout, layout_of
from tamaya.rules import Rules

__all__ = ["EVERYBODY", "Constants", "Jit", "Kernel", "Row", "build", "interpreted", "interpreted_kernel"]


RULES: dict[Layout, Rules] = {}
"""Of every kernel that was built, the rules."""


class ByJit:
    """A speed for what is still built: everything goes through one jit."""

    def __init__(self, jit: Jit, constants: Constants = tuple) -> None:
        self._jit, self._constants = jit, constants
        self.interprets = jit is interpreted

    def make(self, function: FunctionType, options: Options, setting: Setting) -> Any:
        """The function through the jit."""
        return self._jit(function)

    def table(self, numbers: Table) -> Any:
        """The numbers as constants."""
        return self._constants(numbers)

    def view(self, fields: Fields) -> Callable[[Any], Any]:
        """What gives a row names."""
        if self._jit is interpreted:
            return view_class(fields)
        from tamaya.sim.speeds import record_view

        return self._jit(record_view(fields))


class Shuffle(NamedTuple):
    """The functions that lay out a deck, shuffle it, and draw numbers by chance."""

    start: Callable[[int, int], tuple[int, int, int, int]]
    below: Callable[[int, int, int, int, int], tuple[int, int, int, int, int]]
    lay_out: Callable[[Row], None]
    shuffle: Callable[[Row, int, int], None]
    mix: Callable[[int], int]


class Kernel(NamedTuple):
    """The functions of one set of rules at one speed."""

    layout: Layout
    shuffle: Shuffle
    deal: Callable[[Row, int, int], None]
    begin: Callable[[Row], None]
    legal: Callable[[Row, Row], None]
    apply: Callable[[Row, int], None]
    points: Callable[[Row], int]
    score: Callable[[Row], int]
    reach: Callable[[Row, int], int]
    maximum: Callable[[Row], int]
    hand_count: Callable[[Row, int], int]
    see: Callable[[Row, int, Row], None]


def build(rules: Rules, jit: Jit = interpreted) -> Kernel:
    """The kernel for these rules, each function passed through ``jit``."""
    own = Instance(Setting(rules), ByJit(jit))
    shuffle = Shuffle(own(deal.start), own(deal.below), own(deal.lay_out), own(deal.shuffle), own(deal.mix))
    RULES[layout_of(rules)] = rules
    return Kernel(
        layout_of(rules), shuffle, own(deal.deal), own(deal.begin), own(turn.legal), own(turn.apply),
        own(ending.points), own(ending.score), own(ending.reach), own(ending.maximum), own(hands.hand_count), own(hands.see),
    )  # fmt: skip


@lru_cache(maxsize=256)
def interpreted_kernel(rules: Rules) -> Kernel:
    """The interpreted kernel for these rules, built once."""
    return build(rules)
