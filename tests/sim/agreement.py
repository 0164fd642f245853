"""Whether the seats of a team would write down the same: what policies with shared memory promise.

Each seat has a memory of its own and takes notes from its own sights. After every turn the kept parts of all memories are
compared. Partners can be made to slip now and then: then seats need not agree, but a policy must go on all the same.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from tamaya.sim.turns import build_turns

from tamaya import Rules
from tamaya.bots import Blueprint
from tamaya.bots.random_play import build_lots
from tamaya.engine.kernel import build
from tamaya.engine.layout import ENDED, LAST_ACTION, RUNNING, TURN
from tamaya.sim.games import CHOOSE, build_driver, build_players
from tamaya.sim.speeds import Speed
from tamaya.sim.team import MOST_TURNS
from tamaya.sim.threads import Array, seed_rows

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

    def __init__(self, rules: Rules, name: str, blueprint: Blueprint, speed: Speed) -> None:
        self._kernel = build(rules, speed.jit)
        players = build_players([blueprint.policy(self._kernel, speed.call, speed.constants)], speed.paste)
        turns = build_turns(self._kernel, speed.jit)
        self._driver = build_driver(self._kernel, turns, [blueprint], players, speed, shared=False)
        self._loop = speed.loop(self._build_loop(speed), f"{rules} {name}")

    def play(self, seed: int, games: int, slips: int = NO_SLIPS) -> Agreed:
        """Play the first games of a seed and compare memories. One action in `slips` is any legal one, not the policy's."""
        layout, driver = self._kernel.layout, self._driver
        state, after, mask = (np.zeros(size, np.uint8) for size in (layout.size, layout.size, layout.actions))
        befores = np.zeros((layout.players, layout.size), np.uint8)
        memories = np.zeros((layout.players, max(driver.words, 1)), np.int64)
        actions, seats = np.zeros((games, MOST_TURNS), np.uint8), np.zeros(layout.players, np.int64)
        agreed = Agreed(*(np.zeros(games, np.int64) for _ in Agreed._fields))._replace(actions=actions)
        seeds = seed_rows(seed, np.arange(games))
        self._loop(seeds, seats, state, befores, after, mask, memories, *agreed, games, slips)
        return agreed

    def _build_loop(self, speed: Speed) -> Any:
        kernel, driver, lots = self._kernel, self._driver, build_lots(self._kernel, speed.jit)
        players, kept = kernel.layout.players, driver.kept
        begin, take_turn = driver.begin, driver.take_turn

        @speed.jit
        def differ(memories: Any) -> bool:
            for seat in range(1, players):
                for word in range(kept):
                    if memories[seat][word] != memories[0][word]:
                        return True
            return False

        def agreement(
            seeds: Any, seats: Any, state: Any, befores: Any, after: Any, mask: Any, memories: Any, scores: Any, endings: Any,
            taken: Any, illegal: Any, differing: Any, actions: Any, games: int, slips: int,
        ) -> None:  # fmt: skip
            for game in range(games):
                seed = seeds[game]
                kernel.deal(state, seed[0], seed[1])
                begin(state, seats, memories, befores)
                while state[ENDED] == RUNNING:
                    turn = state[TURN] + 0
                    action = CHOOSE
                    kernel.legal(state, mask)
                    luck = lots.luck(~turn & 0xFF, seed[0] + 0, seed[1] + 0)
                    if slips > 0 and (luck * slips) >> 32 == 0:
                        action = lots.pick(mask, lots.luck(turn, seed[0] + 0, seed[1] + 0))
                    _ended, scores[game], _earned, refused = take_turn(
                        state, seed, mask, seats, memories, befores, after, action, True
                    )
                    illegal[game] += refused
                    actions[game][turn] = state[LAST_ACTION]
                    differing[game] += differ(memories)
                endings[game] = state[ENDED]
                taken[game] = state[TURN]

        return agreement
