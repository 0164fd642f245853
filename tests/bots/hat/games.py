"""Games of the hat bot with itself, turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tamaya import Rules
from tamaya.bots.hat import HAT
from tamaya.bots.policy import interpreted_policy
from tamaya.engine.kernel import Kernel, interpreted_kernel
from tamaya.engine.layout import ENDED, RUNNING, SEAT


class Moment(NamedTuple):
    """A turn of a game before it is taken: the state, what the seat to move sees, and the team's memory."""

    kernel: Kernel
    state: bytearray
    sight: bytearray
    memory: list[int]
    action: int


def sight_of(kernel: Kernel, state: bytearray, seat: int) -> bytearray:
    """What a seat sees."""
    sight = bytearray(kernel.layout.size)
    kernel.see(state, seat, sight)
    return sight


def turns(rules: Rules, seed: int, disturb: Callable[[list[int]], None] = lambda memory: None) -> Iterator[Moment]:
    """The turns of one game with a memory that all share; before each use of it, it is disturbed."""
    kernel, policy = interpreted_kernel(rules), interpreted_policy(HAT, rules)
    layout = kernel.layout
    state, memory, mask = bytearray(layout.size), [0] * policy.words, bytearray(layout.actions)
    kernel.deal(state, 0, seed)
    policy.begin(memory, sight_of(kernel, state, 0))
    while state[ENDED] == RUNNING:
        seat = state[SEAT]
        before = sight_of(kernel, state, seat)
        disturb(memory)
        action = policy.choose(memory, before, mask, 0)
        yield Moment(kernel, state, before, memory, action)
        kernel.apply(state, action)
        disturb(memory)
        policy.notice(memory, seat, before, sight_of(kernel, state, seat))
