"""Games of the convention bot turn by turn, with what each seat has in mind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tamaya import Rules
from tamaya.bots.convention import CONVENTION
from tamaya.bots.policy import interpreted_policy
from tamaya.engine.kernel import Kernel, interpreted_kernel
from tamaya.engine.layout import ENDED, RUNNING, SEAT

LUCK = 0
"""The bot does not draw lots."""


class Turn(NamedTuple):
    """A turn of a game that the bot plays with itself, each seat keeping a memory of its own."""

    state: bytearray
    memories: list[list[int]]
    action: int


def turns(made: Rules, seed: int) -> Iterator[Turn]:
    """A game turn by turn; the memories are those before the action is noticed."""
    kernel, policy = interpreted_kernel(made), interpreted_policy(CONVENTION, made)
    state, mask = bytearray(kernel.layout.size), bytearray(kernel.layout.actions)
    memories = [[0] * policy.words for _ in range(made.players)]
    kernel.deal(state, 0, seed)
    for seat, memory in enumerate(memories):
        policy.begin(memory, seen(kernel, state, seat))
    while state[ENDED] == RUNNING:
        before = [seen(kernel, state, seat) for seat in range(made.players)]
        seat = state[SEAT]
        kernel.legal(state, mask)
        action = policy.choose(memories[seat], before[seat], mask, LUCK)
        assert mask[action], f"turn of seat {seat}: {action} is not legal"
        yield Turn(bytearray(state), memories, action)
        kernel.apply(state, action)
        for looking, memory in enumerate(memories):
            policy.notice(memory, looking, before[looking], seen(kernel, state, looking))
    yield Turn(bytearray(state), memories, -1)


def seen(kernel: Kernel, state: bytearray, seat: int) -> bytearray:
    """What a seat sees."""
    sight = bytearray(kernel.layout.size)
    kernel.see(state, seat, sight)
    return sight
