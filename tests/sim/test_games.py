"""All seats of a team of policies write down the same, play alike at every speed and through views, and survive each other."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from tamaya import Ending, Game, Rules
from tamaya.bots import Blueprint, PolicyFunctions, SimpleBot, find_policy, make_bot
from tamaya.engine.kernel import Constants, Jit, Kernel, Row
from tamaya.rules import action_of
from tamaya.sim.deals import seed_of
from tamaya.sim.speeds import speed
from tamaya.sim.team import Results, team
from tests.sim.agreement import Agreed, Agreement
from tests.tables import FULL, every_rules, spread_rules

pytestmark = pytest.mark.compiler

LEAST = {2: 22.0, 3: 24.5, 4: 24.7, 5: 24.7}
"""Mean scores that the hat bot does not fall short of."""


@cache
def separate(rules: Rules, at: str) -> Agreement:
    """Hat bots, each with a memory of its own."""
    return Agreement(rules, "hat", find_policy("hat"), speed(at))


def together(rules: Rules, at: str, games: int) -> Results:
    """Hat bots with one memory."""
    return team(rules, ("hat",), at).play(["hat"] * rules.players, 0, 0, games)


def views_play_alike(rules: Rules, agreed: Agreed, games: int) -> None:
    """Bots at a table, who are shown views, take the same actions one by one."""
    for number in range(games):
        game = Game(rules, seed=seed_of(0, number))
        bots = [make_bot("hat") for _ in range(rules.players)]
        while game.to_move is not None:
            expected = action_of(int(agreed.actions[number][game.turn]), rules, game.to_move)
            assert bots[game.to_move].act(game.view(game.to_move)) == expected
            game.act(expected)
        assert (game.turn, game.score) == (agreed.turns[number], agreed.scores[number])


def one_memory_plays_alike(rules: Rules, agreed: Agreed, games: int, at: str) -> None:
    """Nor does it matter whether seats share a memory."""
    shared = together(rules, at, games)
    for name in ("scores", "endings", "turns", "illegal"):
        assert getattr(shared, name).tolist() == getattr(agreed, name)[:games].tolist()


@pytest.mark.parametrize("players", [2, 3, 4, 5] if FULL else [5])
def test_all_seats_of_a_fast_team_keep_the_same_picture(players: int) -> None:
    rules = Rules(players=players)
    agreed = separate(rules, "compiled").play(0, 10_000 if FULL else 2_000)
    assert not agreed.differing.any()
    assert not agreed.illegal.any()
    assert set(agreed.endings.tolist()) <= {Ending.WON, Ending.POINTS}, "it is never struck out"
    assert agreed.scores.mean() > LEAST[players]
    views_play_alike(rules, agreed, 10)
    one_memory_plays_alike(rules, agreed, 50, "interpreted")
    if FULL:
        one_memory_plays_alike(rules, agreed, 10_000, "compiled")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_all_seats_keep_the_same_picture_under_every_rules(players: int) -> None:
    for rules in (rules for rules in spread_rules() if rules.players == players):
        agreed = separate(rules, "interpreted").play(0, 10 if FULL else 2)
        assert not agreed.differing.any(), rules
        assert not agreed.illegal.any(), rules
        views_play_alike(rules, agreed, 1)
        one_memory_plays_alike(rules, agreed, 1, "interpreted")


def test_it_does_better_than_a_beginner_under_most_rules() -> None:
    games, better = 4, []
    tables = list(every_rules())[:: 1 if FULL else 7]
    for rules in tables:
        beginner = 0
        for number in range(games):
            game = Game(rules, seed=seed_of(0, number))
            while game.to_move is not None:
                game.act(SimpleBot().act(game.view(game.to_move)))
            beginner += game.score
        better.append(together(rules, "interpreted", games).scores.sum() >= beginner)
    assert np.mean(better) > 0.85


def build_telltale(kernel: Kernel, jit: Jit, constants: Constants) -> PolicyFunctions:
    """A hat bot that notes down, in place of the last number that it keeps, where it sits."""
    hat = find_policy("hat").build(kernel, jit, constants)

    @jit
    def notice(memory: Row, seat: int, before: Row, after: Row) -> None:
        hat.notice(memory, seat, before, after)
        memory[hat.kept - 1] = seat

    return hat._replace(notice=notice)


def test_a_policy_that_notes_what_it_alone_knows_is_found_out() -> None:
    agreed = Agreement(Rules(players=3), "telltale", Blueprint(build_telltale), speed("interpreted")).play(0, 2)
    assert (agreed.differing > 20).all()
