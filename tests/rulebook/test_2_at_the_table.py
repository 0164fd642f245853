"""Section 2 of the rulebook: customs at the table."""

import pytest

from tamaya import EDITIONS, Arrange, Colour, Game, IllegalError, Rules, find_edition
from tamaya.i18n import catalogue, explain
from tamaya.rules import Edition
from tests.tables import do, game_with, shown

THREE = Rules(players=3)


def rules_text(rules: Rules = THREE) -> str:
    speak = catalogue("en")
    return " ".join(speak(sentence) for section in explain(rules) for sentence in section.sentences)


def test_players_may_rearrange_their_own_hand_at_any_time() -> None:
    game = game_with(THREE, "R1 R1 R1 R2 R2", "Y1 B2 G3 W4 R5", "Y2 Y2 Y3 Y3 Y4")
    assert game.to_move == 0
    game.arrange(Arrange(1, (4, 3, 2, 1, 0)))
    assert shown(game, 1) == ["R5", "W4", "G3", "B2", "Y1"]


def test_players_may_turn_their_cards() -> None:
    game = Game(THREE, seed=1)
    game.arrange(Arrange(2, (0, 1, 2, 3, 4), turned=(1, 3)))
    assert [seen.turned for seen in game.view(0).hands[2]] == [False, True, False, True, False]


def test_the_position_of_a_card_is_visible_to_all() -> None:
    game = game_with(THREE, "R1 R1 R1 R2 R2", "Y1 B2 G3 W4 R5", "Y2 Y2 Y3 Y3 Y4")
    game.arrange(Arrange(1, (1, 0, 2, 3, 4), turned=(0,)))
    for seat in range(3):
        view = game.view(seat)
        assert [seen.number for seen in view.hands[1]] == [6, 5, 7, 8, 9]
        assert view.hands[1][0].turned
        assert view.log == game.log


def test_what_was_told_about_a_card_moves_with_it() -> None:
    game = do(game_with(THREE, "R1 R1 R1 R2 R2", "Y1 B2 G3 W4 R5", "Y2 Y2 Y3 Y3 Y4"), "clue 2 3")
    game.arrange(Arrange(1, (2, 0, 1, 3, 4)))
    assert [seen.named_values for seen in game.view(1).hand] == [(3,), (), (), (), ()]


def test_rearranging_is_no_action_and_costs_no_turn() -> None:
    game = Game(THREE, seed=1)
    before = (game.to_move, game.turn, game.clue_tokens, game.deck_count, game.legal_actions())
    game.arrange(Arrange(0, (1, 0, 2, 3, 4)))
    assert (game.to_move, game.turn, game.clue_tokens, game.deck_count, game.legal_actions()) == before


def test_newest_and_oldest_stay_known_whatever_the_order() -> None:
    game = do(Game(THREE, seed=1), "play 3")
    game.arrange(Arrange(0, (4, 3, 2, 1, 0)))
    numbers = [seen.number for seen in game.view(1).hands[0]]
    assert numbers == [15, 4, 3, 1, 0]


@pytest.mark.parametrize("order", [(0, 1), (0, 0, 1, 2, 3), (1, 2, 3, 4, 5), ()])
def test_a_rearrangement_names_each_card_once(order: tuple[int, ...]) -> None:
    game = Game(THREE, seed=1)
    with pytest.raises(IllegalError, match="each card"):
        game.arrange(Arrange(0, order))
    assert game == Game(THREE, seed=1)


def test_the_discard_pile_may_be_inspected_at_any_time() -> None:
    game = game_with(THREE, "R2 R1 R1 R1 R2", "Y2 B2 G3 W4 R5", "Y2 Y3 Y3 Y4 Y4")
    do(game, "play 1", "play 1")
    for view in (game.view(0), game.view(1), game.view(2), game.spectator_view()):
        assert [str(card) for card in view.discards] == ["R2", "Y2"]
    assert "discard pile may be looked through" in rules_text()


def test_a_firework_that_can_no_longer_be_completed_is_marked() -> None:
    game = game_with(THREE, "R3 R1 R1 R1 R2", "R3 B2 G3 W4 R5", "Y2 Y3 Y3 Y4 Y4")
    do(game, "play 1")
    assert game.view(2).reach[Colour.RED] == 5
    assert game.view(2).dead_fireworks == ()
    do(game, "play 1")
    assert game.view(2).reach[Colour.RED] == 2
    assert game.view(2).dead_fireworks == (Colour.RED,)
    assert game.maximum == game.view(2).maximum == 22


def test_cards_of_a_dead_firework_can_still_be_discarded_for_clue_tokens() -> None:
    game = game_with(THREE, "R3 R4 R1 R1 R2", "R3 B2 G3 W4 R5", "Y2 Y3 Y3 Y4 Y4")
    do(game, "play 1", "play 1", "clue 1 4", "discard 1")
    assert str(game.view(2).discards[-1]) == "R4"
    assert game.clue_tokens == 8


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda edition: edition.name)
def test_all_or_nothing_rules_do_not_mention_dead_fireworks(edition: Edition) -> None:
    dead = "a firework that can no longer be completed"
    assert dead in rules_text(edition.rules(3))
    without = rules_text(edition.rules(3, ["all-or-nothing"]))
    assert dead not in without
    assert "lost as soon as a card is discarded without which a firework cannot be completed" in without


def test_other_players_do_not_comment_on_a_turn() -> None:
    assert "During a player's turn nobody comments" in rules_text()


def test_each_group_decides_how_much_talk_is_allowed() -> None:
    assert "strict (clues only), harmless remarks, or free" in rules_text()


@pytest.mark.parametrize(
    ("edition", "custom"),
    [
        ("spanish", "The oldest player starts."),
        ("chinese", "The player in the most colourful clothes starts."),
        ("italian", "The player in the most colourful clothes starts."),
        ("romanian", "Anyone may start."),
    ],
)
def test_who_starts(edition: str, custom: str) -> None:
    found = find_edition(edition)
    assert str(found.starter) == custom
    sections = explain(found.rules(), found)
    assert found.starter in [sentence for section in sections for sentence in section.sentences]
