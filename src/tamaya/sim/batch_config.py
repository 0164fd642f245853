"""The options of a batch, and the policies at some of its seats, checked once for all kinds of batches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from tamaya.bots.encoding import Sections, find_encoder
from tamaya.bots.random_play import RANDOM
from tamaya.bots.registry import find_policy
from tamaya.engine.instances import Speed, instance_of
from tamaya.engine.layout import Layout, layout_of
from tamaya.rules import IllegalError, MalformedError, Rules, say
from tamaya.rules.errors import checked_integer
from tamaya.sim import loops, validation
from tamaya.sim.games import EXTERNAL, TeamSetting
from tamaya.sim.loops import GameRows, StepOptions, Steps
from tamaya.sim.team import workspace
from tamaya.sim.threads import Array

REWARDS = ("difference", "final")
ILLEGAL = ("raise", "mask", "penalise")
MAX_GAMES = (1 << 31) - 1
MAX_TURNS = 1 << 40
MOVER = -1
"""Instead of a seat: the one to move in each game."""


@dataclass(frozen=True)
class BatchConfig:
    """The options of a batch."""

    rules: Rules
    games: int
    rewards: str
    illegal: str
    penalty: float
    automatic: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "games", checked_integer("games", self.games, 1, MAX_GAMES))
        object.__setattr__(self, "penalty", validation.number("penalty", self.penalty))
        object.__setattr__(self, "automatic", bool(self.automatic))
        validation.one_of("rewards", self.rewards, REWARDS)
        validation.one_of("illegal", self.illegal, ILLEGAL)

    @cached_property
    def layout(self) -> Layout:
        """The layout of a game's state."""
        return layout_of(self.rules)

    def as_arguments(self) -> dict[str, Any]:
        """The options as keyword arguments for another batch."""
        return {choice.name: getattr(self, choice.name) for choice in fields(self)}

    def step_options(self, acts: bool = True) -> StepOptions:
        """How the loops handle a step."""
        penalty = self.penalty if self.illegal == "penalise" else 0.0
        return StepOptions(acts, self.automatic, self.illegal == "mask", self.rewards == "final", penalty)

    def sections(self, encoder: str) -> Sections:
        """The named sections of an observation under these rules."""
        return find_encoder(encoder).sections(self.layout)

    def seat(self, seat: int | None) -> int:
        """A checked seat number; `MOVER` for None."""
        return MOVER if seat is None else checked_integer("seat", seat, 0, self.rules.players - 1)


class BatchPlayers:
    """The policies at some seats of a batch, or at none, and their memories of each game."""

    def __init__(self, rules: Rules, speed: Speed, seats: Mapping[int, str], games: int, threads: int) -> None:
        self.seats, names = dict(seats), tuple(dict.fromkeys(seats.values()))
        policies = tuple(find_policy(name) for name in names)
        for policy in policies:
            policy.check_rules(rules)
        # A team needs a policy to compile even if the caller gives every action; it never moves then.
        setting = TeamSetting(rules, policies or (RANDOM,), names, with_others=len(seats) < rules.players)
        lineup = [names.index(seats[seat]) if seat in seats else EXTERNAL for seat in range(rules.players)]
        self.saved_memories: Array = np.zeros((games, setting.memory_count(), setting.saved_size()), np.int64)
        self._instance = instance_of(setting, speed)
        self._rooms = [workspace(setting)._replace(seats=np.array(lineup, np.int64)) for _ in range(threads)]

    def start(self, games: GameRows, first: int, last: int, thread: int) -> None:
        """Prepare for the games in their present positions."""
        self._instance(loops.start_games)(games, self._rooms[thread], first, last)

    def play(self, games: GameRows, counts: Array, first: int, last: int, thread: int, *rest: int) -> None:
        """Take turns in every game; `rest` is the number of games in the batch and the number of turns."""
        refuse_illegal_choices(self._instance(loops.play_games)(games, self._rooms[thread], counts, first, last, *rest))

    def step(self, games: GameRows, steps: Steps, options: StepOptions, *part: int) -> None:
        """Take the given actions, then play until it is the caller's turn. `part`: first game, last game, thread, batch
        size."""
        first, last, thread, batch = part
        refuse_illegal_choices(self._instance(loops.step_games)(games, steps, self._rooms[thread], options, first, last, batch))


def checked_partners(partners: object, players: int) -> dict[int, str]:
    """Policies by seat number, with at least one seat left to the caller."""
    if partners is None:
        return {}
    if not isinstance(partners, Mapping):
        message = say("Partners are policies by their seats, such as {example}; this is {given}.",
                      example='{1: "hat"}', given=repr(partners)[:40])  # fmt: skip
        raise MalformedError("bad_partners", message)
    found = {checked_integer("seat", seat, 0, players - 1): str(name) for seat, name in partners.items()}
    for name in found.values():
        find_policy(name)
    if len(found) == players:
        raise MalformedError("bad_partners", say("There are partners on all {players} seats; leave one free.", players=players))
    return dict(sorted(found.items()))


def refuse_illegal_choices(faults: int) -> None:
    """Raise for a policy that chose illegal actions; legal ones were taken in their place."""
    if faults:
        raise IllegalError("illegal_choice", say("A policy chose illegal actions {faults}×.", faults=faults))
