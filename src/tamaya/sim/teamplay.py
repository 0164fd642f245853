"""Games that different policies play together, at any speed.

Unlike in `tamaya.sim.selfplay`, each seat has a memory of its own and takes its own notes of every turn. Which policy sits
where is an argument: a loop that was compiled for some policies serves every team of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from tamaya.bots.policies import CHEATS, find_policy
from tamaya.bots.policy import Policy
from tamaya.engine.kernel import EVERYBODY, Jit, Kernel, build
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import ENDED, RUNNING, SEAT, TURN
from tamaya.rules import Rules
from tamaya.sim.arrays import halves, seeds_of
from tamaya.sim.selfplay import Results
from tamaya.sim.speeds import Speed, speed
from tamaya.sim.turns import build_turns


class TeamPlay:
    """Some policies for one set of rules at one speed, in any order around the table."""

    def __init__(self, rules: Rules, names: tuple[str, ...], made: Speed) -> None:
        kernel = build(rules, made.jit)
        builders = [builder for builder in map(find_policy, names) if builder]
        policies = [builder(kernel, made.call, made.table) for builder in builders]
        self._names, self._plan, self._words = names, kernel.layout, max(policy.words for policy in policies)
        opened = made.table([*(int(name in CHEATS) for name in names), 0])
        loop = _build_loop(rules, kernel, _build_company(policies, made.call), opened, made)
        self._loop = made.loop(loop, f"{rules} {'+'.join(names)}")

    def play(self, lineup: Sequence[str], seed: int, first: int, last: int) -> Results:
        """Play the games of a seed that have these numbers. In game 0 the policies sit in this order; in each game that
        follows, everybody has moved up by one seat."""
        games, plan, players = last - first, self._plan, self._plan.players
        who = np.array([self._names.index(name) for name in lineup], np.int64)
        state, mask = np.zeros(plan.size, np.uint8), np.zeros(plan.actions, np.uint8)
        befores, afters = (np.zeros((players, plan.size), np.uint8) for _ in range(2))
        memories = np.zeros((players, self._words), np.int64)
        results = Results(*(np.zeros(games, np.int64) for _ in range(4)))
        seeds = halves(seeds_of(seed, np.arange(first, last)))
        self._loop(seeds, state, befores, afters, mask, memories, who, *results, first % players, games)
        return results


def _build_company(policies: Sequence[Policy], jit: Jit) -> Parts:
    """The functions of several policies as one, which is told whose are meant: those of the first, or of one of the rest."""
    if len(policies) == 1:
        return _build_last(policies[0], jit)
    first, rest = policies[0], _build_company(policies[1:], jit)
    begin_first, choose_first, notice_first = first.begin, first.choose, first.notice
    begin_rest, choose_rest, notice_rest = rest.begin, rest.choose, rest.notice

    @jit
    def begin(who: int, memory: Any) -> None:
        if who == 0:
            begin_first(memory)
        else:
            begin_rest(who - 1, memory)

    @jit
    def choose(who: int, memory: Any, sight: Any) -> int:
        action: int = choose_first(memory, sight) if who == 0 else choose_rest(who - 1, memory, sight)
        return action

    @jit
    def notice(who: int, memory: Any, seat: int, before: Any, after: Any) -> None:
        if who == 0:
            notice_first(memory, seat, before, after)
        else:
            notice_rest(who - 1, memory, seat, before, after)

    return Parts(begin=begin, choose=choose, notice=notice)


def _build_last(policy: Policy, jit: Jit) -> Parts:
    """Where the recursion ends: one policy, whoever is meant."""
    begin_only, choose_only, notice_only = policy.begin, policy.choose, policy.notice

    @jit
    def begin(_who: int, memory: Any) -> None:
        begin_only(memory)

    @jit
    def choose(_who: int, memory: Any, sight: Any) -> int:
        action: int = choose_only(memory, sight)
        return action

    @jit
    def notice(_who: int, memory: Any, seat: int, before: Any, after: Any) -> None:
        notice_only(memory, seat, before, after)

    return Parts(begin=begin, choose=choose, notice=notice)


def _build_loop(rules: Rules, kernel: Kernel, company: Parts, opened: Any, made: Speed) -> Any:
    see, deal, legal, act = kernel.see, kernel.deal, kernel.legal, build_turns(rules, kernel, made.jit).act
    begin, choose, notice, players = company.begin, company.choose, company.notice, rules.players

    def teamplay(
        seeds: Any, state: Any, befores: Any, afters: Any, mask: Any, memories: Any, lineup: Any, scores: Any, endings: Any,
        taken: Any, illegal: Any, shift: int, games: int,
    ) -> None:  # fmt: skip
        for game in range(games):
            seed, turned = seeds[game], shift + game
            deal(state, seed[0], seed[1])
            for seat in range(players):
                begin(lineup[(seat + turned) % players], memories[seat])
            while state[ENDED] == RUNNING:
                for seat in range(players):
                    see(state, EVERYBODY if opened[lineup[(seat + turned) % players]] else seat, befores[seat])
                mover = state[SEAT] + 0
                action = choose(lineup[(mover + turned) % players], memories[mover], befores[mover])
                legal(state, mask)
                _ended, worth, _earned, refused = act(state, seed, mask, action, True)
                illegal[game] += refused
                scores[game] = worth
                for seat in range(players):
                    who = lineup[(seat + turned) % players]
                    see(state, EVERYBODY if opened[who] else seat, afters[seat])
                    notice(who, memories[seat], seat, befores[seat], afters[seat])
            endings[game] = state[ENDED]
            taken[game] = state[TURN]

    return teamplay


@lru_cache(maxsize=64)
def team_play(rules: Rules, names: tuple[str, ...], speed_name: str = "compiled") -> TeamPlay:
    """The games of these policies together, built once."""
    return TeamPlay(rules, names, speed(speed_name))
