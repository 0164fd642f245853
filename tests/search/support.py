"""Games for the tests of the search, beliefs to compare with those of `enumeration`, and a policy that looks only once."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from tamaya import Game, Rules, View
from tamaya.bots import Policy
from tamaya.bots.policy import Memory
from tamaya.bots.policy_bot import SightTracker
from tamaya.engine.instances import Row, call, instance_of
from tamaya.engine.kernel.hands import card_at, hand_count
from tamaya.engine.layout import layout
from tamaya.search import Search, beliefs
from tamaya.search import search as search_module
from tamaya.search.beliefs import Belief
from tamaya.search.hand_sampling import HandSamples, PriorHands
from tamaya.search.history import SeatHistory
from tamaya.sim.team import team
from tamaya.sim.threads import Array
from tests.search.enumeration import Cards, make_bots
from tests.sim.support import critical
from tests.tables import random_action, random_arrangement

MIN_EXPECTED = 8.0
"""Hands with a lower expected count are grouped."""


# Games.


def moments(
    rules: Rules, lineup: Sequence[str], seed: int, *, slips: float = 0.0, slipping: Sequence[int] = (), arranged: float = 0.1
) -> Iterator[Game]:
    """One game before each of its turns. With the probability `slips` the seats of `slipping` take any legal action instead of
    their bot's; with the probability `arranged` a hand is rearranged."""
    game, chance, bots = Game(rules, seed=seed), random.Random(seed), make_bots(lineup)
    while game.to_move is not None:
        if chance.random() < arranged:
            game.arrange(random_arrangement(game, chance))
        yield game
        action = bots[game.to_move].act(game.view(game.to_move))
        if game.to_move in slipping and chance.random() < slips:
            action = random_action(game, chance)
        game.act(action)


def game_at(
    turn: int, rules: Rules, lineup: Sequence[str], seed: int, *, slips: float = 0.0, slipping: Sequence[int] = ()
) -> Game:
    """A game before a turn. By default the seat that is then to move is the one that may slip."""
    seats = slipping or [turn % rules.players]
    return next(
        game for game in moments(rules, lineup, seed, slips=slips, slipping=seats, arranged=0.2) if game.turn == turn
    ).copy()


def lineup_of(names: str, players: int) -> list[str]:
    """The policy of each seat: names joined by ``+``, repeated around the table."""
    return (names.split("+") * players)[:players]


# Beliefs.


def limit_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw few hands, and consider all worlds only if they are very few: for games without a compiler."""
    defaults = Search.__init__.__kwdefaults__ or {}
    monkeypatch.setitem(defaults, "target_hands", 40.0)
    monkeypatch.setitem(defaults, "max_tries", 96)
    monkeypatch.setattr(search_module, "MAX_ORDERS", 12)
    monkeypatch.setattr(beliefs, "CHUNK", 32)
    monkeypatch.setattr(beliefs, "STAGE_CHUNKS", 1)


def belief(
    view: View,
    lineup: Sequence[str],
    noise: Sequence[float],
    seed: int,
    speed: str = "interpreted",
    prior: PriorHands | None = None,
) -> Belief:
    players = team(view.rules, tuple(sorted(set(lineup))), speed)
    return Belief(SeatHistory(view), players, tuple(lineup), tuple(noise), seed, prior)


def sampled(
    view: View,
    lineup: Sequence[str],
    noise: Sequence[float],
    target: float,
    seed: int,
    prior: PriorHands | None = None,
) -> tuple[list[Cards], Array]:
    """Hands that the search finds, and their weights."""
    found = belief(view, lineup, noise, seed, prior=prior).hands(target, 16 * int(target))
    return [cards_of(view, hand) for hand in found.cards.tolist()], found.weights


def cards_of(view: View, numbers: Sequence[int]) -> Cards:
    """Cards by their numbers in the order of `Rules.cards`."""
    return tuple(view.rules.cards[number] for number in numbers)


def is_consistent(view: View, lineup: Sequence[str], hand: Cards, speed: str = "interpreted") -> bool:
    """Whether a hand is consistent with all the partners' actions if they always follow their policies."""
    history = SeatHistory(view)
    cards = np.array([[view.rules.cards.index(card) for card in hand]], np.int64).reshape(1, len(hand))
    turns = np.flatnonzero(history.movers != history.seat)
    left = belief(view, lineup, [0.0] * view.rules.players, 0, speed).consistent(turns, HandSamples.of(cards))
    return len(left) == 1


