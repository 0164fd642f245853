"""What the convention bot's clues mean, and how it reads those of others, one situation each.

Hands are written from the oldest card (slot 1) to the newest.
"""

from __future__ import annotations

from tamaya import Rules
from tamaya.bots.convention.reasons import ConventionReason
from tamaya.rules import Clue, Colour, Discard, Multicolour, Play
from tests.bots.convention.support import asked, taken_for
from tests.tables import do, game_with

TWO, THREE = Rules(players=2), Rules(players=3)
QUIET = "Y4 W4 B3 G4 Y3"  # nothing to save on the chop yet, nothing to play


def test_a_5_on_the_chop_is_saved_by_value() -> None:
    game = game_with(THREE, "R1 Y1 G1 W1 B1", "R5 Y3 G3 W3 B4", QUIET)
    move = asked(game)
    assert move.action == Clue(1, 5)
    assert move.facts.reason is ConventionReason.SAVE_LAST
    assert str(move.words) == "I save red 5 of player 2: it is the last copy, and was next to be discarded."


def test_a_saved_card_is_neither_played_nor_discarded() -> None:
    game = game_with(Rules(players=3, clue_tokens=1), "R1 Y1 G1 W1 B1", "R2 Y3 G3 W3 B4", QUIET)
    do(game, "clue 2 2")
    move = asked(game)
    assert move.action == Discard(1), "the chop has moved on"
    assert move.facts.reason is ConventionReason.CHOP


def test_a_2_on_the_chop_clued_by_value_may_be_any_2() -> None:
    game = do(game_with(THREE, "R1 Y1 G1 W1 B1", "R2 Y3 G3 W3 B4", QUIET), "clue 2 2")
    assert taken_for(game, 1) == "R2 Y2 G2 W2 B2"


def test_the_newest_newly_touched_card_is_the_one_to_play() -> None:
    game = do(game_with(THREE, QUIET, "R3 G4 Y4 G1 B4", "R4 W3 Y2 B3 W4"), "clue 2 green")
    move = asked(game)
    assert move.action == Play(3)
    assert str(move.words) == "I play card 4: as I read the clues, it is green 1."
    assert taken_for(game, 2) == "G2 G3 G4 G5"


def test_a_clue_points_to_a_playable_card() -> None:
    move = asked(game_with(THREE, QUIET, "R3 R4 Y4 G1 B4", "Y3 W3 G3 B3 W4"))
    assert move.action in (Clue(1, Colour.GREEN), Clue(1, 1))
    assert str(move.words) == "I point player 2 to green 1: it can be played."


def test_all_clued_1s_are_played() -> None:
    game = do(game_with(THREE, QUIET, "R3 R1 Y1 G4 B4", "Y3 W3 G3 B3 W4"), "clue 2 1")
    assert asked(game).action == Play(2)
    assert taken_for(do(game, "play 3", "clue 1 4", "clue 3 white"), 2) == "R1 G1 W1 B1"


def test_a_clued_card_is_not_a_card_clued_elsewhere() -> None:
    game = game_with(THREE, QUIET, "R3 R1 Y4 G4 B4", "Y3 W3 G3 R1 W1")
    do(game, "clue 2 red", "clue 3 1")
    assert taken_for(game, 4) == "Y1 G1 W1 B1", "a red 1 is clued in the hand before"


def test_a_finesse_is_answered_with_the_newest_unclued_card() -> None:
    game = do(game_with(THREE, QUIET, "Y3 W3 G3 B3 R1", "R4 W4 R2 B4 Y4"), "clue 3 2")
    assert taken_for(game, 5) != "R1"
    move = asked(game)
    assert move.action == Play(4)
    assert move.facts.reason is ConventionReason.FINESSE
    assert "only if I hold red 1 there (a finesse)" in str(move.words)


def test_after_a_finesse_the_focused_card_is_known() -> None:
    game = do(game_with(THREE, QUIET, "Y3 W3 G3 B3 R1", "R4 W4 R2 B4 Y4"), "clue 3 2", "play 5")
    assert taken_for(game, 3) == "R2"
    assert asked(game).action == Play(2)


def test_a_finesse_is_given_where_it_gains_two_plays() -> None:
    move = asked(game_with(THREE, QUIET, "Y3 W3 G3 B3 R1", "G4 W4 R2 B4 Y4"))
    assert move.facts.reason is ConventionReason.CLUE_BLIND
    assert str(move.words) == "I point player 3 to red 2, so that player 2 plays red 1 before it."


def test_a_player_does_not_answer_another_players_finesse() -> None:
    four = Rules(players=4)
    game = do(game_with(four, "Y4 W4 B3 G4", "Y3 W3 G3 B3", "Y2 G4 W3 R1", "G3 W4 R2 B4"), "clue 4 red")
    assert asked(game).facts.reason is not ConventionReason.FINESSE


