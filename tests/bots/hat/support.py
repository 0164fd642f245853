"""Self-play games of the hat bot, turn by turn."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from tamaya import Rules
from tamaya.bots.hat import HAT
from tamaya.bots.hat.memory import HatMemory
from tamaya.engine.instances import Instance, Setting, instance_of
from tamaya.engine.kernel.deal import deal
from tamaya.engine.kernel.hands import see
from tamaya.engine.kernel.turn import apply, legal
from tamaya.engine.layout import ENDED, RUNNING, SEAT, layout

Numbers: TypeAlias = "memoryview[int]"
"""All numbers of a memory."""


class Moment(NamedTuple):
    """A turn of a game before it is taken: the state, what the seat to move sees and may do, the team's memory, the choice."""

    own: Instance
    state: bytearray
    sight: bytearray
    mask: bytearray
    numbers: Numbers
    memory: HatMemory
    action: int


def blank(rules: Rules, number: int = 0) -> Numbers:
    """A memory with the same number everywhere."""
    return memoryview(array("q", [number] * HAT.size(rules)))


def sight_of(own: Instance, state: bytearray, seat: int) -> bytearray:
    sight = bytearray(len(state))
    own(see)(state, seat, sight)
    return sight


def turns(rules: Rules, seed: int, disturb: Callable[[Numbers], None] = lambda numbers: None) -> Iterator[Moment]:
    """The turns of one game with a shared memory, which `disturb` may change before each use."""
    own, numbers = instance_of(Setting(rules)), blank(rules)
    table, memory = own.value(layout), HAT.named(rules, numbers)
    state, mask = bytearray(table.size), bytearray(table.actions)
    own(deal)(state, 0, seed)
    own(HAT.start)(memory, sight_of(own, state, 0))
    while state[ENDED] == RUNNING:
        seat = state[SEAT]
        before = sight_of(own, state, seat)
        own(legal)(state, mask)
        disturb(numbers)
        action = own(HAT.choose)(memory, before, mask, 0)
        yield Moment(own, state, before, mask, numbers, memory, action)
        own(apply)(state, action)
        disturb(numbers)
        own(HAT.update)(memory, seat, before, sight_of(own, state, seat))
