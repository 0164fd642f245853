"""Whole games of the convention bot: the same memory at every seat, legal and sensible under all rules with any partners."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamaya import Game, Rules
from tamaya.bots.convention import CONVENTION
from tamaya.bots.policy_bot import PolicyBot
from tamaya.engine.instances import Setting, instance_of
from tamaya.engine.kernel.turn import apply, legal
from tamaya.engine.layout import ENDED, RUNNING, SEAT, TURN, layout_of
from tamaya.rules import LastMistake, Multicolour
from tamaya.sim.team import Results, team
from tests.bots.convention.support import Player, seen, turns
from tests.tables import FULL, random_action, random_arrangement, rules, spread_rules


def self_play(made: Rules, games: int, at: str) -> Results:
    """The first games of seed 0 in self-play at a speed, with all actions."""
    return team(made, ("convention",), at).play(("convention",) * made.players, 0, 0, games, recorded=True)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_seat_writes_the_same_memory(players: int) -> None:
    made = Rules(players=players)
    for seed in range(50 if FULL else 20):
        for turn in turns(made, seed):
            assert all(player.saved_numbers == turn.players[0].saved_numbers for player in turn.players)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_bot_that_joins_in_the_middle_plays_on_legally_from_any_seat(players: int) -> None:
    made = Rules(players=players)
    own = instance_of(Setting(made))
    mask, rubbish = bytearray(layout_of(made).actions), list(range(CONVENTION.size(made)))
    for seed in range(5):
        state = next(turn.state for turn in turns(made, seed) if turn.state[TURN] == 20)
        everyone = [Player(made, seen(own, state, seat), rubbish) for seat in range(players)]
        first = everyone[0]
        assert all(player.saved_numbers == first.saved_numbers for player in everyone)
        while state[ENDED] == RUNNING:
            before = seen(own, state, state[SEAT])
            own(legal)(state, mask)
            action = first.choose(before, mask)
            assert mask[action]
            own(apply)(state, action)
            first.update(before[SEAT], before, seen(own, state, before[SEAT]))


def test_scratch_may_hold_anything() -> None:
    made = Rules(players=3)
    choice = random.Random(0)
    plain = [turn.action for turn in turns(made, 0)]
    disturbed = []
    for turn in turns(made, 0):
        for player in turn.players:
            for scratch in range(player.saved, len(player.numbers)):
                player.numbers[scratch] = choice.choice((-1, 0, 3, 255, 1 << 20))
        disturbed.append(turn.action)
    assert disturbed == plain


@pytest.mark.slow
def test_games_under_every_rule_are_legal_and_end() -> None:
    for number, made in enumerate(spread_rules()):
        *_, last = turns(made, number)
        assert last.state[ENDED] != RUNNING


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(rules(), st.integers(0, 2**32 - 1))
def test_games_under_random_rules_are_legal(made: Rules, seed: int) -> None:
    for _ in turns(made, seed):
        pass


@settings(max_examples=15, deadline=None)
@given(rules(), st.integers(0, 2**32 - 1))
def test_partners_without_conventions_cause_no_failure(made: Rules, seed: int) -> None:
    game, choice, bot = Game(made, seed=seed), random.Random(seed), PolicyBot(CONVENTION)
    while game.outcome is None:
        if choice.random() < 0.1 and any(game.hand_numbers(seat) for seat in range(made.players)):
            game.move(random_arrangement(game, choice))
        game.act(bot.act(game.view(0)) if game.to_move == 0 else random_action(game, choice))


@pytest.mark.slow
def test_variants_score_far_above_the_beginner() -> None:
    kept = LastMistake.POINTS
    for made, least in (
        (Rules(players=3, multicolour_named=False, multicolour=Multicolour.TEN, last_mistake=kept), 23.0),
        (Rules(players=4, announced_plays=True, last_mistake=kept), 21.5),
        (Rules(players=3, mistakes=1, last_mistake=kept), 19.0),
    ):
        assert self_play(made, 40, "interpreted").scores.mean() > least


@pytest.mark.compiler
def test_all_speeds_choose_the_same_and_documented_scores_hold() -> None:
    made = Rules(players=3, last_mistake=LastMistake.POINTS)
    slow, fast = self_play(made, 12, "interpreted"), self_play(made, 2000, "compiled")
    for some, all_of_them in zip(slow, fast, strict=True):
        assert np.array_equal(some, all_of_them[:12])
    struck = fast.endings == 3
    assert not fast.illegal.any()
    assert fast.scores.mean() > 23.3
    assert struck.mean() < 0.006
    assert np.where(struck, 0, fast.scores).mean() > fast.scores.mean() - 0.15