def test_a_prompt_comes_before_a_finesse() -> None:
    game = game_with(THREE, "Y4 W4 B3 G4 R1", "R2 Y3 W3 G3 B3", "Y1 W4 G1 R3 B4", "B2 B1 B4 Y2")
    do(game, "clue 2 2", "clue 1 red", "discard 1", "play 5", "discard 2", "clue 1 4", "clue 3 3")
    move = asked(game)
    assert move.facts.reason is ConventionReason.PROMPT
    assert move.action == Play(0)
    assert "the clue on red 3 of player 3" in str(move.words)


def test_with_two_players_an_unplayable_focus_finesses_the_receivers_own_hand() -> None:
    game = do(game_with(TWO, QUIET, "Y3 W3 G3 R2 R1"), "clue 2 2")
    move = asked(game)
    assert move.action == Play(4)
    assert move.facts.reason is ConventionReason.OWN_FINESSE


def test_an_uninformative_clue_on_clued_cards_makes_the_newest_playable() -> None:
    game = game_with(THREE, QUIET, "R4 Y3 W3 G3 B4", "R1 W4 G4 R2 B4")
    do(game, "clue 3 1", "clue 3 2", "play 1", "clue 3 red")
    assert game.to_move == 1
    do(game, "discard 2")
    assert asked(game).action == Play(2)


def test_a_repeated_clue_means_play_unless_all_tokens_are_available() -> None:
    for in_between, meaning in (("clue 3 4", "R2"), ("discard 2", "R2 Y2 G2 W2 B2")):
        game = game_with(THREE, "Y4 B3 W4 G4 R1", "R2 Y3 W3 G3 B4", "B3 W4 G4 B2 Y4", "Y5 W5 B5")
        do(game, "clue 2 2", "clue 1 red", "discard 1", "play 5", in_between, "clue 2 2", "clue 3 4")
        assert taken_for(game, 1) == meaning


def test_a_clue_on_clued_cards_calls_for_no_blind_play() -> None:
    game = game_with(THREE, "W4 B3 G4 Y4 Y1", "Y3 W3 G3 B3 R1", "R4 R2 W4 Y2 B4")
    do(game, "play 5", "clue 1 4", "clue 1 4", "clue 3 2")
    assert asked(game).facts.reason is not ConventionReason.FINESSE, "the newest 2 can be played"
    do(game, "clue 1 3", "clue 1 3", "clue 3 2")
    assert asked(game).facts.reason is not ConventionReason.FINESSE, "nor does the other 2 call for a red 1"


def test_a_useless_card_is_discarded_first() -> None:
    game = game_with(Rules(players=3, clue_tokens=3), QUIET, "G3 Y3 R1 W3 R1", "G3 W4 G4 R2 B4", "B4")
    do(game, "clue 2 1", "play 5", "clue 1 4", "clue 2 red")
    move = asked(game)
    assert move.action == Discard(2)
    assert str(move.words) == "I discard card 3: whatever it is, nobody needs it."


def test_an_announced_play_names_the_known_colour() -> None:
    game = game_with(Rules(players=3, announced_plays=True), QUIET, "R3 G4 Y4 G1 B4", "R4 W3 Y2 B3 W4")
    assert asked(do(game, "clue 2 green")).action == Play(3, Colour.GREEN)


def test_an_unnamed_multicolour_leaves_the_colour_open() -> None:
    rules = Rules(players=3, multicolour=Multicolour.TEN, multicolour_named=False)
    game = do(game_with(rules, QUIET, "R3 G4 Y4 G1 B4", "R4 W3 Y2 B3 W4"), "clue 2 green")
    assert taken_for(game, 4) == "G1 M1"
    assert asked(game).action == Play(3)


def test_with_one_mistake_left_only_told_or_proven_cards_are_played() -> None:
    told = do(game_with(Rules(players=3, mistakes=1), QUIET, "R3 R1 Y1 G4 B4", "Y3 W3 G3 B3 W4"), "clue 2 1")
    assert asked(told).action == Play(2), "the clue spoke of it"


def test_in_the_last_turns_a_likely_card_is_risked() -> None:
    rules = Rules(players=2, colours=1, hand_size=4)
    game = game_with(rules, "R2 R4 R1 R5", "R1 R3 R2 R1", "R4 R3")
    do(game, "clue 2 2", "clue 1 5", "discard 2", "discard 2", "clue 2 2")
    assert game.maximum == 1 + game.points, "this is the last turn"
    move = asked(game)
    assert isinstance(move.action, Play)
    assert move.facts.reason is ConventionReason.GAMBLE
    assert "chances in 100" in str(move.words)
