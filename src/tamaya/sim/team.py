"""Policies that play together, at any speed: whole games from seeds, and games that go on from any position.

This is what the league measures bots with, and all that a search needs: `begin` and `advance` follow a real game, `rollout`
plays what could come of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from tamaya.bots.registry import find_blueprint
from tamaya.engine.kernel import build
from tamaya.engine.layout import ENDED, LAST_ACTION, RUNNING, TURN, Layout
from tamaya.rules import Rules
from tamaya.sim import checks
from tamaya.sim.arrays import Array, seed_rows
from tamaya.sim.driver import CHOOSE, Driver, build_driver, build_players, shares_memory
from tamaya.sim.speeds import Speed, speed
from tamaya.sim.turns import build_turns

MOST_TURNS = 256
"""More than any game has: turns are counted in a byte."""

_BEGIN, _ASK = 0, -1
"""In place of a number of turns: prepare for the game, or say what would be done."""


class Results(NamedTuple):
    """Of each game: its score, ending and number of turns, how often an illegal action was chosen, and, if they were asked for,
    the actions by their numbers, a row a game."""

    scores: Array
    endings: Array
    turns: Array
    illegal: Array
    actions: Array

    @classmethod
    def empty(cls, games: int, recorded: bool = False) -> Results:
        """Room for the results of so many games."""
        scores, endings, turns, illegal = (np.zeros(games, np.int64) for _ in range(4))
        actions = np.zeros((games, MOST_TURNS if recorded else 0), np.uint8)
        return cls(scores, endings, turns, illegal, actions)


class Team:
    """Some policies for one set of rules at one speed, in any order around the table."""

    def __init__(self, rules: Rules, names: Sequence[str], speed: Speed) -> None:
        self.rules, self.names, self._speed = rules, tuple(names), speed
        self._blueprints = [find_blueprint(name) for name in self.names]
        self.kernel = build(rules, speed.jit)
        self.turns = build_turns(self.kernel, speed.jit)
        policies = [blueprint.policy(self.kernel, speed.call, speed.constants) for blueprint in self._blueprints]
        self._players = build_players(policies, speed.paste)
        self.layout, self.kept = self.kernel.layout, self._players.kept

    def _driver(self, shared: bool) -> Driver:
        return build_driver(self.kernel, self.turns, self._blueprints, self._players, self._speed, shared)

    def _seats(self, lineup: Sequence[str]) -> Array:
        return np.array([self.names.index(name) for name in lineup], np.int64)

    # Whole games.

    def play(self, lineup: Sequence[str], seed: int, first: int, last: int, *, recorded: bool = False) -> Results:
        """Play the games of a seed that have these numbers. In game 0 the policies sit in this order; in each game after it,
        everybody has moved up by one seat."""
        driver, loop = self._play
        seats, results = self._seats(lineup), Results.empty(last - first, recorded)
        seeds, state = seed_rows(seed, np.arange(first, last)), np.zeros(self.layout.size, np.uint8)
        shift = first % self.layout.players
        loop(seeds, seats, seats.copy(), state, *_room(driver, self.layout), *results, shift, last - first, recorded)
        return results

    @cached_property
    def _play(self) -> tuple[Driver, Any]:
        driver = self._driver(shares_memory(self._blueprints))
        kernel, players, begin, take_turn = self.kernel, self.layout.players, driver.begin, driver.take_turn

        def play_team(
            seeds: Any, lineup: Any, seats: Any, state: Any, mask: Any, memories: Any, befores: Any, after: Any, scores: Any,
            endings: Any, taken: Any, illegal: Any, actions: Any, shift: int, games: int, recorded: bool,
        ) -> None:  # fmt: skip
            for game in range(games):
                seed = seeds[game]
                for seat in range(players):
                    seats[seat] = lineup[(seat + shift + game) % players]
                kernel.deal(state, seed[0], seed[1])
                begin(state, seats, memories, befores)
                while state[ENDED] == RUNNING:
                    kernel.legal(state, mask)
                    _ended, worth, _earned, refused = take_turn(
                        state, seed, mask, seats, memories, befores, after, CHOOSE, True
                    )
                    illegal[game] += refused
                    scores[game] = worth
                    if recorded:
                        actions[game][state[TURN] - 1] = state[LAST_ACTION]
                endings[game] = state[ENDED]
                taken[game] = state[TURN]

        return driver, self._speed.loop(play_team, f"{self.rules} {'+'.join(self.names)}")

    # Games that go on from any position.

    @property
    def memories(self) -> int:
        """How many memories go on in a game: one a seat, or one for all where the policy's memory is public."""
        return self._going_on[0].memories

    @property
    def shares_memory(self) -> bool:
        """Whether all seats would write down the same as long as each of them does what its policy does."""
        return shares_memory(self._blueprints)

    def begin(self, lineup: Sequence[str], states: Array, *, checked: bool = True) -> Array:
        """What everybody has in mind when put into these positions, a row of bytes each: by game, by memory, the numbers that
        a policy keeps. Positions are checked here and below, unless whoever made them vouches for them."""
        memories = np.zeros((len(states), self.memories, self.kept), np.int64)
        self._go_on(lineup, states, memories, np.full(len(states), CHOOSE), _BEGIN, checked=checked)
        return memories

    def advance(
        self, lineup: Sequence[str], states: Array, memories: Array, actions: Array, *, checked: bool = True
    ) -> Results:
        """Take the given actions, or where they are `CHOOSE` the policies' own, in positions and memories that change."""
        return self._go_on(lineup, states, memories, actions, 1, checked=checked)

    def ask(
        self, lineup: Sequence[str], states: Array, memories: Array, whose: Array | None = None, *, checked: bool = True
    ) -> Array:
        """What the policies would do in these positions; nothing changes. Memories are as `rollout` wants them."""
        actions = np.full(len(states), CHOOSE)
        self._go_on(lineup, states, memories, actions, _ASK, whose=whose, checked=checked)
        return actions

    def rollout(
        self,
        lineup: Sequence[str],
        states: Array,
        memories: Array,
        actions: Array,
        seed: int = 0,
        whose: Array | None = None,
        *,
        checked: bool = True,
    ) -> Results:
        """Take the given actions, or where they are `CHOOSE` the policies' own, and let the policies play on to the end.

        Positions and memories stay as they are. One memory will do for all positions; where there are several, `whose` says
        which goes with each position, if not the one at the same place.
        """
        return self._go_on(lineup, states.copy(), memories, actions, MOST_TURNS, seed, whose, checked)

    def _go_on(
        self,
        lineup: Sequence[str],
        states: Array,
        memories: Array,
        actions: Array,
        turns: int,
        seed: int = 0,
        whose: Array | None = None,
        checked: bool = True,
    ) -> Results:
        (driver, loop), games = self._going_on, len(states)
        if checked:
            checks.positions(states, self.layout)
        if memories.ndim == 2:
            memories, whose = memories[np.newaxis], np.zeros(games, np.int64)
        places = np.arange(games) if whose is None else np.ascontiguousarray(whose, np.int64)
        checks.memories(memories, (games if whose is None else len(memories), driver.memories, self.kept))
        chosen = checks.actions(actions, games)
        results, seeds = Results.empty(games), seed_rows(seed, np.arange(games))
        room = _room(driver, self.layout)
        loop(states, memories, places, chosen, seeds, self._seats(lineup), *room, *results[:4], turns)
        return results

    # Readiness.

    @property
    def is_ready(self) -> bool:
        """Whether games can go on without anything being compiled first."""
        return self._speed.is_ready(self._going_on[1], self._no_games)

    def prepare(self) -> None:
        """Make ready what lets games go on: compile it, or find it on disk."""
        self._going_on[1](*self._no_games)

    @property
    def _no_games(self) -> tuple[Any, ...]:
        """What the loop is called with where there is nothing to play."""
        driver, numbers = self._going_on[0], np.zeros(0, np.int64)
        states, memories = np.zeros((0, self.layout.size), np.uint8), np.zeros((0, driver.memories, self.kept), np.int64)
        seats, room = self._seats(self.names[:1] * self.layout.players), _room(driver, self.layout)
        return states, memories, numbers, numbers, seed_rows(0, numbers), seats, *room, *Results.empty(0)[:4], _BEGIN

    @cached_property
    def _going_on(self) -> tuple[Driver, Any]:
        shared = shares_memory(self._blueprints, always=False)
        driver, kernel, kept = self._driver(shared), self.kernel, self.kept
        begin, take_turn, ask = driver.begin, driver.take_turn, driver.ask

        def go_on(
            states: Any, kept_memories: Any, whose: Any, chosen: Any, seeds: Any, seats: Any, mask: Any, memories: Any,
            befores: Any, after: Any, scores: Any, endings: Any, taken: Any, illegal: Any, turns: int,
        ) -> None:  # fmt: skip
            for game in range(len(states)):
                state, action, left, own = states[game], chosen[game], turns, whose[game]
                for place in range(driver.memories):
                    for word in range(kept):
                        memories[place][word] = kept_memories[own][place][word]
                if turns == _BEGIN:
                    begin(state, seats, memories, befores)
                if turns == _ASK:
                    kernel.legal(state, mask)
                    chosen[game] = ask(state, seeds[game], mask, seats, memories, befores)
                while state[ENDED] == RUNNING and left > 0:
                    kernel.legal(state, mask)
                    _ended, _worth, _earned, refused = take_turn(
                        state, seeds[game], mask, seats, memories, befores, after, action, True
                    )
                    illegal[game] += refused
                    action = CHOOSE
                    left -= 1
                if turns == _BEGIN or turns == 1:
                    for place in range(driver.memories):
                        for word in range(kept):
                            kept_memories[own][place][word] = memories[place][word]
                scores[game] = kernel.score(state)
                endings[game] = state[ENDED]
                taken[game] = state[TURN]

        return driver, self._speed.loop(go_on, f"{self.rules} {'+'.join(self.names)}")


def _room(driver: Driver, layout: Layout) -> tuple[Array, ...]:
    """What a loop works with: a mask, memories, sights before and a sight after."""
    memories = np.zeros((driver.memories, max(driver.words, 1)), np.int64)
    befores = np.zeros((driver.memories, layout.size), np.uint8)
    return np.zeros(layout.actions, np.uint8), memories, befores, np.zeros(layout.size, np.uint8)


@lru_cache(maxsize=64)
def team(rules: Rules, names: tuple[str, ...], speed_name: str = "compiled") -> Team:
    """The team of these policies, built once."""
    return Team(rules, names, speed(speed_name))