def is_a_sample(found: list[Cards], weights: Array, expected: dict[Cards, float]) -> bool:
    """Whether weighted hands differ from the expected ones only by chance: chi-square, with the variance of the weights. Fails
    if an impossible hand was found."""
    assert set(found) <= set(expected), "the search found a hand that is not possible"
    effective = 1 / float((weights**2).sum())
    groups = _groups(expected, MIN_EXPECTED / effective)
    assert len(groups) > 1, "too few to decide"
    distance = 0.0
    for group in groups:
        share = sum(expected[hand] for hand in group)
        inside = np.array([hand in group for hand in found], float)
        variance = max(float((weights**2 * (inside - share) ** 2).sum()), share * (1 - share) / effective)
        distance += (1 - share) * (float(weights @ inside) - share) ** 2 / variance
    return distance < critical(len(groups) - 1, 4)


def _groups(expected: dict[Cards, float], least: float) -> list[list[Cards]]:
    """The hands, with those expected too seldom to be compared alone in one group."""
    alone = [[hand] for hand, share in expected.items() if share >= least]
    rare = [hand for hand, share in expected.items() if share < least]
    if sum(expected[hand] for hand in rare) >= least or not alone:
        return [*alone, rare] if rare else alone
    return [*alone[:-1], alone[-1] + rare]


# Memories.


def memories_differ(policy: Policy[Any], games: Iterable[Game]) -> bool:
    """Whether the seats of a game, each with its own memory, ever save different numbers. `games` is one game before each of
    its turns."""
    seats = list[_RememberingSeat]()
    for game in games:
        seats = seats or [_RememberingSeat(policy, game, seat) for seat in range(game.rules.players)]
        for seat in seats:
            seat.update(game)
        if len({seat.saved for seat in seats}) > 1:
            return True
        seats[game.to_move or 0].choose(game)
    return False


class _RememberingSeat:
    """A policy in one seat that remembers what it sees but does not play."""

    def __init__(self, policy: Policy[Any], game: Game, seat: int) -> None:
        self._policy, self._seat, self._sights = policy, seat, SightTracker(game.view(seat))
        self._functions = instance_of(policy.setting(game.rules))
        self._row = np.zeros(policy.size(game.rules), np.int64)
        self._saved_size = policy.saved_size(game.rules)
        self._memory = policy.named(game.rules, self._row.data)
        self._functions(policy.start)(self._memory, self._sights.now)

    @property
    def saved(self) -> bytes:
        return self._row[: self._saved_size].tobytes()

    def update(self, game: Game) -> None:
        """Update the memory with all actions since the last call."""
        for before, after in self._sights.follow(game.view(self._seat)):
            self._functions(self._policy.update)(self._memory, self._seat, before, after)

    def choose(self, game: Game) -> None:
        """Ask the policy for a choice, which may write to its memory."""
        mask = bytearray(self._sights.layout.actions)
        for action in game.legal_numbers():
            mask[action] = 1
        self._functions(self._policy.choose)(self._memory, self._sights.now, mask, 0)


# A policy whose entire memory comes from the hands that it sees at the start.


class StaringMemory(Memory):
    """The sum of the cards seen at the start."""

    seen: int


@call
def stare(memory: StaringMemory, sight: Row) -> None:
    memory.seen = 0
    for seat in range(layout.players):
        for slot in range(hand_count(sight, seat)):
            card = card_at(sight, seat, slot)
            if card < layout.cards:
                memory.seen += card


@call
def choose_by_sum(memory: StaringMemory, sight: Row, mask: Row, random_bits: int) -> int:
    """The legal action selected by the sum of the cards at the start."""
    action = memory.seen % layout.actions
    while not mask[action]:
        action = (action + 1) % layout.actions
    return action


STARING: Policy[StaringMemory] = Policy(choose_by_sum, start=stare, memory=StaringMemory, team_memory=False)
STARING_NAME = "tests.search.support:STARING"
