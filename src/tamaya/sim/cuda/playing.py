"""The launch that plays: a thread a game.

A block brings its games into shared memory, all threads copying side by side, plays them there, and takes them back.
Observations are written as bits, each thread its own, and then spread into cells by all threads together, so that
neighbouring threads write neighbouring places of the device's memory.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from tamaya.bots.encoding import find_encoder
from tamaya.bots.policy import Sees
from tamaya.bots.random_play import RANDOM
from tamaya.bots.registry import find_policy
from tamaya.engine.layout import RUNNING, SEAT
from tamaya.rules import Rules
from tamaya.sim.cuda.blocks import build_moving, build_renewing
from tamaya.sim.cuda.device import BYTE, NUMBER, WORD, Device, cuda, device
from tamaya.sim.cuda.plan import BlockPlan, plan_block
from tamaya.sim.cuda.spreading import build_spread

GIVEN = "given"
"""Instead of a policy: the actions come from outside."""


class Launch(NamedTuple):
    """A compiled launch and how it wants its blocks."""

    kernel: Any
    plan: BlockPlan


class ObservationWriter(NamedTuple):
    """The functions that write an observation; none where nobody looks."""

    cells: int = 0
    encode: Any = None
    believe: Any = None


def build_looking(here: Device, encoder: str | None, kind: str) -> ObservationWriter:
    """The functions of an encoder."""
    if encoder is None:
        return ObservationWriter()
    found = find_encoder(encoder, kind)
    sections = found.sections(here.kernel.layout)
    encode = found.build(here.kernel, sections, here.jit, here.constants)
    believe = found.refine(here.kernel, sections, here.jit, here.constants) if found.refine else None
    return ObservationWriter(sections.size, encode, believe)


@lru_cache(maxsize=64)
def play_launch(rules: Rules, policy: str | None, encoder: str | None, kind: str, aligned: bool) -> Launch:
    """Turns by a policy or with given actions (or none at all), then an observation if an encoder is named.

    In aligned memory, bytes are written eight at a time.
    """
    here, layout = device(rules), device(rules).kernel.layout
    plain, kernel, turns = here.plain, here.kernel, here.turns
    cells, encode, believe = build_looking(here, encoder, kind)
    plan = plan_block(layout, cells, rules.maximum + 2)
    acts, given, chooses = policy is not None, policy == GIVEN, policy not in (None, GIVEN)
    observes, refines = encode is not None, believe is not None
    moving, renewing = build_moving(here, plan), build_renewing(here, plan)
    blueprint = find_policy(policy) if policy and chooses else RANDOM
    looks = blueprint.sees is not Sees.STATE
    bot = blueprint.policy(kernel, here.jit, here.constants)
    words, size, cards = max(bot.words, 1), layout.size, layout.cards
    spread: Any = build_spread(here, plan, cells, kind, aligned) if observes else None

    def launch(
        states: Any, seeds: Any, masks: Any, chosen: Any, rewards: Any, endings: Any, scored: Any, illegal: Any, tally: Any,
        out: Any, ends: Any, games: int, moves: int, seat: int, replaces: bool, at_the_end: bool, fine: float,
    ) -> None:  # fmt: skip
        shared_bytes, shared = cuda.shared.array(0, BYTE), cuda.shared.array(0, WORD)
        thread, block = cuda.threadIdx.x, cuda.blockIdx.x
        game = block * plan.threads + thread
        moving.bring(states, masks, shared, thread, block)
        state = plain(shared_bytes[thread * plan.stride : thread * plan.stride + layout.size])
        mask = plain(shared_bytes[plan.masks + thread * plan.actions : plan.masks + (thread + 1) * plan.actions])
        seed = plain(seeds[game * 2 : game * 2 + 2])
        if acts:
            for _ in range(moves):
                shared[plan.over] = 0
                cuda.syncthreads()
                if game < games:
                    action = chosen[game] + 0
                    if chooses:
                        if looks:
                            memory = plain(cuda.local.array(words, NUMBER))
                            sight = plain(cuda.local.array(size, BYTE))
                            kernel.see(state, state[SEAT], sight)
                            action = bot.choose(memory, sight, mask, turns.luck(state, seed))
                        else:
                            action = bot.choose(mask, state, mask, turns.luck(state, seed))
                    ended, score, earned, refused = turns.act(state, seed, mask, action, replaces)
                    renewing.note_end(shared, thread, state, ended, score)
                    if given:
                        endings[game] = ended
                        illegal[game] = refused
                        rewards[game] = turns.reward(ended, score, earned, refused, at_the_end, fine)
                        if ended != RUNNING:
                            scored[game] = score
                renewing.deal_next(shared, shared_bytes, seeds, thread, block, games)
                kernel.legal(state, mask)
        cuda.syncthreads()
        observer = (state[SEAT] if seat < 0 else seat) % layout.players
        if observes and game < games:
            encode(state, observer, plain(shared[plan.words + thread * plan.width : plan.words + (thread + 1) * plan.width]))
        cuda.syncthreads()
        if acts:
            moving.take_back(states, masks, tally, shared, thread, block)
        if observes:
            spread(plain(shared[plan.words : plan.words + plan.threads * plan.width]), out, ends, thread, block, games)
        if refines:
            cuda.syncthreads()
            if game < games:
                believe(state, observer, cuda.local.array(cards, BYTE), plain(out[game * cells : (game + 1) * cells]))

    return Launch(cuda.jit(launch), plan)
