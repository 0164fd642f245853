"""Games that a policy plays with itself, at any speed: what the league measures bots with.

All seats have one memory: what a policy keeps follows from what all players know, so each seat would write down the same.
The seat that acts takes the notes, from what it alone sees.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from tamaya.bots.policies import CHEATS, find_policy
from tamaya.bots.policy import Policy, PolicyBuilder
from tamaya.engine.kernel import EVERYBODY, Kernel, build
from tamaya.engine.layout import ENDED, RUNNING, SEAT, TURN
from tamaya.rules import Rules
from tamaya.sim.arrays import Array, halves, seeds_of
from tamaya.sim.speeds import Speed, speed
from tamaya.sim.turns import build_turns


class Results(NamedTuple):
    """How games ended: score, ending and number of turns of each, and how often an illegal action was chosen."""

    scores: Array
    endings: Array
    turns: Array
    illegal: Array


class SelfPlay:
    """One policy at every seat, for one set of rules, at one speed."""

    def __init__(self, rules: Rules, name: str, builder: PolicyBuilder, made: Speed) -> None:
        kernel = build(rules, made.jit)
        self._policy = builder(kernel, made.call, made.table)
        self._plan = kernel.layout
        self._loop = made.loop(_build_loop(rules, kernel, self._policy, made, name in CHEATS), f"{rules} {name}")

    def play(self, seed: int, first: int, last: int) -> Results:
        """Play the games of a seed that have these numbers."""
        games, plan = last - first, self._plan
        states = [np.zeros(plan.size, np.uint8) for _ in range(3)]
        mask, memory = np.zeros(plan.actions, np.uint8), np.zeros(self._policy.words, np.int64)
        results = Results(*(np.zeros(games, np.int64) for _ in range(4)))
        self._loop(halves(seeds_of(seed, np.arange(first, last))), *states, mask, memory, *results, 0, games)
        return results


def _build_loop(rules: Rules, kernel: Kernel, policy: Policy, made: Speed, sees_all: bool) -> Any:
    see, deal, legal, act = kernel.see, kernel.deal, kernel.legal, build_turns(rules, kernel, made.jit).act
    begin, choose, notice = policy.begin, policy.choose, policy.notice

    def selfplay(
        seeds: Any, state: Any, before: Any, after: Any, mask: Any, memory: Any, scores: Any, endings: Any, taken: Any,
        illegal: Any, first: int, last: int,
    ) -> None:  # fmt: skip
        for game in range(first, last):
            seed = seeds[game]
            deal(state, seed[0], seed[1])
            begin(memory)
            while state[ENDED] == RUNNING:
                seat = state[SEAT] + 0
                eyes = EVERYBODY if sees_all else seat
                see(state, eyes, before)
                action = choose(memory, before)
                legal(state, mask)
                _ended, worth, _earned, refused = act(state, seed, mask, action, True)
                illegal[game] += refused
                see(state, eyes, after)
                notice(memory, seat, before, after)
                scores[game] = worth
            endings[game] = state[ENDED]
            taken[game] = state[TURN]

    return selfplay


@lru_cache(maxsize=64)
def self_play(rules: Rules, name: str, speed_name: str = "compiled") -> SelfPlay:
    """The games of the policy of that name, built once."""
    builder = find_policy(name)
    assert builder, name
    return SelfPlay(rules, name, builder, speed(speed_name))
