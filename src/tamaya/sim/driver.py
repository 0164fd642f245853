"""The one game loop: policies at their seats, each shown what it may see, with a memory for the team or one for every seat.

Self-play, teams, rollouts, batches and the partners of a learner are this loop with other ends. Written in the dialect, so it
runs at every speed. Where policies of one kind share a memory, the seat that acts takes the notes for all; otherwise every
seat has a memory of its own and takes its own notes of every turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from tamaya.bots.policy import Blueprint, PolicyFunctions, Sees
from tamaya.engine.kernel import EVERYBODY, Jit, Kernel, Row
from tamaya.engine.layout import SEAT
from tamaya.sim.speeds import Speed
from tamaya.sim.turns import Turns

CHOOSE = -1
"""In place of an action: the policy's own choice."""
ABSENT = -1
"""In place of a policy at a seat: somebody else plays there, and gives the actions."""

Rows: TypeAlias = Sequence[Row]


class Players(NamedTuple):
    """The functions of several policies as one: the first argument says whose are meant."""

    kept: int
    words: int
    begin: Callable[[int, Row, Row], None]
    choose: Callable[[int, Row, Row, Row, int], int]
    notice: Callable[[int, Row, int, Row, Row], None]


def build_players(policies: Sequence[PolicyFunctions], paste: Jit) -> Players:
    """Those of the first policy, or of one of the rest."""
    first = policies[0]
    if len(policies) == 1:
        return _build_only(first, paste)
    rest = build_players(policies[1:], paste)
    begin_rest, choose_rest, notice_rest = rest.begin, rest.choose, rest.notice

    @paste
    def begin(who: int, memory: Row, sight: Row) -> None:
        if who == 0:
            first.begin(memory, sight)
        else:
            begin_rest(who - 1, memory, sight)

    @paste
    def choose(who: int, memory: Row, sight: Row, mask: Row, luck: int) -> int:
        if who == 0:
            return first.choose(memory, sight, mask, luck)
        return choose_rest(who - 1, memory, sight, mask, luck)

    @paste
    def notice(who: int, memory: Row, seat: int, before: Row, after: Row) -> None:
        if who == 0:
            first.notice(memory, seat, before, after)
        else:
            notice_rest(who - 1, memory, seat, before, after)

    return Players(max(first.kept, rest.kept), max(first.words, rest.words), begin, choose, notice)


def _build_only(policy: PolicyFunctions, paste: Jit) -> Players:
    """Those of one policy, who is always meant."""

    @paste
    def begin(who: int, memory: Row, sight: Row) -> None:
        policy.begin(memory, sight)

    @paste
    def choose(who: int, memory: Row, sight: Row, mask: Row, luck: int) -> int:
        return policy.choose(memory, sight, mask, luck)

    @paste
    def notice(who: int, memory: Row, seat: int, before: Row, after: Row) -> None:
        policy.notice(memory, seat, before, after)

    return Players(policy.kept, policy.words, begin, choose, notice)


class Driver(NamedTuple):
    """The functions that play. `seats` says which policy sits where; there is a memory, and a sight to look with, for each of
    the `memories`: the team's one, or one a seat."""

    memories: int
    kept: int
    words: int
    begin: Callable[[Row, Row, Rows, Rows], None]
    """State, seats, memories and sights: let everybody prepare for the game as it stands."""
    take_turn: Callable[[Row, Row, Row, Row, Rows, Rows, Row, int, bool], tuple[int, int, int, int]]
    """State, seed, mask of the legal actions, seats, memories, sights before, a sight after, an action or `CHOOSE`, and whether
    an illegal one is replaced: take a turn and let everybody take notes. Returns what `Turns.act` returns."""
    ask: Callable[[Row, Row, Row, Row, Rows, Rows], int]
    """State, seed, mask of the legal actions, seats, memories and sights: what the policy at the seat to move would do."""


def shares_memory(blueprints: Sequence[Blueprint], always: bool = True) -> bool:
    """Whether seats that are all played by these can have one memory; `always` says that they choose all actions."""
    return len(blueprints) == 1 and (blueprints[0].public or (always and blueprints[0].shared))


def build_driver(
    kernel: Kernel, turns: Turns, blueprints: Sequence[Blueprint], players: Players, speed: Speed, shared: bool
) -> Driver:
    """The functions that play."""
    begin_policy, choose, notice = players.begin, players.choose, players.notice
    memories = 1 if shared else kernel.layout.players
    all_see_state = all(blueprint.sees is Sees.STATE for blueprint in blueprints)
    sees_hands = sum(1 << who for who, blueprint in enumerate(blueprints) if blueprint.sees is not Sees.SEAT)

    @speed.jit
    def look(state: Row, seat: int, who: int, sight: Row) -> None:
        """What the policy at a seat may see."""
        kernel.see(state, EVERYBODY if who >= 0 and (sees_hands >> who) & 1 else seat, sight)

    @speed.paste
    def begin(state: Row, seats: Row, memory: Rows, sights: Rows) -> None:
        if all_see_state:
            return
        for place in range(memories):
            seat = state[SEAT] + 0 if shared else place
            if seats[seat] >= 0:
                look(state, seat, seats[seat], sights[place])
                begin_policy(seats[seat], memory[place], sights[place])

    @speed.paste
    def take_turn(
        state: Row, seed: Row, mask: Row, seats: Row, memory: Rows, befores: Rows, after: Row, action: int, replaces: bool
    ) -> tuple[int, int, int, int]:
        mover = state[SEAT] + 0
        if all_see_state:
            if action == CHOOSE:
                action = choose(seats[mover], state, state, mask, turns.luck(state, seed))
            return turns.act(state, seed, mask, action, replaces)
        for place in range(memories):
            seat = mover if shared else place
            if seats[seat] >= 0:
                look(state, seat, seats[seat], befores[place])
        if action == CHOOSE:
            place = 0 if shared else mover
            action = choose(seats[mover], memory[place], befores[place], mask, turns.luck(state, seed))
        ended, worth, earned, illegal = turns.act(state, seed, mask, action, replaces)
        for place in range(memories):
            seat = mover if shared else place
            if seats[seat] >= 0:
                look(state, seat, seats[seat], after)
                notice(seats[seat], memory[place], seat, befores[place], after)
        return ended, worth, earned, illegal

    @speed.paste
    def ask(state: Row, seed: Row, mask: Row, seats: Row, memory: Rows, sights: Rows) -> int:
        mover = state[SEAT] + 0
        if all_see_state:
            return choose(seats[mover], state, state, mask, turns.luck(state, seed))
        place = 0 if shared else mover
        look(state, mover, seats[mover], sights[place])
        return choose(seats[mover], memory[place], sights[place], mask, turns.luck(state, seed))

    return Driver(memories, players.kept, players.words, begin, take_turn, ask)
