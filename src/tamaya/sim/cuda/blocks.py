"""What the threads of a block do together: bring games in, take them back, and deal anew those that are over."""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import ENDED, RUNNING
from tamaya.sim.cuda.card import Card, cuda
from tamaya.sim.cuda.plan import Plan
from tamaya.sim.turns import LOST


def build_moving(card: Card, plan: Plan) -> Parts:
    """The functions that copy games between the card's memory and the block's, neighbours by neighbours."""
    threads, tally_at, scores = plan.threads, plan.tally, plan.scores
    state_words, mask_words = threads * plan.stride // 4, threads * plan.actions // 4

    @card.jit
    def bring(states: Any, masks: Any, shared: Any, thread: int, block: int) -> None:
        for at in range(thread, state_words, threads):
            shared[at] = states[block * state_words + at]
        for at in range(thread, mask_words, threads):
            shared[state_words + at] = masks[block * mask_words + at]
        for at in range(thread, scores, threads):
            shared[tally_at + at] = 0

    @card.jit
    def take_back(states: Any, masks: Any, tally: Any, shared: Any, thread: int, block: int) -> None:
        for at in range(thread, state_words, threads):
            states[block * state_words + at] = shared[at]
        for at in range(thread, mask_words, threads):
            masks[block * mask_words + at] = shared[state_words + at]
        for at in range(thread, scores, threads):
            cuda.atomic.add(tally, at, shared[tally_at + at])

    return Parts(bring=bring, take_back=take_back)


def build_ends(card: Card, plan: Plan) -> Parts:
    """The functions that count games which are over, and deal the next ones.

    A deal takes longer than all else, and a warp as long as its slowest thread: so the first threads of a block deal for all.
    """
    threads, stride, size, plain, renew = plan.threads, plan.stride, card.kernel.layout.size, card.plain, card.turns.renew
    tally_at, scores, over_at = plan.tally, plan.scores, plan.over

    @card.jit
    def note_end(shared: Any, thread: int, state: Any, ended: int, score: int) -> None:
        if ended != RUNNING:
            cuda.atomic.add(shared, tally_at + score, 1)
            if ended >= LOST:
                cuda.atomic.add(shared, tally_at + scores - 1, 1)
        if state[ENDED] != RUNNING:
            shared[over_at + 1 + cuda.atomic.add(shared, over_at, 1)] = thread

    @card.jit
    def deal_next(shared: Any, shared_bytes: Any, seeds: Any, thread: int, block: int, games: int) -> None:
        cuda.syncthreads()
        if thread < shared[over_at]:
            other = shared[over_at + 1 + thread]
            game = block * threads + other
            state = plain(shared_bytes[other * stride : other * stride + size])
            renew(state, plain(seeds[game * 2 : game * 2 + 2]), games)
        cuda.syncthreads()

    return Parts(note_end=note_end, deal_next=deal_next)
