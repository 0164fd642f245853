"""Values are what moves come to on average in all worlds, and the same wherever and however they are worked out."""

from __future__ import annotations

import importlib
from functools import cache

import pytest

from tamaya import View, read_rules
from tamaya.rules import Action, Clue, Discard, Play
from tamaya.search import Budget, Values, values
from tests.search.enumeration import Past
from tests.search.games import game_at
from tests.search.positions import FULL_DECKS, Position
from tests.search.sampling import think_little

SMALL = [
    ("players=2 colours=1 hand_size=3", "simple", 5, 1, 0.0),
    ("players=2 colours=1 hand_size=3", "convention", 3, 0, 0.0),
    ("players=2 colours=1 hand_size=3", "convention", 4, 1, 0.2),
    ("players=2 colours=1 hand_size=3", "hat", 3, 3, 0.0),
    ("players=2 colours=2 hand_size=4 announced_plays=yes", "convention", 17, 0, 0.0),
    ("players=3 colours=2 hand_size=3", "hat", 15, 2, 0.0),
    ("players=4 colours=1 hand_size=2 multicolour=five multicolour_named=no", "simple", 12, 0, 0.0),
    ("players=5 colours=2 hand_size=3", "convention", 10, 2, 0.0),
]


@cache
def past_of(text: str, name: str, turn: int, seed: int, softness: float) -> tuple[Past, list[str]]:
    rules = read_rules(text)
    slipping = range(rules.players) if softness else ()
    lineup = [name] * rules.players
    return Past.of(game_at(turn, rules, lineup, seed, slips=0.3, slipping=slipping)), lineup


@cache
def expected_of(text: str, name: str, turn: int, seed: int, softness: float) -> dict[Action, tuple[float, float]]:
    past, lineup = past_of(text, name, turn, seed, softness)
    return past.expectations(lineup, [softness] * past.rules.players)


def is_near(found: Values, expected: dict[Action, tuple[float, float]], deviations: float) -> None:
    assert {move.action for move in found.moves} == set(expected)
    for move in found.moves:
        mean, perfect = expected[move.action]
        assert abs(move.value.mean - mean) <= deviations * move.value.error + 1e-9, move.action
        share = (max(perfect * (1 - perfect), 0.0) / move.worlds) ** 0.5
        assert abs(move.perfect - perfect) <= deviations * share + 1e-9, move.action
        gain = mean - expected[found.policy][0]
        assert abs(move.gain.mean - gain) <= deviations * move.gain.error + 1e-9, move.action


@pytest.mark.slow
@pytest.mark.parametrize(("text", "name", "turn", "seed", "softness"), SMALL)
def test_they_are_the_expected_score_over_all_worlds_where_those_are_few(
    text: str, name: str, turn: int, seed: int, softness: float
) -> None:
    past, _ = past_of(text, name, turn, seed, softness)
    expected = expected_of(text, name, turn, seed, softness)
    found = values(past.view, name, softness=softness, budget=100, speed="interpreted")
    assert found.exact
    is_near(found, expected, deviations=0)
    assert expected[found.best.action][0] == pytest.approx(max(mean for mean, _ in expected.values()))


@pytest.mark.slow
@pytest.mark.parametrize(("text", "name", "turn", "seed", "softness"), SMALL[:2])
def test_they_are_near_it_where_worlds_are_drawn(
    text: str, name: str, turn: int, seed: int, softness: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    past, _ = past_of(text, name, turn, seed, softness)
    expected = expected_of(text, name, turn, seed, softness)
    monkeypatch.setattr(importlib.import_module("tamaya.search.values"), "EXACT", 0)
    found = values(past.view, name, softness=softness, budget=400, speed="interpreted", seed=1)
    assert not found.exact
    is_near(found, expected, deviations=4)


@pytest.mark.slow
def test_where_time_is_over_too_soon_for_all_worlds_those_tried_are_any(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thought that is cut short says so, and is near what all worlds say, not what those say that come first."""
    monkeypatch.setattr(importlib.import_module("tamaya.search.race"), "SLICE", 12)
    past, _ = past_of(*SMALL[2])
    for seed in range(3):
        found = values(past.view, "convention", softness=0.2, budget=Budget(1000, seconds=0.0), speed="interpreted", seed=seed)
        assert not found.exact
        assert {move.worlds for move in found.moves} == {12}
        is_near(found, expected_of(*SMALL[2]), deviations=4)


def moment() -> View:
    """A position in which worlds are drawn."""
    return game_at(8, read_rules("players=2 colours=2 hand_size=3 announced_plays=yes"), ["simple"] * 2, 2).view(0)


def test_all_moves_are_tried_in_the_same_worlds_and_the_best_the_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    think_little(monkeypatch)
    view = moment()
    found = values(view, "simple", budget=400, speed="interpreted")
    kept = values(view, "simple", budget=400, keep=[found.moves[-1].action], speed="interpreted")
    assert {type(move.action) for move in found.moves} == {Play, Clue, Discard}
    assert {move.action for move in found.moves} == set(view.legal_actions)
    assert sum(move.worlds for move in found.moves) == found.rollouts <= 400 + 64
    assert found.best.worlds == max(move.worlds for move in found.moves) > found.moves[-1].worlds
    assert found.of(found.policy).worlds == found.best.worlds
    assert found.of(found.policy).gain.mean == 0
    assert kept.of(found.moves[-1].action).worlds == kept.best.worlds


def test_the_same_seed_and_rollouts_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    think_little(monkeypatch)
    one, same, other = (values(moment(), "simple", budget=100, seed=seed, speed="interpreted") for seed in (1, 1, 2))
    assert one == same
    assert one != other


@pytest.mark.compiler
@pytest.mark.parametrize("position", FULL_DECKS[:2], ids=lambda position: position.idea)
def test_both_speeds_find_the_same(position: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    think_little(monkeypatch)
    game = position.game
    views = [game.view(game.to_move or 0), game.at(game.turn - 7).view((game.turn - 7) % 2)]
    for view in views:
        fast, slow = (values(view, budget=60, softness=0.2, speed=speed) for speed in ("compiled", "interpreted"))
        assert fast == slow


class HurriedTime:
    """A clock that goes on by a second whenever somebody looks at it."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        self.now += 1
        return self.now


@pytest.mark.parametrize("seconds", [0.5, 4.0])
def test_a_thought_ends_when_its_time_is_over(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many rollouts were allowed; and every move has a value by then."""
    think_little(monkeypatch)
    hurried = HurriedTime()
    monkeypatch.setattr(importlib.import_module("tamaya.search.budget"), "time", hurried)
    monkeypatch.setattr(importlib.import_module("tamaya.search.race"), "SLICE", 8)
    found = values(moment(), "simple", budget=Budget(10**6, seconds), speed="interpreted")
    assert {move.action for move in found.moves} == set(moment().legal_actions)
    assert hurried.now < seconds + 12
    assert found.rollouts < (seconds + 12) * 8 * len(found.moves)
