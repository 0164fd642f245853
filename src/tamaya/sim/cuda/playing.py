"""The launch that plays: a thread a game.

A block brings its games into shared memory, all threads copying side by side, plays them there, and takes them back.
Observations are written as bits, each thread its own, and then spread into cells by all threads together, so that
neighbouring threads write neighbouring places of the card's memory.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from tamaya.engine.layout import RUNNING, SEAT
from tamaya.rules import Rules
from tamaya.sim.choices import POLICIES
from tamaya.sim.cuda.blocks import build_ends, build_moving
from tamaya.sim.cuda.card import BYTE, WORD, Card, card, cuda
from tamaya.sim.cuda.plan import Plan, plan
from tamaya.sim.cuda.spreading import build_spread
from tamaya.sim.encoding import find_encoder

GIVEN = "given"
"""Instead of a policy: the actions come from outside."""


class Launch(NamedTuple):
    """A compiled launch and how it wants its blocks."""

    kernel: Any
    plan: Plan


class Looking(NamedTuple):
    """The functions that write an observation; none where nobody looks."""

    cells: int = 0
    encode: Any = None
    believe: Any = None


def build_looking(here: Card, encoder: str | None, kind: str) -> Looking:
    """The functions of an encoder."""
    if encoder is None:
        return Looking()
    found = find_encoder(encoder, kind)
    sections = found.sections(here.kernel.layout)
    encode = found.build(here.kernel, sections, here.jit, here.table)
    believe = found.refine(here.kernel, sections, here.jit, here.table) if found.refine else None
    return Looking(sections.size, encode, believe)


@lru_cache(maxsize=64)
def play_launch(rules: Rules, policy: str | None, encoder: str | None, kind: str, aligned: bool) -> Launch:
    """Turns by a policy or with given actions (or none at all), then an observation if an encoder is named.

    In aligned memory, bytes are written eight at a time.
    """
    here, layout = card(rules), card(rules).kernel.layout
    plain, size, players, cards = here.plain, layout.size, rules.players, len(layout.copies)
    cells, encode, believe = build_looking(here, encoder, kind)
    shape = plan(layout, cells, rules.maximum + 2)
    threads, stride, actions, masks_at, words_at, width = shape[:6]
    over_at = shape.over
    acts, given, chooses = policy is not None, policy == GIVEN, policy in POLICIES
    observes, refines = encode is not None, believe is not None
    act, reward, legal = here.turns.act, here.turns.reward, here.kernel.legal
    moving, ends_of = build_moving(here, shape), build_ends(here, shape)
    bring, take_back, note_end, deal_next = moving.bring, moving.take_back, ends_of.note_end, ends_of.deal_next
    choose: Any = POLICIES[policy](here.kernel, here.jit) if policy and policy in POLICIES else None
    spread: Any = build_spread(here, shape, cells, kind, aligned) if observes else None

    def launch(
        states: Any, seeds: Any, masks: Any, chosen: Any, rewards: Any, endings: Any, scored: Any, illegal: Any, tally: Any,
        out: Any, ends: Any, games: int, turns: int, seat: int, replaces: bool, at_the_end: bool, fine: float,
    ) -> None:  # fmt: skip
        shared_bytes, shared = cuda.shared.array(0, BYTE), cuda.shared.array(0, WORD)
        thread, block = cuda.threadIdx.x, cuda.blockIdx.x
        game = block * threads + thread
        bring(states, masks, shared, thread, block)
        state = plain(shared_bytes[thread * stride : thread * stride + size])
        mask = plain(shared_bytes[masks_at + thread * actions : masks_at + (thread + 1) * actions])
        seed = plain(seeds[game * 2 : game * 2 + 2])
        if acts:
            for _ in range(turns):
                shared[over_at] = 0
                cuda.syncthreads()
                if game < games:
                    action = chosen[game] + 0
                    if chooses:
                        action = choose(state, mask, seed[0] + 0, seed[1] + 0)
                    ended, score, earned, refused = act(state, seed, mask, action, replaces)
                    note_end(shared, thread, state, ended, score)
                    if given:
                        endings[game] = ended
                        illegal[game] = refused
                        rewards[game] = reward(ended, score, earned, refused, at_the_end, fine)
                        if ended != RUNNING:
                            scored[game] = score
                deal_next(shared, shared_bytes, seeds, thread, block, games)
                legal(state, mask)
        cuda.syncthreads()
        observer = (state[SEAT] if seat < 0 else seat) % players
        if observes and game < games:
            encode(state, observer, plain(shared[words_at + thread * width : words_at + (thread + 1) * width]))
        cuda.syncthreads()
        if acts:
            take_back(states, masks, tally, shared, thread, block)
        if observes:
            spread(plain(shared[words_at : words_at + threads * width]), out, ends, thread, block, games)
        if refines:
            cuda.syncthreads()
            if game < games:
                believe(state, observer, cuda.local.array(cards, BYTE), plain(out[game * cells : (game + 1) * cells]))

    return Launch(cuda.jit(launch), shape)
