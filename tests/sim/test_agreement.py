"""All seats of a team of policies write down the same, play alike at every speed and through views, and survive each other."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from tamaya import Ending, Game, Rules
from tamaya.bots import SimpleBot, make_bot
from tamaya.bots.hat import build_hat
from tamaya.bots.hat.memory import plan_memory
from tamaya.bots.policy import Policy
from tamaya.engine.kernel import Jit, Kernel, Table
from tamaya.engine.layout import layout
from tamaya.rules import action_of
from tamaya.sim.agreement import Agreed, Agreement
from tamaya.sim.seeds import seed_of
from tamaya.sim.selfplay import self_play
from tamaya.sim.speeds import speed
from tests.sim.many import FULL
from tests.tables import every_rules

pytestmark = pytest.mark.compiler

LEAST = {2: 22.0, 3: 24.5, 4: 24.7, 5: 24.7}
"""Mean scores that the hat bot does not fall short of."""


def kept(rules: Rules) -> int:
    """How many numbers the hat bot keeps; those behind them it works out each time."""
    return plan_memory(layout(rules)).own


@cache
def team(rules: Rules, at: str) -> Agreement:
    return Agreement(rules, "hat", build_hat, speed(at))


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
    shared = self_play(rules, "hat", at).play(0, 0, games)
    for name in ("scores", "endings", "turns", "illegal"):
        assert getattr(shared, name).tolist() == getattr(agreed, name)[:games].tolist()


@pytest.mark.parametrize("players", [2, 3, 4, 5] if FULL else [3, 5])
def test_all_seats_of_a_fast_team_keep_the_same_picture(players: int) -> None:
    rules = Rules(players=players)
    agreed = team(rules, "compiled").play(0, 10_000 if FULL else 2_000, kept(rules))
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
    for rules in (rules for rules in every_rules() if rules.players == players):
        agreed = team(rules, "interpreted").play(0, 10 if FULL else 2, kept(rules))
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
        better.append(self_play(rules, "hat", "interpreted").play(0, 0, games).scores.sum() >= beginner)
    assert np.mean(better) > 0.85


def build_telltale(kernel: Kernel, jit: Jit, table: Table) -> Policy:
    """A hat bot that notes down, once in a game, where it sits."""
    hat = build_hat(kernel, jit, table)
    notice_as_ever, place = hat.notice, kept_at(kernel)

    @jit
    def notice(memory: Any, seat: int, before: Any, after: Any) -> None:
        notice_as_ever(memory, seat, before, after)
        memory[place] = seat

    return hat._replace(notice=notice)


def kept_at(kernel: Kernel) -> int:
    """The place of a card that is drawn last, of which nobody has learnt anything."""
    return plan_memory(kernel.layout).picture + kernel.layout.deck_size - 1


def test_a_policy_that_notes_what_it_alone_knows_is_found_out() -> None:
    rules = Rules(players=3)
    agreed = Agreement(rules, "telltale", build_telltale, speed("interpreted")).play(0, 2, kept(rules))
    assert (agreed.differing > 20).all()
