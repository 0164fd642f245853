"""Loops in which policies play the games of a batch: at every seat, or beside somebody who gives the actions of the others."""

from __future__ import annotations

from typing import Any, NamedTuple

from tamaya.bots.policy import Sees
from tamaya.bots.registry import find_blueprint
from tamaya.engine.kernel import Kernel
from tamaya.engine.kernel.ending import LOST
from tamaya.engine.layout import ENDED, LAST_ACTION, RUNNING, SEAT
from tamaya.rules import Rules
from tamaya.sim.driver import CHOOSE, Driver, build_driver, build_players, shares_memory
from tamaya.sim.speeds import Loop, Speed
from tamaya.sim.turns import Turns


class Playing(NamedTuple):
    """The loops of some policies, and the driver that says how much memory they need."""

    driver: Driver
    begin: Loop
    """Let everybody prepare for every game as it stands."""
    play: Loop
    """Let the policies take so many turns in every game, new games following on old ones; count how games ended."""
    step: Loop
    """Take the given action in every game, then let the policies move until it is again the turn of somebody else."""


def build_playing(rules: Rules, kernel: Kernel, turns: Turns, speed: Speed, names: tuple[str, ...], alone: bool) -> Playing:
    """The loops of the policies of these names, which play `alone` or not."""
    blueprints = [find_blueprint(name) for name in names]
    # Policies that look at the state itself are a few lines, and become part of the loop.
    jit = speed.jit if all(blueprint.sees is Sees.STATE for blueprint in blueprints) else speed.call
    players = build_players([blueprint.policy(kernel, jit, speed.constants) for blueprint in blueprints], speed.paste)
    driver = build_driver(kernel, turns, blueprints, players, speed, alone and shares_memory(blueprints))
    copy_kept, key = _build_copy(driver, speed), f"{rules} {'+'.join(names)}"
    return Playing(
        driver,
        speed.loop(_build_begin(driver, copy_kept), key),
        speed.loop(_build_play(kernel, turns, driver, copy_kept), key),
        speed.loop(_build_step(kernel, turns, driver, copy_kept), key),
    )


def _build_copy(driver: Driver, speed: Speed) -> Loop:
    @speed.jit
    def copy_kept(source: Any, target: Any) -> None:
        for place in range(driver.memories):
            for word in range(driver.kept):
                target[place][word] = source[place][word]

    return copy_kept


def _build_begin(driver: Driver, copy_kept: Loop) -> Loop:
    begin = driver.begin

    def begin_games(states: Any, kept_memories: Any, memory: Any, sights: Any, seats: Any, first: int, last: int) -> None:
        for game in range(first, last):
            begin(states[game], seats, memory, sights)
            copy_kept(memory, kept_memories[game])

    return begin_games


def _build_play(kernel: Kernel, turns: Turns, driver: Driver, copy_kept: Loop) -> Loop:
    begin, take_turn, lost = driver.begin, driver.take_turn, kernel.layout.maximum + 1

    def play_games(
        states: Any, seeds: Any, masks: Any, kept_memories: Any, memory: Any, sights: Any, after: Any, seats: Any,
        tally: Any, first: int, last: int, games: int, turns_left: int,
    ) -> int:  # fmt: skip
        faults = 0
        for game in range(first, last):
            state, seed, mask = states[game], seeds[game], masks[game]
            copy_kept(kept_memories[game], memory)
            for _ in range(turns_left):
                ended, score, _earned, refused = take_turn(state, seed, mask, seats, memory, sights, after, CHOOSE, True)
                faults += refused
                if ended != RUNNING:
                    tally[score] += 1
                    if ended >= LOST:
                        tally[lost] += 1
                if state[ENDED] != RUNNING:
                    turns.renew(state, seed, games)
                    begin(state, seats, memory, sights)
                kernel.legal(state, mask)
            copy_kept(memory, kept_memories[game])
        return faults

    return play_games


def _build_step(kernel: Kernel, turns: Turns, driver: Driver, copy_kept: Loop) -> Loop:
    begin, take_turn = driver.begin, driver.take_turn

    def step_with_partners(
        states: Any, seeds: Any, masks: Any, kept_memories: Any, memory: Any, sights: Any, after: Any, seats: Any,
        chosen: Any, rewards: Any, endings: Any, scores: Any, illegal: Any, first: int, last: int, games: int,
        acts: bool, goes_on: bool, replaces: bool, at_the_end: bool, fine: float,
    ) -> int:  # fmt: skip
        faults = 0
        for game in range(first, last):
            state, seed, mask = states[game], seeds[game], masks[game]
            copy_kept(kept_memories[game], memory)
            ended, score, earned, refused = 0, 0, 0, 0
            if acts:
                ended, score, earned, refused = take_turn(
                    state, seed, mask, seats, memory, sights, after, chosen[game] + 0, replaces
                )
                chosen[game] = state[LAST_ACTION]
            while True:
                while state[ENDED] == RUNNING and seats[state[SEAT]] >= 0:
                    kernel.legal(state, mask)
                    an_end, worth, gain, fault = take_turn(state, seed, mask, seats, memory, sights, after, CHOOSE, True)
                    faults += fault
                    if acts and ended == RUNNING:
                        ended, score, earned = an_end, worth, earned + gain
                if state[ENDED] == RUNNING or not goes_on:
                    break
                turns.renew(state, seed, games)
                begin(state, seats, memory, sights)
            kernel.legal(state, mask)
            copy_kept(memory, kept_memories[game])
            if acts:
                endings[game] = ended
                illegal[game] = refused
                if ended != RUNNING:
                    scores[game] = score
                rewards[game] = turns.reward(ended, score, earned, refused, at_the_end, fine)
        return faults

    return step_with_partners
