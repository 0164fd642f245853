"""What a search cannot do it refuses in words."""

from __future__ import annotations

from typing import Any

import pytest

from tamaya import Game, IllegalError, MalformedError, Rules, TamayaError
from tamaya.rules import Action, Clue, Discard, Play
from tamaya.search import Budget, values
from tests.search.games import game_at
from tests.search.sampling import think_little

RULES = Rules(players=3, colours=2, hand_size=2)


def view_of(seat: int) -> Any:
    return Game(RULES, seed=1).view(seat)


@pytest.mark.parametrize(
    ("settings", "code", "words"),
    [
        ({"blueprint": ["simple", "simple"]}, "bad_lineup", "Give one policy and one softness for all seats, or one for each"),
        ({"softness": [0.0] * 4}, "bad_lineup", "Give one policy and one softness for all seats, or one for each of the 3."),
        ({"softness": -0.1}, "bad_softness", "Softness is a number from 0 to 1."),
        ({"softness": [0, 0, 1.5]}, "bad_softness", "Softness is a number from 0 to 1."),
        ({"softness": float("nan")}, "bad_softness", "Softness is a number from 0 to 1."),
        ({"blueprint": "cheat"}, "policy_sees_too_much", "The policy “cheat” sees more than a player may"),
        ({"blueprint": ["simple", "random", "simple"]}, "policy_sees_too_much", "The policy “random” sees more"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, Any], code: str, words: str) -> None:
    with pytest.raises(MalformedError) as refused:
        values(view_of(0), **{"blueprint": "simple", "speed": "interpreted", **settings})
    assert refused.value.code == code
    assert str(refused.value).startswith(words)


@pytest.mark.parametrize("name", ["nobody", "search"])
def test_a_name_that_stands_for_no_policy(name: str) -> None:
    with pytest.raises(TamayaError, match=name):
        values(view_of(0), name, speed="interpreted")


def test_a_move_that_is_not_legal_has_no_value() -> None:
    found = values(view_of(0), "simple", budget=20, speed="interpreted")
    with pytest.raises(IllegalError, match=r"play 9 is not legal here; legal are .*play 1"):
        found.of(Play(8))


def test_a_speed_that_there_is_not() -> None:
    with pytest.raises(TamayaError, match="slow"):
        values(view_of(0), "simple", speed="slow")


def over() -> Game:
    game = Game(RULES, seed=1)
    while game.to_move is not None:
        game.act(Play(0))
    return game


@pytest.mark.parametrize(
    "view",
    [view_of(1), Game(RULES, seed=1).spectator_view(), over().view(0), over().table_view()],
    ids=["not to move", "beside the table", "over", "all open"],
)
def test_eyes_that_have_nothing_to_choose(view: Any) -> None:
    with pytest.raises(MalformedError, match="Only the seat whose turn it is can weigh its moves"):
        values(view, "simple", speed="interpreted")


@pytest.mark.parametrize("budget", [0, -5, Budget(0), Budget(10, seconds=0.0), Budget(10, seconds=-1.0)], ids=str)
@pytest.mark.parametrize("turn", [0, 7])
def test_the_smallest_budget_still_gives_every_move_a_value(
    budget: Budget | int, turn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    think_little(monkeypatch)
    view = game_at(turn, RULES, ["simple"] * 3, 1, slips=0.3).view(turn % 3)
    found = values(view, "simple", budget=budget, speed="interpreted")
    assert {move.action for move in found.moves} == set(view.legal_actions)
    assert found.best.value.error > 0


@pytest.mark.parametrize(
    ("action", "why"), [(Play(5), "1 to 2"), (Discard(0), "nothing may be discarded"), (Clue(0, 1), "themselves")]
)
def test_moves_to_keep_that_are_not_legal(action: Action, why: str) -> None:
    with pytest.raises(IllegalError, match=why):
        values(view_of(0), "simple", keep=[action], speed="interpreted")
