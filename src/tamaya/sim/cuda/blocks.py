"""What the threads of a block do together: bring games in, take them back, and deal anew those that are over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tamaya.engine.kernel.ending import LOST
from tamaya.engine.layout import ENDED, RUNNING
from tamaya.sim.cuda.device import Device, cuda
from tamaya.sim.cuda.plan import BlockPlan


class Moving(NamedTuple):
    """The functions that copy games between the device's memory and the block's."""

    bring: Callable[[Any, Any, Any, int, int], None]
    take_back: Callable[[Any, Any, Any, Any, int, int], None]


class Renewing(NamedTuple):
    """The functions that count games which are over, and deal the next ones."""

    note_end: Callable[[Any, int, Any, int, int], None]
    deal_next: Callable[[Any, Any, Any, int, int, int], None]


def build_moving(device: Device, plan: BlockPlan) -> Moving:
    """The functions that copy games between the device's memory and the block's, neighbours by neighbours."""
    state_words, mask_words = plan.threads * plan.stride // 4, plan.threads * plan.actions // 4

    @device.jit
    def bring(states: Any, masks: Any, shared: Any, thread: int, block: int) -> None:
        for at in range(thread, state_words, plan.threads):
            shared[at] = states[block * state_words + at]
        for at in range(thread, mask_words, plan.threads):
            shared[state_words + at] = masks[block * mask_words + at]
        for at in range(thread, plan.scores, plan.threads):
            shared[plan.tally + at] = 0

    @device.jit
    def take_back(states: Any, masks: Any, tally: Any, shared: Any, thread: int, block: int) -> None:
        for at in range(thread, state_words, plan.threads):
            states[block * state_words + at] = shared[at]
        for at in range(thread, mask_words, plan.threads):
            masks[block * mask_words + at] = shared[state_words + at]
        for at in range(thread, plan.scores, plan.threads):
            cuda.atomic.add(tally, at, shared[plan.tally + at])

    return Moving(bring, take_back)


def build_renewing(device: Device, plan: BlockPlan) -> Renewing:
    """The functions that count games which are over, and deal the next ones.

    A deal takes longer than all else, and a warp as long as its slowest thread: so the first threads of a block deal for all.
    """
    size, plain, turns = device.kernel.layout.size, device.plain, device.turns

    @device.jit
    def note_end(shared: Any, thread: int, state: Any, ended: int, score: int) -> None:
        if ended != RUNNING:
            cuda.atomic.add(shared, plan.tally + score, 1)
            if ended >= LOST:
                cuda.atomic.add(shared, plan.tally + plan.scores - 1, 1)
        if state[ENDED] != RUNNING:
            shared[plan.over + 1 + cuda.atomic.add(shared, plan.over, 1)] = thread

    @device.jit
    def deal_next(shared: Any, shared_bytes: Any, seeds: Any, thread: int, block: int, games: int) -> None:
        cuda.syncthreads()
        if thread < shared[plan.over]:
            other = shared[plan.over + 1 + thread]
            game = block * plan.threads + other
            state = plain(shared_bytes[other * plan.stride : other * plan.stride + size])
            turns.renew(state, plain(seeds[game * 2 : game * 2 + 2]), games)
        cuda.syncthreads()

    return Renewing(note_end, deal_next)
