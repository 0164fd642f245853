"""One game in play: policies at their seats, each shown what it may see, with one memory for the team or one for each seat.

Everything that plays games is `take_turn` with different starts and ends (`tamaya.sim.loops`). If all policies are of one kind
that shares its memory, the acting seat updates it for all; otherwise each seat has its own memory and updates it after every
turn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from tamaya.bots import random_play
from tamaya.bots.policy import Policy, Visibility, nothing_to_start, nothing_to_update
from tamaya.engine.instances import Fields, Options, Row, Rows, Setting, Stack, one_of, paste, per_setting
from tamaya.engine.kernel.deal import WORD, deal
from tamaya.engine.kernel.ending import points, score
from tamaya.engine.kernel.hands import EVERYBODY, see
from tamaya.engine.kernel.turn import apply
from tamaya.engine.layout import ENDED, RUNNING, SEAT, TURN, layout

OPTIONS = Options("inline")
CHOOSE = -1
"""Instead of an action: the policy's own choice."""
EXTERNAL = -1
"""Instead of a policy at a seat: the caller gives its actions."""


@dataclass(frozen=True)
class TeamSetting(Setting):
    """Policies for given rules, in any order. With `whole_games` they play each game from its deal; `with_others`, the caller
    plays some seats."""

    policies: tuple[Policy[Any], ...]
    names: tuple[str, ...] = ()
    whole_games: bool = True
    with_others: bool = False

    def __str__(self) -> str:
        return f"{self.rules} {'+'.join(self.names)}".rstrip()

    def shares_memory(self) -> bool:
        """Whether the seats share one memory."""
        first = self.policies[0]
        alike = len(self.policies) == 1 and not self.with_others
        return alike and (first.public_memory or (self.whole_games and first.team_memory))

    def memory_count(self) -> int:
        """The number of memories: one for the team, or one for each seat."""
        return 1 if self.shares_memory() else self.rules.players

    def saved_size(self) -> int:
        """How many numbers of each memory are kept from turn to turn."""
        return max(policy.saved_size(self.rules) for policy in self.policies)

    def memory_size(self) -> int:
        """The size of each memory, in numbers."""
        return max(policy.size(self.rules) for policy in self.policies)

    def sees_state(self) -> bool:
        """Whether all policies look only at the game's own state."""
        return all(policy.visibility is Visibility.FULL_STATE for policy in self.policies)

    def sees_hands(self) -> int:
        """The policies that see all hands, as a set."""
        return sum(1 << at for at, policy in enumerate(self.policies) if policy.visibility is not Visibility.OWN_VIEW)

    def remembers(self) -> bool:
        """Whether any policy learns from the others' actions."""
        return any(policy.update is not nothing_to_update for policy in self.policies)

    def starts(self) -> bool:
        """Whether any policy prepares for a game."""
        return any(policy.start is not nothing_to_start for policy in self.policies)

    def start(self) -> Callable[[int, Row, Row], None]:
        """The policies' `start`, by the number of the policy."""
        return one_of((policy.start for policy in self.policies), self._settings(), self._fields())

    def choose(self) -> Callable[[int, Row, Row, Row, int], int]:
        """The policies' `choose`, likewise."""
        return one_of((policy.choose for policy in self.policies), self._settings(), self._fields())

    def update(self) -> Callable[[int, Row, int, Row, Row], None]:
        """The policies' `update`, likewise."""
        return one_of((policy.update for policy in self.policies), self._settings(), self._fields())

    def _settings(self) -> list[Setting]:
        return [policy.setting(self.rules) for policy in self.policies]

    def _fields(self) -> list[Fields | None]:
        return [policy.fields(self.rules) for policy in self.policies]


shares_memory: bool = per_setting(TeamSetting.shares_memory)
memory_count: int = per_setting(TeamSetting.memory_count)
saved_size: int = per_setting(TeamSetting.saved_size)
sees_state: bool = per_setting(TeamSetting.sees_state)
sees_hands: int = per_setting(TeamSetting.sees_hands)
remembers: bool = per_setting(TeamSetting.remembers)
starts: bool = per_setting(TeamSetting.starts)
start_policy = per_setting(TeamSetting.start)
choose = per_setting(TeamSetting.choose)
update = per_setting(TeamSetting.update)


