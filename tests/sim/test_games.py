"""All seats of a team remember the same, a team plays the same at every speed and from views, and it copes with slips."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tamaya import Ending, Game, Rules
from tamaya.bots import SimpleBot, find_policy, make_bot
from tamaya.bots.hat import turns as hat
from tamaya.bots.hat.memory import HatMemory
from tamaya.engine.instances import Row, call
from tamaya.rules import action_of
from tamaya.sim.deals import seed_of
from tamaya.sim.speeds import speed
from tamaya.sim.team import Results, team
from tests.sim.support import Compared, SeparateTeam
from tests.tables import FULL, every_rules, spread_rules

pytestmark = pytest.mark.compiler

LEAST = {2: 22.0, 3: 24.5, 4: 24.7, 5: 24.7}
"""Mean scores that the hat bot must reach."""


@cache
def separate(rules: Rules, at: str) -> SeparateTeam:
    """Hat bots, each with its own memory."""
    return SeparateTeam(rules, "hat", find_policy("hat"), speed(at))


def together(rules: Rules, at: str, games: int) -> Results:
    """Hat bots with one memory."""
    return team(rules, ("hat",), at).play(["hat"] * rules.players, 0, 0, games)


def views_play_alike(rules: Rules, compared: Compared, games: int) -> None:
    """Bots at a table, shown views, take the same actions one by one."""
    for number in range(games):
        game = Game(rules, seed=seed_of(0, number))
        bots = [make_bot("hat") for _ in range(rules.players)]
        while game.to_move is not None:
            expected = action_of(int(compared.actions[number][game.turn]), rules, game.to_move)
            assert bots[game.to_move].act(game.view(game.to_move)) == expected
            game.act(expected)
        assert (game.turn, game.score) == (compared.turns[number], compared.scores[number])


def one_memory_plays_alike(rules: Rules, compared: Compared, games: int, at: str) -> None:
    """Sharing one memory changes nothing."""
    shared = together(rules, at, games)
    for name in ("scores", "endings", "turns", "illegal"):
        assert getattr(shared, name).tolist() == getattr(compared, name)[:games].tolist()


@pytest.mark.parametrize("players", [2, 3, 4, 5] if FULL else [5])
def test_all_seats_of_a_compiled_team_remember_the_same(players: int) -> None:
    rules = Rules(players=players)
    compared = separate(rules, "compiled").play(0, 10_000 if FULL else 2_000)
    assert not compared.differing.any()
    assert not compared.illegal.any()
    assert set(compared.endings.tolist()) <= {Ending.WON, Ending.POINTS}, "it is never struck out"
    assert compared.scores.mean() > LEAST[players]
    views_play_alike(rules, compared, 10)
    one_memory_plays_alike(rules, compared, 50, "interpreted")
    if FULL:
        one_memory_plays_alike(rules, compared, 10_000, "compiled")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_all_seats_remember_the_same_under_all_rules(players: int) -> None:
    for rules in (rules for rules in spread_rules() if rules.players == players):
        compared = separate(rules, "interpreted").play(0, 10 if FULL else 2)
        assert not compared.differing.any(), rules
        assert not compared.illegal.any(), rules
        views_play_alike(rules, compared, 1)
        one_memory_plays_alike(rules, compared, 1, "interpreted")


def test_it_scores_above_the_beginner_under_most_rules() -> None:
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


@call
def update_telltale(memory: HatMemory, seat: int, before: Row, after: Row) -> None:
    """Update the memory as the hat bot does, and note the seat that it belongs to."""
    hat.update(memory, seat, before, after)
    memory.code_broken = seat


def test_a_policy_that_remembers_private_knowledge_is_detected() -> None:
    telltale = replace(find_policy("hat"), update=update_telltale)
    compared = SeparateTeam(Rules(players=3), "telltale", telltale, speed("interpreted")).play(0, 2)
    assert (compared.differing > 20).all()


# Slips: a team continues when a player takes an action that no policy would take.


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ["convention", "hat", "simple"])
def test_a_policy_survives_partners_who_slip(name: str, players: int) -> None:
    tables = [rules for rules in spread_rules() if rules.players == players]
    for number, rules in enumerate([*[Rules(players=players)] * 10, *tables]):
        slipping = SeparateTeam(rules, name, find_policy(name), speed("interpreted"))
        played = slipping.play(99 + number, 10 if FULL else 1, slips=4 + number % 20)
        assert not played.illegal.any(), rules
        assert (played.endings > 0).all()
    if FULL:
        fast = SeparateTeam(Rules(players=players), name, find_policy(name), speed("compiled"))
        for slips in (2, 5, 10, 30, 100):
            assert not fast.play(slips, 5_000, slips=slips).illegal.any()
