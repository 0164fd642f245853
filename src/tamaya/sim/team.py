"""Teams of policies, at any speed: whole games from seeds, and games continued from any position.

The league measures bots with it, and it is all that a search needs: `start` and `advance` follow a real game, `rollout` plays
its possible continuations.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from tamaya.bots.registry import find_policy
from tamaya.engine.instances import Speed, instance_of
from tamaya.engine.layout import layout_of
from tamaya.rules import Rules
from tamaya.sim import loops, validation
from tamaya.sim.games import CHOOSE, TeamSetting
from tamaya.sim.loops import ASK, MAX_TURNS, START, Positions, Workspace
from tamaya.sim.speeds import speed
from tamaya.sim.threads import Array, seed_rows


class Results(NamedTuple):
    """For each game: its score, ending, turns, number of illegal choices, and, if recorded, a row of action numbers."""

    scores: Array
    endings: Array
    turns: Array
    illegal: Array
    actions: Array

    @classmethod
    def empty(cls, games: int, recorded: bool = False) -> Results:
        """Arrays for the results of this many games."""
        scores, endings, turns, illegal = (np.zeros(games, np.int64) for _ in range(4))
        actions = np.zeros((games, MAX_TURNS if recorded else 0), np.uint8)
        return cls(scores, endings, turns, illegal, actions)


def workspace(setting: TeamSetting) -> Workspace:
    """The arrays that a thread needs to play a team's games."""
    layout, memories = layout_of(setting.rules), setting.memory_count()
    return Workspace(
        np.zeros(layout.size, np.uint8),
        np.zeros(layout.actions, np.uint8),
        np.zeros(layout.players, np.int64),
        np.zeros((memories, max(setting.memory_size(), 1)), np.int64),
        np.zeros((memories, layout.size), np.uint8),
        np.zeros(layout.size, np.uint8),
    )


class Team:
    """Policies for one set of rules at one speed, in any order around the table."""

    def __init__(self, rules: Rules, names: Sequence[str], speed: Speed) -> None:
        self.rules, self.names, self._speed = rules, tuple(names), speed
        policies = tuple(find_policy(name) for name in self.names)
        for policy in policies:
            policy.check_rules(rules)
        self._whole = TeamSetting(rules, policies, self.names)
        self._parts = TeamSetting(rules, policies, self.names, whole_games=False)
        self.layout, self.saved_size = layout_of(rules), self._whole.saved_size()

    def _seats(self, lineup: Sequence[str]) -> Array:
        return np.array([self.names.index(name) for name in lineup], np.int64)

    # Whole games.

    def play(self, lineup: Sequence[str], seed: int, first: int, last: int, *, recorded: bool = False) -> Results:
        """Play these games of a seed. In game 0 the policies sit in this order; in each that follows they move up by one
        seat."""
        results, seeds = Results.empty(last - first, recorded), seed_rows(seed, np.arange(first, last))
        self._play(seeds, self._seats(lineup), workspace(self._whole), results, first % self.layout.players)
        return results

    @cached_property
    def _play(self) -> Any:
        return instance_of(self._whole, self._speed)(loops.play_team)

    # Games that continue from any position.

    @property
    def memories(self) -> int:
        """The number of memories in a game: one per seat, or one for all if they share it."""
        return self._parts.memory_count()

    @property
    def shares_memory(self) -> bool:
        """Whether all seats would write the same memory as long as each follows its policy."""
        return self._whole.shares_memory()

    def start(self, lineup: Sequence[str], states: Array, *, checked: bool = True) -> Array:
        """The memories of policies that join in these positions, by game, by memory. `checked` is off for trusted positions."""
        memories = np.zeros((len(states), self.memories, self.saved_size), np.int64)
        self._continue(lineup, states, memories, np.full(len(states), CHOOSE), START, checked=checked)
        return memories

    def advance(
        self, lineup: Sequence[str], states: Array, memories: Array, actions: Array, *, checked: bool = True
    ) -> Results:
        """Take the given actions, or the policies' own for `CHOOSE`; positions and memories are updated in place."""
        return self._continue(lineup, states, memories, actions, 1, checked=checked)

    def ask(
        self, lineup: Sequence[str], states: Array, memories: Array, memory_index: Array | None = None, *, checked: bool = True
    ) -> Array:
        """The policies' choices in these positions; nothing changes. Memories are as for `rollout`."""
        actions = np.full(len(states), CHOOSE)
        self._continue(lineup, states, memories, actions, ASK, memory_index=memory_index, checked=checked)
        return actions

    def rollout(
        self,
        lineup: Sequence[str],
        states: Array,
        memories: Array,
        actions: Array,
        *,
        seed: int = 0,
        memory_index: Array | None = None,
        checked: bool = True,
    ) -> Results:
        """Take the given actions, or the policies' own for `CHOOSE`, and play to the end with the policies.

        Positions and memories stay unchanged. `memory_index` says which memory belongs to each position, by default the only
        one or the one of the same index.
        """
        return self._continue(
            lineup, states.copy(), memories, actions, MAX_TURNS, seed=seed, memory_index=memory_index, checked=checked
        )

    def _continue(
        self,
        lineup: Sequence[str],
        states: Array,
        memories: Array,
        actions: Array,
        turns: int,
        *,
        seed: int = 0,
        memory_index: Array | None = None,
        checked: bool = True,
    ) -> Results:
        games = len(states)
        if checked:
            validation.positions(states, self.layout)
        if memories.ndim == 2:
            memories, memory_index = memories[np.newaxis], np.zeros(games, np.int64)
        index = np.arange(games) if memory_index is None else np.ascontiguousarray(memory_index, np.int64)
        validation.memories(memories, (games if memory_index is None else len(memories), self.memories, self.saved_size))
        results = Results.empty(games)
        positions = Positions(states, seed_rows(seed, np.arange(games)), memories, index, validation.actions(actions, games))
        self._loop(positions, self._room(lineup), results, turns)
        return results

    def _room(self, lineup: Sequence[str]) -> Workspace:
        return workspace(self._parts)._replace(seats=self._seats(lineup))

    @cached_property
    def _loop(self) -> Any:
        return instance_of(self._parts, self._speed)(loops.continue_games)

    # Readiness.

    @property
    def is_ready(self) -> bool:
        """Whether games can continue without compiling anything first."""
        return self._speed.is_ready(self._loop, self._no_games)

    def prepare(self) -> None:
        """Compile the loop that continues games, or load it from disk."""
        self._loop(*self._no_games)

    @property
    def _no_games(self) -> tuple[Any, ...]:
        numbers, states = np.zeros(0, np.int64), np.zeros((0, self.layout.size), np.uint8)
        memories = np.zeros((0, self.memories, self.saved_size), np.int64)
        positions = Positions(states, seed_rows(0, numbers), memories, numbers, numbers)
        return positions, self._room(self.names[:1] * self.layout.players), Results.empty(0), START


@lru_cache(maxsize=64)
def team(rules: Rules, names: tuple[str, ...], speed_name: str = "compiled") -> Team:
    """The team of these policies, created once."""
    return Team(rules, names, speed(speed_name))