class GameArrays(NamedTuple):
    """One game in play, as views of rows, and scratch."""

    state: Row
    seed: Row
    mask: Row
    """The legal actions."""
    seats: Stack[int]
    """The number of the policy at each seat."""
    memories: Rows
    sights: Rows
    """What each seat, or only the one to move, saw before the turn."""
    after: Row
    """What a seat sees after it."""


class Turn(NamedTuple):
    """The result of a turn."""

    ended: int
    """How the game ended, or 0."""
    score: int
    reward: int
    """The points that the turn made or lost."""
    illegal: int
    """1 for an illegal action."""


# One turn.


def random_bits(state: Row, seed: Row) -> int:
    """The random bits of this turn, in the game that this seed dealt."""
    return random_play.random_bits(state[TURN] + 0, seed[0] + 0, seed[1] + 0)


def deal_next(state: Row, seed: Row, games: int) -> None:
    """Deal the next game in this place of a batch: its number is higher by the number of places."""
    low = seed[1] + games
    seed[1] = low & WORD
    seed[0] = (seed[0] + (low >> 32)) & WORD
    deal(state, seed[0], seed[1])


def act(game: GameArrays, action: int, replace: bool) -> Turn:
    """Take an action, given the mask. An illegal one is replaced or ignored; in a finished game every action is ignored."""
    state = game.state
    if state[ENDED] != RUNNING:
        return Turn(0, 0, 0, 0)
    illegal = 0
    if action < 0 or action >= layout.actions or not game.mask[action]:
        illegal = 1
        if not replace:
            return Turn(0, 0, 0, illegal)
        action = random_play.random_action(game.mask, random_bits(state, game.seed))
    before = points(state)
    apply(state, action)
    worth = score(state)
    return Turn(state[ENDED] + 0, worth, worth - before, illegal)


def look(game: GameArrays, seat: int, sight: Row) -> None:
    """Write what the policy at a seat may see."""
    policy = game.seats[seat]
    see(game.state, EVERYBODY if policy >= 0 and (sees_hands >> policy) & 1 else seat, sight)


@paste
def start(game: GameArrays) -> None:
    """Prepare every policy for the game in its present position."""
    if not starts:
        return
    for place in range(memory_count):
        seat = game.state[SEAT] + 0 if shares_memory else place
        if game.seats[seat] >= 0:
            look(game, seat, game.sights[place])
            start_policy(game.seats[seat], game.memories[place], game.sights[place])


@paste
def ask(game: GameArrays) -> int:
    """The choice of the policy at the seat to move."""
    seat = game.state[SEAT] + 0
    if sees_state:
        return choose(game.seats[seat], game.state, game.state, game.mask, random_bits(game.state, game.seed))
    place = 0 if shares_memory else seat
    look(game, seat, game.sights[place])
    return choose(game.seats[seat], game.memories[place], game.sights[place], game.mask, random_bits(game.state, game.seed))


@paste
def take_turn(game: GameArrays, action: int, replace: bool) -> Turn:
    """Take an action, or the policy's own for `CHOOSE`, and update every policy's memory."""
    if not remembers:
        if action == CHOOSE:
            action = ask(game)
        return act(game, action, replace)
    mover = game.state[SEAT] + 0
    for place in range(memory_count):
        seat = mover if shares_memory else place
        if game.seats[seat] >= 0:
            look(game, seat, game.sights[place])
    if action == CHOOSE:
        place = 0 if shares_memory else mover
        bits = random_bits(game.state, game.seed)
        action = choose(game.seats[mover], game.memories[place], game.sights[place], game.mask, bits)
    turn = act(game, action, replace)
    for place in range(memory_count):
        seat = mover if shares_memory else place
        if game.seats[seat] >= 0:
            look(game, seat, game.after)
            update(game.seats[seat], game.memories[place], seat, game.sights[place], game.after)
    return turn


def copy_saved(source: Rows, target: Rows) -> None:
    """Copy the part of every memory that is kept from turn to turn."""
    for place in range(memory_count):
        for at in range(saved_size):
            target[place][at] = source[place][at]
