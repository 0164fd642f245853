"""How the games of a block lie in a device's shared memory."""

from __future__ import annotations

from typing import NamedTuple

from tamaya.bots.encoding.cells import words_for
from tamaya.engine.layout import Layout

WARP = 32
MOST_THREADS = 128
SHARED = 48 * 1024  # bytes that any block may have


class BlockPlan(NamedTuple):
    """A thread a game: first the bytes of every game, then the legal actions, the words of observations, the tally, and
    which games are over."""

    threads: int
    stride: int  # bytes a game, in memory and in the block
    actions: int
    masks: int  # byte at which the legal actions begin
    words: int  # word at which the observations begin
    width: int  # words an observation
    tally: int  # word at which the tally begins
    scores: int  # words of the tally
    over: int  # word at which the number of games that are over lies, and behind it which
    size: int  # bytes in all


def odd_words(count: int) -> int:
    """So many words or one more: an odd number, for neighbouring threads to meet in different banks of memory."""
    return count | 1


def plan_block(layout: Layout, cells: int, scores: int) -> BlockPlan:
    """The plan for blocks of as many threads as their shared memory allows; observations have so many cells, or none."""
    stride = 4 * odd_words(-(-layout.size // 4))
    width = odd_words(words_for(cells)) if cells else 0
    for threads in range(MOST_THREADS, 0, -WARP):
        masks = threads * stride
        words = (masks + threads * layout.actions) // 4  # threads are a multiple of 4
        tally = words + threads * width
        over = tally + scores
        size = 4 * (over + 1 + threads)
        if size <= SHARED or threads == WARP:
            break
    return BlockPlan(threads, stride, layout.actions, masks, words, width, tally, scores, over, size)
