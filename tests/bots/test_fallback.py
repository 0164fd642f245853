"""The fallback action: legal under all rules, and the least harmful one."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Clue, Discard, Game, Play, Rules, read_rules
from tamaya.bots import Knowledge, fallback_action
from tamaya.engine import Played
from tests.tables import careful_action, do, every_rules, game_with, moves_of_a_game, rules


@given(rules(), st.integers(0, 2**32), st.integers(0, 60))
def test_it_is_legal_and_risks_a_play_only_if_nothing_else_is_possible(table: Rules, seed: int, length: int) -> None:
    game = Game(table, seed=seed)
    for _, _ in zip(range(length), moves_of_a_game(game, random.Random(seed), careful_action), strict=False):
        pass
    if game.to_move is None:
        return
    view = game.view(game.to_move)
    action = fallback_action(view)
    assert action in view.legal_actions
    if isinstance(action, Play):
        know = Knowledge(view)
        forced = all(isinstance(other, Play) for other in view.legal_actions)
        assert forced or know.surely_playable(know.possible(view.hand[action.slot]))


@pytest.mark.slow
@pytest.mark.parametrize("table", [*every_rules(), read_rules("players=2 mistakes=1"), read_rules("players=5 mistakes=1")])
def test_a_team_that_only_takes_fallback_actions_reaches_the_end(table: Rules) -> None:
    game = Game(table, seed=1)
    while game.to_move is not None:
        view = game.view(game.to_move)
        event = game.act(fallback_action(view))
        if isinstance(event, Played) and not event.placed:
            assert all(isinstance(other, Play) for other in view.legal_actions)


def test_a_card_that_surely_fits_is_played() -> None:
    game = do(game_with(Rules(), "R1 Y3 G3 B3 W3", "R2 Y2 G2 B2 W2"), "clue 2 2", "clue 1 1")
    assert fallback_action(game.view(0)) == Play(0)


def test_the_oldest_unclued_card_is_discarded() -> None:
    game = game_with(Rules(), "R3 Y3 G4 B3 W3", "R4 Y4 G3 B4 W4")
    do(game, "clue 2 4", "clue 1 3")
    assert fallback_action(game.view(0)) == Discard(2)
    assert isinstance(fallback_action(do(game, "clue 2 3").view(1)), Clue), "where all were spoken of, none of them goes"


def test_a_known_useless_card_is_discarded_before_an_unknown_one() -> None:
    game = game_with(Rules(clue_tokens=4, colours=1, hand_size=3), "R1 R1 R3", "R2 R4 R5", "R4")
    do(game, "clue 2 2", "clue 1 1", "play 1", "play 1")
    assert fallback_action(game.view(0)) == Discard(0)


def test_a_known_last_copy_is_kept_and_a_clue_given_instead() -> None:
    game = game_with(Rules(clue_tokens=4, colours=2, hand_size=2), "R5 Y5", "Y4 Y1", "R1 R2")
    do(game, "clue 2 4", "clue 1 5")
    assert all(seen.values == (5,) for seen in game.view(0).hand)
    assert isinstance(fallback_action(game.view(0)), Clue)


def test_a_clue_comes_before_a_discard_that_can_lose_the_game() -> None:
    game = game_with(read_rules("players=3 all-or-nothing"), "R3 Y3 G3 B3 W3", "R1 Y2 G2 B2 W2")
    view = do(game, "clue 2 1", "clue 1 3").view(2)
    assert any(isinstance(action, Discard) for action in view.legal_actions)
    assert isinstance(fallback_action(view), Clue)


def test_with_all_tokens_the_least_disturbing_clue_is_given() -> None:
    game = game_with(Rules(), "R3 Y3 G3 B3 W3", "R1 Y1 G4 B4 W5")
    assert fallback_action(game.view(0)) == Clue(1, Rules().suits[0]), "red is one card, and it can be played"
    empty = game_with(Rules(empty_clues=True), "R3 Y3 G3 B3 W3", "R4 R4 Y4 Y4 Y5")
    assert isinstance(clue := fallback_action(empty.view(0)), Clue)
    assert empty.act(clue).slots == ()  # type: ignore[union-attr]


def test_a_forced_play_is_the_likeliest_and_unannounced() -> None:
    table = read_rules("players=2 announced-plays all-or-nothing colours=1 hand_size=2")
    game = game_with(table, "R1 R2", "R3 R4")
    do(game, "play 1")
    view = game.view(1)
    action = fallback_action(view)
    assert not isinstance(action, Play) or action.announced is None
