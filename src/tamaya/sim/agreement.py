"""Whether the seats of a team would write down the same: what policies promise, and what playing with one memory rests on.

Each seat has a memory of its own and takes notes from its own sights. After every turn the kept parts of all memories are
compared. Partners can be made to slip now and then: then seats need not agree, but a policy must go on all the same.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tamaya.bots.policy import Policy, PolicyBuilder
from tamaya.engine.kernel import Kernel, build
from tamaya.engine.layout import ENDED, RUNNING, SEAT, TURN
from tamaya.rules import Rules
from tamaya.sim.arrays import Array, halves, seeds_of
from tamaya.sim.choices import build_chance, build_pick
from tamaya.sim.speeds import Speed
from tamaya.sim.turns import build_turns

MOST_TURNS = 256
NO_SLIPS = 0


class Agreed(NamedTuple):
    """Of each game: score, ending, number of turns, how often a choice was illegal, on how many turns memories differed, and
    the actions by their numbers, one row a game."""

    scores: Array
    endings: Array
    turns: Array
    illegal: Array
    differing: Array
    actions: Array


class Agreement:
    """A team of one policy, every seat with a memory of its own."""

    def __init__(self, rules: Rules, name: str, builder: PolicyBuilder, made: Speed) -> None:
        kernel = build(rules, made.jit)
        self._policy = builder(kernel, made.call, made.table)
        self._plan = kernel.layout
        self._loop = made.loop(_build_loop(rules, kernel, self._policy, made), f"{rules} {name}")

    def play(self, seed: int, games: int, kept: int, slips: int = NO_SLIPS) -> Agreed:
        """Play the first games of a seed and compare so many numbers of the memories, from the first. One action in `slips`
        is any legal one instead of the policy's."""
        plan = self._plan
        state, after, mask = (np.zeros(size, np.uint8) for size in (plan.size, plan.size, plan.actions))
        befores = np.zeros((plan.players, plan.size), np.uint8)
        memories = np.zeros((plan.players, self._policy.words), np.int64)
        actions = np.zeros((games, MOST_TURNS), np.uint8)
        agreed = Agreed(*(np.zeros(games, np.int64) for _ in Agreed._fields))._replace(actions=actions)
        seeds = halves(seeds_of(seed, np.arange(games)))
        self._loop(seeds, state, befores, after, mask, memories, *agreed, games, kept, slips)
        return agreed


def _build_loop(rules: Rules, kernel: Kernel, policy: Policy, made: Speed) -> Any:
    see, deal, legal, act = kernel.see, kernel.deal, kernel.legal, build_turns(rules, kernel, made.jit).act
    begin, choose, notice = policy.begin, policy.choose, policy.notice
    players, pick, below = rules.players, build_pick(kernel, made.jit).pick, build_chance(made.jit).below

    @made.jit
    def differ(memories: Any, kept: int) -> bool:
        for seat in range(1, players):
            for word in range(kept):
                if memories[seat][word] != memories[0][word]:
                    return True
        return False

    def agreement(
        seeds: Any, state: Any, befores: Any, after: Any, mask: Any, memories: Any, scores: Any, endings: Any, taken: Any,
        illegal: Any, differing: Any, actions: Any, games: int, kept: int, slips: int,
    ) -> None:  # fmt: skip
        for game in range(games):
            seed = seeds[game]
            deal(state, seed[0], seed[1])
            for seat in range(players):
                begin(memories[seat])
            while state[ENDED] == RUNNING:
                for seat in range(players):
                    see(state, seat, befores[seat])
                mover, turn = state[SEAT] + 0, state[TURN] + 0
                action = choose(memories[mover], befores[mover])
                legal(state, mask)
                illegal[game] += not mask[action]
                if slips > 0 and below(slips, ~turn & 0xFF, seed[0] + 0, seed[1] + 0) == 0:
                    action = pick(state, mask, seed[0] + 0, seed[1] + 0)
                _ended, scores[game], _earned, _refused = act(state, seed, mask, action, True)
                actions[game][turn] = action
                for seat in range(players):
                    see(state, seat, after)
                    notice(memories[seat], seat, befores[seat], after)
                differing[game] += differ(memories, kept)
            endings[game] = state[ENDED]
            taken[game] = state[TURN]

    return agreement
