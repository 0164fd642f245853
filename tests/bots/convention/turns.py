"""Games that the convention bot plays with itself, turn by turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tamaya.bots.policies import POLICIES

from tamaya import Rules
from tamaya.bots.policy import Policy
from tamaya.engine.kernel import Kernel, interpreted, interpreted_kernel
from tamaya.engine.layout import ENDED, RUNNING, SEAT


class Turn(NamedTuple):
    """A turn of a game that the bot plays with itself, each seat keeping a memory of its own."""

    state: bytes
    memories: list[list[int]]
    action: int


def turns(made: Rules, seed: int) -> Iterator[Turn]:
    """A game turn by turn; the memories are those before the action is noticed."""
    kernel: Kernel = interpreted_kernel(made)
    policy: Policy = POLICIES["convention"](kernel, interpreted, tuple)
    state, mask = bytearray(kernel.layout.size), bytearray(kernel.layout.actions)
    memories = [[0] * policy.words for _ in range(made.players)]
    for memory in memories:
        policy.begin(memory)
    kernel.deal(state, 0, seed)
    while state[ENDED] == RUNNING:
        before = [_seen(kernel, state, seat) for seat in range(made.players)]
        seat = state[SEAT]
        action = policy.choose(memories[seat], before[seat])
        kernel.legal(state, mask)
        assert mask[action], f"turn of seat {seat}: {action} is not legal"
        yield Turn(bytes(state), memories, action)
        kernel.apply(state, action)
        for looking, memory in enumerate(memories):
            policy.notice(memory, looking, before[looking], _seen(kernel, state, looking))
    yield Turn(bytes(state), memories, -1)


def _seen(kernel: Kernel, state: bytearray, seat: int) -> bytearray:
    sight = bytearray(kernel.layout.size)
    kernel.see(state, seat, sight)
    return sight
