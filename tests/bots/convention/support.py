"""The convention bot in situations and in whole games, with each seat's memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import NamedTuple

from tamaya import Game, Rules
from tamaya.bots.convention import CONVENTION
from tamaya.bots.convention.reasons import Facts, explain_convention, facts_of
from tamaya.bots.policy_bot import SightTracker
from tamaya.engine.instances import Instance, Row, Setting, instance_of
from tamaya.engine.kernel.deal import deal
from tamaya.engine.kernel.hands import see
from tamaya.engine.kernel.turn import apply, legal
from tamaya.engine.layout import ENDED, RUNNING, SEAT, layout, layout_of
from tamaya.rules import Action, Message, action_of

RANDOM_BITS = 0
"""The bot does not use them."""


class Player:
    """The bot with a memory of its own, started from what a seat sees."""

    def __init__(self, made: Rules, sight: bytearray, numbers: list[int] | None = None) -> None:
        own = instance_of(Setting(made))
        self.numbers = array("q", numbers or [0] * CONVENTION.size(made))
        self.saved = CONVENTION.saved_size(made)
        self.memory = CONVENTION.named(made, memoryview(self.numbers))
        self._choose, self._update = own(CONVENTION.choose), own(CONVENTION.update)
        own(CONVENTION.start)(self.memory, sight)

    def choose(self, sight: bytearray, mask: Row) -> int:
        return self._choose(self.memory, sight, mask, RANDOM_BITS)

    def update(self, seat: int, before: bytearray, after: bytearray) -> None:
        self._update(self.memory, seat, before, after)

    @property
    def saved_numbers(self) -> list[int]:
        """The part of its memory that is kept from turn to turn."""
        return self.numbers[: self.saved].tolist()


class Turn(NamedTuple):
    """A turn of a self-play game, each seat with a memory of its own."""

    state: bytearray
    players: list[Player]
    action: int


def turns(made: Rules, seed: int) -> Iterator[Turn]:
    """A game turn by turn; the memories are those before the action."""
    own = instance_of(Setting(made))
    places = own.value(layout)
    state, mask = bytearray(places.size), bytearray(places.actions)
    own(deal)(state, 0, seed)
    players = [Player(made, seen(own, state, seat)) for seat in range(made.players)]
    while state[ENDED] == RUNNING:
        before = [seen(own, state, seat) for seat in range(made.players)]
        seat = state[SEAT]
        own(legal)(state, mask)
        action = players[seat].choose(before[seat], mask)
        assert mask[action], f"turn of seat {seat}: {action} is not legal"
        yield Turn(bytearray(state), players, action)
        own(apply)(state, action)
        for looking, player in enumerate(players):
            player.update(looking, before[looking], seen(own, state, looking))
    yield Turn(bytearray(state), players, -1)


def seen(own: Instance, state: bytearray, seat: int) -> bytearray:
    sight = bytearray(own.value(layout).size)
    own(see)(state, seat, sight)
    return sight


class Move(NamedTuple):
    """The bot's action at the seat to move, and its reason."""

    action: Action
    facts: Facts
    words: Message


def asked(game: Game) -> Move:
    """The move of a bot in the seat to move, which has seen everything that the seat saw."""
    player, seat, number = _chosen(game)
    facts, words = facts_of(game.rules, player.memory), explain_convention(game.rules, player.memory)
    assert facts is not None
    assert words is not None
    return Move(action_of(number, game.rules, seat), facts, words)


def taken_for(game: Game, slot: int) -> str:
    """What the player to move believes a card of their own to be, written ``"R1 R2"``."""
    rules, (player, seat, _) = game.rules, _chosen(game)
    options = player.memory.belief[seat * rules.hand_size + slot - 1]
    return " ".join(str(card) for number, card in enumerate(rules.cards) if (options >> number) & 1)


def _chosen(game: Game) -> tuple[Player, int, int]:
    """A bot in the seat to move that has just chosen, its seat and its choice."""
    assert game.to_move is not None
    view, mask = game.view(game.to_move), bytearray(layout_of(game.rules).actions)
    sights = SightTracker(view)
    player = Player(game.rules, sights.now)
    for before, after in sights.follow(view):
        player.update(sights.seat, before, after)
    instance_of(Setting(game.rules))(legal)(bytearray(game.state), mask)
    return player, sights.seat, player.choose(sights.now, mask)
