"""Policies in the games of a batch: at every seat, or as partners of somebody who gives the actions of the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tamaya.bots.registry import find_blueprint
from tamaya.rules import IllegalError, MalformedError, say
from tamaya.rules.validation import checked_integer
from tamaya.sim.arrays import Array
from tamaya.sim.driver import ABSENT
from tamaya.sim.loops import Loops


class Partners:
    """Who sits where in every game of a batch, and what they keep in mind of each game."""

    def __init__(self, loops: Loops, seats: Mapping[int, str], games: int, threads: int) -> None:
        layout = loops.kernel.layout
        self.seats, names = dict(seats), tuple(dict.fromkeys(seats.values()))
        self._loops = loops.playing(names, alone=len(seats) == layout.players)
        driver = self._loops.driver
        who = [names.index(seats[seat]) if seat in seats else ABSENT for seat in range(layout.players)]
        self._who = np.array(who, np.int64)
        self.kept: Array = np.zeros((games, driver.memories, driver.kept), np.int64)
        self._memory = np.zeros((threads, driver.memories, max(driver.words, 1)), np.int64)
        self._sights = np.zeros((threads, driver.memories, layout.size), np.uint8)
        self._after = np.zeros((threads, layout.size), np.uint8)

    def begin(self, states: Array, first: int, last: int, thread: int) -> None:
        """Prepare for games as they stand, at their start or in their middle."""
        self._loops.begin(states, self.kept, self._memory[thread], self._sights[thread], self._who, first, last)

    def play(self, games: tuple[Array, ...], tally: Array, first: int, last: int, thread: int, *rest: Any) -> None:
        """Take turns in every game. `games` are the states, seeds and masks."""
        _refuse_faults(self._loops.play(*games, *self._room(thread), tally, first, last, *rest))

    def step(
        self, games: tuple[Array, ...], outcomes: tuple[Array, ...], first: int, last: int, thread: int, *rest: Any
    ) -> None:
        """Take the given actions, then move until it is somebody else's turn. `outcomes` are the actions, rewards and so on."""
        _refuse_faults(self._loops.step(*games, *self._room(thread), *outcomes, first, last, *rest))

    def _room(self, thread: int) -> tuple[Array, ...]:
        return self.kept, self._memory[thread], self._sights[thread], self._after[thread], self._who


def checked_partners(partners: object, players: int) -> dict[int, str]:
    """Policies by the numbers of their seats, with at least one seat left for whoever gives actions."""
    if partners is None:
        return {}
    if not isinstance(partners, Mapping):
        message = say("Partners are policies by their seats, such as {example}; this is {given}.",
                      example='{1: "hat"}', given=repr(partners)[:40])  # fmt: skip
        raise MalformedError("bad_partners", message)
    found = {checked_integer("seat", seat, 0, players - 1): str(name) for seat, name in partners.items()}
    for name in found.values():
        find_blueprint(name)
    if len(found) == players:
        raise MalformedError("bad_partners", say("There are partners on all {players} seats; leave one free.", players=players))
    return dict(sorted(found.items()))


def _refuse_faults(faults: int) -> None:
    """Complain of a policy that broke its promise; a legal action was taken in place of each illegal one."""
    if faults:
        raise IllegalError("illegal_choice", say("A policy chose illegal actions {faults}×.", faults=faults))
