"""The functions of the engine as one launch on a card: a thread a game.

A block brings its games into shared memory, all threads copying side by side, plays them there, and takes them back.
Observations are written as bits, each thread its own, and then spread into cells by all threads together, so that
neighbouring threads write neighbouring places of the card's memory.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from tamaya.engine.kernel import Jit, Kernel, build
from tamaya.engine.layout import ENDED, RUNNING, SEAT
from tamaya.rules import Rules
from tamaya.sim.choices import POLICIES
from tamaya.sim.cuda.plan import Plan, plan
from tamaya.sim.cuda.spreading import build_spread
from tamaya.sim.encoding import find_encoder
from tamaya.sim.extras import needed
from tamaya.sim.resampling import build_resampling
from tamaya.sim.speeds import constant
from tamaya.sim.turns import LOST, build_turns

cuda: Any = needed("numba.cuda", "gpu")
BYTE, WORD = needed("numba", "sim").uint8, needed("numba", "sim").uint32

GIVEN = "given"
"""Instead of a policy: the actions come from outside."""


class Launch(NamedTuple):
    """A compiled launch and how it wants its blocks."""

    kernel: Any
    plan: Plan


class Card:
    """The functions for one set of rules, as device functions."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.jit: Jit = cuda.jit(device=True)
        self.kernel: Kernel = build(rules, self.jit)
        self.turns = build_turns(rules, self.kernel, self.jit)
        self.plain = build_plain(self.jit)

    def table(self, numbers: Any) -> Any:
        """A table that the compiler takes for a constant."""
        return tuple(numbers) if is_simulated() else constant(numbers)


def is_simulated() -> bool:
    """Whether Numba plays the card itself, thread by thread, for tests."""
    return "simulator" in cuda.jit.__module__


def build_plain(jit: Jit) -> Any:
    """The function that a thread's part of an array goes through, for a simulated card to have plain numbers in it."""

    def simulated(array: Any) -> Any:
        return array.data

    @jit
    def plain(array: Any) -> Any:
        return array

    return simulated if is_simulated() else plain


@lru_cache(maxsize=64)
def card(rules: Rules) -> Card:
    """The device functions for these rules, built once."""
    return Card(rules)


@lru_cache(maxsize=64)
def play_launch(rules: Rules, policy: str | None, encoder: str | None, kind: str) -> Launch:
    """Turns by a policy or with given actions (or none at all), then an observation if an encoder is named."""
    here, found = card(rules), find_encoder(encoder, kind) if encoder else None
    plain, layout = here.plain, here.kernel.layout
    sections = found.sections(layout) if found else None
    cells = sections.size if sections else 0
    shape = plan(layout, cells, rules.maximum + 2)
    threads, stride, actions, masks_at, words_at, width = shape[:6]
    over_at, tally_at, scores, players, size, cards = (
        shape.over,
        shape.tally,
        rules.maximum + 2,
        rules.players,
        layout.size,
        len(layout.copies),
    )
    state_words, mask_words = threads * stride // 4, threads * actions // 4
    acts, given, chooses = policy is not None, policy == GIVEN, policy in POLICIES
    observes, refines = found is not None, bool(found and found.refine)
    act, renew, legal = here.turns.act, here.turns.renew, here.kernel.legal
    choose: Any = POLICIES[policy](here.kernel, here.jit) if policy and policy in POLICIES else None
    encode: Any = None
    believe: Any = None
    spread: Any = None
    if found and sections:
        encode = found.build(here.kernel, sections, here.jit, here.table).encode
        spread = build_spread(here, shape, cells, kind)
        if found.refine:
            believe = found.refine(here.kernel, sections, here.jit, here.table).believe

    def launch(
        states: Any, seeds: Any, masks: Any, chosen: Any, rewards: Any, endings: Any, scored: Any, illegal: Any, tally: Any,
        out: Any, ends: Any, games: int, turns: int, seat: int, goes_on: bool, replaces: bool, at_the_end: bool, penalty: float,
    ) -> None:  # fmt: skip
        block_bytes, block_words = cuda.shared.array(0, BYTE), cuda.shared.array(0, WORD)
        thread, block = cuda.threadIdx.x, cuda.blockIdx.x
        game = block * threads + thread
        for at in range(thread, state_words, threads):
            block_words[at] = states[block * state_words + at]
        for at in range(thread, mask_words, threads):
            block_words[state_words + at] = masks[block * mask_words + at]
        for at in range(thread, scores, threads):
            block_words[tally_at + at] = 0
        state = plain(block_bytes[thread * stride : thread * stride + size])
        mask = plain(block_bytes[masks_at + thread * actions : masks_at + (thread + 1) * actions])
        seed = plain(seeds[game * 2 : game * 2 + 2])
        if acts:
            for _ in range(turns):
                block_words[over_at] = 0
                cuda.syncthreads()
                if game < games:
                    action = chosen[game] + 0
                    if chooses:
                        action = choose(state, mask, seed[0] + 0, seed[1] + 0)
                    ended, score, earned, refused = act(state, seed, mask, action, replaces)
                    if given:
                        endings[game] = ended
                        illegal[game] = refused
                        if ended != RUNNING:
                            scored[game] = score
                        rewards[game] = (score if ended != RUNNING else 0) if at_the_end else earned
                        if refused:
                            rewards[game] += penalty
                    if ended != RUNNING:
                        cuda.atomic.add(block_words, tally_at + score, 1)
                        if ended >= LOST:
                            cuda.atomic.add(block_words, tally_at + scores - 1, 1)
                        if goes_on:
                            block_words[over_at + 1 + cuda.atomic.add(block_words, over_at, 1)] = thread
                cuda.syncthreads()
                if thread < block_words[over_at]:
                    other = block_words[over_at + 1 + thread]
                    over = block * threads + other
                    renew(
                        plain(block_bytes[other * stride : other * stride + size]), plain(seeds[over * 2 : over * 2 + 2]), games
                    )
                cuda.syncthreads()
                legal(state, mask)
        cuda.syncthreads()
        if observes and game < games:
            words = plain(block_words[words_at + thread * width : words_at + (thread + 1) * width])
            encode(state, (state[SEAT] if seat < 0 else seat) % players, words)
        cuda.syncthreads()
        if acts:
            for at in range(thread, state_words, threads):
                states[block * state_words + at] = block_words[at]
            for at in range(thread, mask_words, threads):
                masks[block * mask_words + at] = block_words[state_words + at]
            for at in range(thread, scores, threads):
                cuda.atomic.add(tally, at, block_words[tally_at + at])
        if observes:
            spread(plain(block_words[words_at : words_at + threads * width]), out, ends, thread, block, games)
        if refines:
            cuda.syncthreads()
            if game < games:
                counts = cuda.local.array(cards, BYTE)
                believe(
                    state,
                    (state[SEAT] if seat < 0 else seat) % players,
                    counts,
                    plain(out[game * cells : game * cells + cells]),
                )

    return Launch(cuda.jit(launch), shape)


