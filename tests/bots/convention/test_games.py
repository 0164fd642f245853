"""Whole games of the convention bot: one memory for all, legal and sensible by every rule, whoever the partners are."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamaya import Game, Rules
from tamaya.bots.seated_policy import PolicyBot
from tamaya.engine.layout import ENDED, RUNNING
from tamaya.rules import LastMistake, Multicolour
from tamaya.sim.selfplay import self_play
from tests.bots.convention.scenes import places
from tests.bots.convention.turns import turns
from tests.tables import every_rules, random_action, random_arrangement, rules


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_seat_writes_down_the_same(players: int) -> None:
    made = Rules(players=players)
    public = places(made).left
    for seed in range(50):
        for turn in turns(made, seed):
            assert all(memory[:public] == turn.memories[0][:public] for memory in turn.memories)


@pytest.mark.slow
def test_every_rule_is_played_legally_and_to_the_end() -> None:
    for number, made in enumerate(every_rules()):
        *_, last = turns(made, number)
        assert last.state[ENDED] != RUNNING


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(rules(), st.integers(0, 2**32 - 1))
def test_any_rules_at_all_are_played_legally(made: Rules, seed: int) -> None:
    for _ in turns(made, seed):
        pass


@settings(max_examples=15, deadline=None)
@given(rules(), st.integers(0, 2**32 - 1))
def test_partners_who_know_no_convention_do_not_upset_it(made: Rules, seed: int) -> None:
    game, choice, bot = Game(made, seed=seed), random.Random(seed), PolicyBot("convention")
    while game.outcome is None:
        if choice.random() < 0.1 and any(game.hand_numbers(seat) for seat in range(made.players)):
            game.move(random_arrangement(game, choice))
        game.act(bot.act(game.view(0)) if game.to_move == 0 else random_action(game, choice))


@pytest.mark.slow
def test_variants_are_played_far_better_than_by_the_beginner() -> None:
    kept = LastMistake.POINTS
    for made, least in (
        (Rules(players=3, multicolour_named=False, multicolour=Multicolour.TEN, last_mistake=kept), 23.0),
        (Rules(players=4, announced_plays=True, last_mistake=kept), 21.5),
        (Rules(players=3, mistakes=1, last_mistake=kept), 19.0),
    ):
        assert self_play(made, "convention", "interpreted").play(0, 0, 40).scores.mean() > least


@pytest.mark.compiler
def test_all_speeds_choose_alike_and_the_figures_of_the_page_hold() -> None:
    made = Rules(players=3, last_mistake=LastMistake.POINTS)
    slow, fast = self_play(made, "convention", "interpreted").play(0, 0, 12), self_play(made, "convention").play(0, 0, 2000)
    for some, all_of_them in zip(slow, fast, strict=True):
        assert np.array_equal(some, all_of_them[:12])
    struck = fast.endings == 3
    assert not fast.illegal.any()
    assert fast.scores.mean() > 23.3
    assert struck.mean() < 0.006
    assert np.where(struck, 0, fast.scores).mean() > fast.scores.mean() - 0.15
