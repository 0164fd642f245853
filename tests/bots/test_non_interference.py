"""No built-in bot can distinguish games that differ only in what its seat cannot see, and no view holds hidden cards."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from types import FunctionType, ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamaya import Card, Game, Rules
from tamaya.bots import BotSeat, RandomBot, known_bots, make_bot
from tamaya.rules import Move
from tests.tables import careful_action, moves_of_a_game, rules
from tests.twins import twin_deck


def moves_up_to(game: Game, choice: random.Random, length: int) -> list[Move]:
    return [move for _, move in zip(range(length), moves_of_a_game(game, choice, careful_action), strict=False)]


@pytest.mark.slow
@pytest.mark.parametrize("bot", [name for name, entry in known_bots().items() if not entry.base_policy])
@settings(max_examples=25)
@given(rules(), st.integers(0, 2**64 - 1), st.integers(1, 50))
def test_a_bot_decides_and_explains_the_same(bot: str, table: Rules, seed: int, length: int) -> None:
    """For searching bots see tests/search/test_non_interference.py, with rules that need no compiler."""
    choice = random.Random(seed)
    table = table if known_bots()[bot].knows(table) else Rules(players=2)
    game = Game(table, seed=seed)
    moves = moves_up_to(game, choice, length)
    seat = choice.randrange(table.players)
    decks: tuple[list[Card], ...] = (list(game.reveal_deck()), twin_deck(game, seat, choice))
    twins = [(Game(table, deck=deck), BotSeat(make_bot(bot))) for deck in decks]
    for move in moves:
        if twins[0][0].to_move == seat:
            assert len({(seated.act(twin.view(seat)), str(seated.explain())) for twin, seated in twins}) == 1
        for twin, _ in twins:
            twin.move(move)


@given(rules(), st.integers(0, 2**64 - 1))
def test_the_random_bots_choice_depends_on_the_view_alone(table: Rules, seed: int) -> None:
    game = Game(table, seed=seed)
    moves_up_to(game, random.Random(seed), seed % 30)
    if game.to_move is not None:
        view = game.view(game.to_move)
        assert RandomBot().act(view) == RandomBot().act(game.copy().view(game.to_move))
        assert RandomBot().act(view) in view.legal_actions


def test_the_random_bot_takes_every_kind_of_action() -> None:
    views = [Game(Rules(players=2), seed=seed).view(0) for seed in range(300)]
    kinds = {(type(RandomBot().act(view)).__name__, RandomBot().act(view)) for view in views}
    assert len(kinds) > 12, "chance, not the first of the list"


def reachable(thing: object, seen: dict[int, object]) -> list[object]:
    """Everything reachable by attributes, items and private names, as plain values."""
    if isinstance(thing, (Enum, str, int, bytes, bytearray, float)) or thing is None:
        return [thing]
    if id(thing) in seen or isinstance(thing, (type, FunctionType, ModuleType)):
        return []
    seen[id(thing)] = thing
    ways: list[object] = list(getattr(thing, "__dict__", {}).items())
    if is_dataclass(thing):
        ways += [getattr(thing, field.name) for field in fields(thing)]
    for kind in type(thing).__mro__:
        names = getattr(kind, "__slots__", ())
        ways += [getattr(thing, name, None) for name in ([names] if isinstance(names, str) else names)]
    if isinstance(thing, Mapping):
        ways += thing.items()
    elif isinstance(thing, (tuple, list, set, frozenset)):
        ways += thing
    return [value for way in ways for value in reachable(way, seen)]


@given(rules(), st.integers(0, 2**64 - 1), st.integers(0, 50))
def test_nothing_reachable_from_a_view_depends_on_hidden_cards(table: Rules, seed: int, length: int) -> None:
    choice = random.Random(seed)
    game = Game(table, seed=seed)
    moves = moves_up_to(game, choice, length)
    seat = choice.randrange(table.players)
    twin = Game(table, deck=twin_deck(game, seat, choice))
    for move in moves:
        twin.move(move)
    one, other = reachable(game.view(seat), {}), reachable(twin.view(seat), {})
    assert one == other
    assert not any(isinstance(value, (bytes, bytearray)) for value in one), "no state of a game is among it"