@lru_cache(maxsize=64)
def deal_launch(rules: Rules) -> Any:
    """Deal every game by its seed, or begin it with the deck that lies in it."""
    here = card(rules)
    plain, size, actions = here.plain, here.kernel.layout.size, here.kernel.layout.actions
    deal, begin, legal = here.kernel.deal, here.kernel.begin, here.kernel.legal

    @cuda.jit  # type: ignore[untyped-decorator]
    def launch(states: Any, seeds: Any, masks: Any, stride: int, games: int, by_seed: bool) -> None:
        game = cuda.grid(1)
        if game < games:
            state, seed = plain(states[game * stride : game * stride + size]), plain(seeds[game * 2 : game * 2 + 2])
            if by_seed:
                deal(state, seed[0], seed[1])
            else:
                begin(state)
            legal(state, plain(masks[game * actions : game * actions + actions]))

    return launch


@lru_cache(maxsize=64)
def resample_launch(rules: Rules) -> Any:
    """Deal anew what a seat cannot see in every game."""
    here = card(rules)
    plain, size, actions = here.plain, here.kernel.layout.size, here.kernel.layout.actions
    resample, legal, players = build_resampling(here.kernel, here.jit).resample, here.kernel.legal, rules.players

    @cuda.jit  # type: ignore[untyped-decorator]
    def launch(states: Any, seeds: Any, masks: Any, stride: int, games: int, seat: int) -> None:
        game = cuda.grid(1)
        if game < games:
            state, seed = plain(states[game * stride : game * stride + size]), plain(seeds[game * 2 : game * 2 + 2])
            resample(state, (state[SEAT] if seat < 0 else seat) % players, seed[0], seed[1])
            legal(state, plain(masks[game * actions : game * actions + actions]))

    return launch


@lru_cache(maxsize=64)
def mark_launch(rules: Rules) -> Any:
    """Mark the legal actions of every game, where states came from elsewhere."""
    here = card(rules)
    plain, size, actions = here.plain, here.kernel.layout.size, here.kernel.layout.actions
    legal = here.kernel.legal

    @cuda.jit  # type: ignore[untyped-decorator]
    def launch(states: Any, masks: Any, stride: int, games: int) -> None:
        game = cuda.grid(1)
        if game < games:
            legal(plain(states[game * stride : game * stride + size]), plain(masks[game * actions : game * actions + actions]))

    return launch


@lru_cache(maxsize=64)
def check_launch(rules: Rules) -> Any:
    """Find the first game whose action is not legal."""
    here = card(rules)
    plain, size, actions = here.plain, here.kernel.layout.size, here.kernel.layout.actions

    @cuda.jit  # type: ignore[untyped-decorator]
    def launch(states: Any, masks: Any, chosen: Any, found: Any, stride: int, games: int) -> None:
        game = cuda.grid(1)
        if game < games:
            state, mask, action = (
                plain(states[game * stride : game * stride + size]),
                plain(masks[game * actions : game * actions + actions]),
                chosen[game],
            )
            if state[ENDED] == RUNNING and (action < 0 or action >= actions or not mask[action]):
                cuda.atomic.min(found, 0, game)

    return launch
