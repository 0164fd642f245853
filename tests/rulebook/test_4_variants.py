"""Section 4 of the rulebook: the variants, and that they combine."""

import pytest

from tamaya import Colour, Ending, Game, IllegalError, Rules, RulesError, read_rules
from tamaya.rules import Clue
from tests.tables import do, game_with

A = read_rules("players=2 multicolour-ten")
B = read_rules("players=2 multicolour-five")
C = read_rules("players=2 multicolour-unnamed")
E = read_rules("players=2 all-or-nothing")
F = read_rules("players=2 announced-plays")


def multicolour_cards(rules: Rules) -> list[int]:
    deck = Game(rules, seed=1).reveal_deck()
    return sorted(card.value for card in deck if card.colour is Colour.MULTICOLOUR)


def test_a_the_sixth_colour_has_ten_cards() -> None:
    assert multicolour_cards(A) == [1, 1, 1, 2, 2, 3, 3, 4, 4, 5]


def test_a_it_can_be_named_in_a_clue_like_any_other() -> None:
    game = do(game_with(A, "R1 R1 R1 R2 R2", "M1 B2 M3 Y4 Y5"), "clue 2 multicolour")
    assert [seen.named_colours for seen in game.view(1).hand] == [(Colour.MULTICOLOUR,), (), (Colour.MULTICOLOUR,), (), ()]
    do(game, "clue 1 red", "clue 2 blue")
    assert [Colour.BLUE in seen.named_colours for seen in game.view(1).hand] == [False, True, False, False, False]


def test_a_the_maximum_is_30() -> None:
    assert A.maximum == Game(A, seed=1).maximum == 30


def test_b_the_same_with_one_card_of_each_value() -> None:
    assert multicolour_cards(B) == [1, 2, 3, 4, 5]
    assert B.maximum == 30
    assert Clue(1, Colour.MULTICOLOUR) in game_with(B, "R1 R1 R1 R2 R2", "M1 B2 M3 Y4 Y5").legal_actions()


def test_c_the_sixth_colour_is_no_clue_of_its_own() -> None:
    game = game_with(C, "R1 R1 R1 R2 R2", "M1 B2 M3 Y4 Y5")
    with pytest.raises(IllegalError) as refusal:
        game.act("clue 2 multicolour")
    assert refusal.value.code == "colour_not_named"


def test_c_its_cards_match_every_colour_clue() -> None:
    game = game_with(C, "R1 R1 R1 R2 R2", "B1 B2 M3 Y4 Y5")
    event = game.act("clue 2 blue")
    assert event.slots == (0, 1, 2)  # type: ignore[union-attr]
    do(game, "clue 1 1")
    event = game.act("clue 2 red")
    assert event.slots == (2,)  # type: ignore[union-attr]
    assert game.view(1).hand[2].colours == (Colour.MULTICOLOUR,)
    assert game.view(1).hand[2].named_colours == (Colour.RED, Colour.BLUE)
    assert game.view(1).hand[0].colours == (Colour.BLUE,)


def test_c_a_card_once_named_red_is_red_or_multicolour() -> None:
    game = do(game_with(C, "R1 R1 R2 R2 R3", "R1 B2 M3 Y4 Y5"), "clue 2 red")
    assert game.view(1).hand[0].colours == (Colour.RED, Colour.MULTICOLOUR)
    assert game.view(1).hand[1].colours == (Colour.YELLOW, Colour.GREEN, Colour.WHITE, Colour.BLUE)


def test_c_they_still_build_their_own_sixth_firework() -> None:
    game = do(game_with(C, "R1 R1 R1 R2 R2", "M1 B2 M3 Y4 Y5"), "play 1", "play 1")
    assert game.view(0).fireworks[Colour.MULTICOLOUR] == 1


def test_c_ten_cards_in_the_booklets_and_five_as_well_here() -> None:
    assert len(multicolour_cards(C)) == 10
    assert multicolour_cards(read_rules("players=2 multicolour-unnamed multicolour-five")) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(("variant", "mistakes"), [("two-mistakes", 2), ("one-mistake", 1)])
def test_d_only_two_or_only_one_mistake_ends_the_game(variant: str, mistakes: int) -> None:
    game = game_with(read_rules(f"players=2 {variant}"), "R2 R2 R3 R3 R4", "Y2 Y2 Y3 Y3 Y4")
    for made in range(mistakes):
        assert game.outcome is None
        assert game.mistakes == made
        do(game, "play 1")
    assert game.outcome is not None
    assert game.outcome.ending is Ending.MISTAKES


@pytest.mark.parametrize("tokens", [9, 10, 20])
def test_d_nine_and_more_clue_tokens(tokens: int) -> None:
    game = Game(Rules(clue_tokens=tokens), seed=1)
    assert game.clue_tokens == tokens
    with pytest.raises(IllegalError, match=f"{tokens} clue tokens"):
        game.act("discard 1")


def with_empty_deck(rules: Rules) -> Game:
    """An all-or-nothing game with an empty deck and no card lost."""
    game = game_with(rules, "R1 R1 R2 R2 R1", "Y1 Y1 Y2 Y2 Y1")
    while game.deck_count:
        view = game.view(1 - (game.to_move or 0))
        hand = view.hands[game.to_move or 0]
        fits = [slot for slot, seen in enumerate(hand) if seen.card and view.fireworks[seen.card.colour] == seen.card.value - 1]
        spare = [slot for slot, seen in enumerate(hand) if seen.card and seen.card.value <= view.fireworks[seen.card.colour]]
        if fits:
            game.act(f"play {fits[0] + 1}")
        elif spare and game.clue_tokens < rules.clue_tokens:
            game.act(f"discard {spare[0] + 1}")
        else:
            game.act(next(action for action in game.legal_actions() if isinstance(action, Clue)))
    return game


def test_e_the_deck_running_out_does_not_end_the_game() -> None:
    game = with_empty_deck(E)
    for _ in range(4):
        game.act(next(action for action in game.legal_actions() if isinstance(action, Clue)))
    assert game.outcome is None


def test_e_play_goes_on_with_shrinking_hands_until_every_firework_is_complete() -> None:
    game = with_empty_deck(E)
    sizes = []
    while game.outcome is None:
        view = game.view(1 - (game.to_move or 0))
        hand = view.hands[game.to_move or 0]
        fits = [slot for slot, seen in enumerate(hand) if seen.card and view.fireworks[seen.card.colour] == seen.card.value - 1]
        game.act(f"play {fits[0] + 1}" if fits else next(a for a in game.legal_actions() if isinstance(a, Clue)))
        sizes.append(sum(map(len, game.view(0).hands)))
    assert (game.outcome.ending, game.outcome.score, game.outcome.rating) == (Ending.WON, None, None)
    assert game.score == game.points == 25
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) > 1


def test_e_the_last_mistake_loses() -> None:
    game = do(game_with(E, "R2 R2 R3 R3 R4", "Y2 Y2 Y3 Y3 Y4"), "play 1", "play 1", "play 2")
    assert game.outcome is not None
    assert game.outcome.ending is Ending.MISTAKES


def test_e_a_discarded_card_without_which_a_firework_cannot_be_completed_loses() -> None:
    game = do(game_with(E, "R5 R2 R3 R3 R4", "Y2 Y2 Y3 Y3 Y4"), "clue 2 yellow", "clue 1 red", "discard 1")
    assert game.outcome is not None
    assert game.outcome.ending is Ending.MISSING_CARD


def test_e_a_copy_that_is_not_the_last_may_be_discarded() -> None:
    game = do(game_with(E, "R4 R2 R3 R3 R4", "Y2 Y2 Y3 Y3 Y4"), "clue 2 yellow", "clue 1 red", "discard 1")
    assert game.outcome is None


def test_e_there_is_no_score_and_no_rating() -> None:
    game = do(game_with(E, "R5 R2 R3 R3 R4", "Y2 Y2 Y3 Y3 Y4"), "clue 2 yellow", "clue 1 red", "discard 1")
    assert game.outcome is not None
    assert (game.outcome.score, game.outcome.rating, game.score) == (None, None, 0)


def test_e_contradicts_keeping_points() -> None:
    with pytest.raises(RulesError, match="last_mistake"):
        Rules(all_or_nothing=True, last_mistake="points")  # type: ignore[arg-type]


DEADLOCK = read_rules("players=2 all-or-nothing hand_size=2 colours=1 clue_tokens=1")


def before_the_deadlock() -> Game:
    """Player 1 has played the last card of a hand and player 2 is to play the 4; no clue token is left."""
    game = game_with(DEADLOCK, "R1 R2", "R1 R1", "R3 R2 R3 R4 R4 R5")
    do(game, "play 1", "play 1")
    do(game, *["clue 2 red", "discard 1"] * 4)
    return do(game, "play 1", "clue 1 3", "play 1")


def test_e_a_player_without_cards_and_without_clue_tokens_loses_when_the_turn_comes() -> None:
    game = before_the_deadlock()
    assert (game.clue_tokens, game.hand_numbers(0), game.to_move) == (0, (), 1)
    assert game.outcome is None
    do(game, "play 1")
    assert game.outcome is not None
    assert game.outcome.ending is Ending.DEADLOCK
    assert game.outcome.ending.lost


def test_e_the_deadlock_meets_any_seat() -> None:
    game = game_with(DEADLOCK, "R3 R1", "R1 R2", "R1 R3 R2 R4 R4 R5")
    do(game, "play 1", "play 1", "play 1", *["clue 1 red", "discard 1"] * 3, "play 1", "clue 2 3", "play 1")
    assert (game.clue_tokens, game.hand_numbers(1), game.outcome) == (0, (), None)
    do(game, "play 1")
    assert game.outcome is not None
    assert game.outcome.ending is Ending.DEADLOCK


def test_f_the_player_may_announce_the_colour() -> None:
    actions = game_with(F, "R1 R1 R1 R2 R2", "Y1 B2 G3 Y4 Y5").legal_actions()
    assert {str(action) for action in actions} >= {"play 1", "play 1 as red", "play 1 as blue"}


def test_f_right_places_the_card_and_gives_one_clue_token_back() -> None:
    game = do(game_with(F, "R1 R1 R1 R2 R2", "Y1 B2 G3 Y4 Y5"), "clue 2 1", "clue 1 1", "play 1 as red")
    assert (game.points, game.clue_tokens, game.mistakes) == (1, 7, 0)


def test_f_right_with_a_5_gives_a_second_token_back() -> None:
    game = game_with(F, "R1 R2 R3 R4 R5", "Y1 Y2 Y3 Y4 Y5", "G1 G1 G1 B1")
    do(game, *["play 1"] * 8, "clue 2 5", "clue 1 5", "clue 2 5", "clue 1 5")
    assert game.clue_tokens == 4
    assert do(game, "play 1 as red").clue_tokens == 6


@pytest.mark.parametrize("action", ["play 4 as red", "play 1 as blue", "play 4 as green"])
def test_f_wrong_discards_the_card_and_costs_a_mistake(action: str) -> None:
    game = do(game_with(F, "R1 R1 R1 R3 R2", "Y1 B2 G3 Y4 Y5"), "clue 2 1", "clue 1 1", action)
    assert (game.points, game.clue_tokens, game.mistakes) == (0, 6, 1)
    assert len(game.view(1).discards) == 1


def test_f_not_announcing_is_an_ordinary_play() -> None:
    game = do(game_with(F, "R1 R1 R1 R2 R2", "Y1 B2 G3 Y4 Y5"), "clue 2 1", "clue 1 1", "play 1")
    assert (game.points, game.clue_tokens, game.mistakes) == (1, 6, 0)


def test_f_tokens_above_the_maximum_are_lost() -> None:
    assert do(game_with(F, "R1 R1 R1 R2 R2", "Y1 B2 G3 Y4 Y5"), "play 1 as red").clue_tokens == 8


def test_plays_are_announced_only_where_the_variant_is_played() -> None:
    with pytest.raises(IllegalError, match="not announced"):
        game_with(Rules(), "R1 R1 R1 R2 R2", "Y1 B2 G3 Y4 Y5").act("play 1 as red")


def test_e_and_f_a_wrongly_announced_last_copy_loses() -> None:
    game = game_with(read_rules("players=2 all-or-nothing announced-plays"), "R1 R2 R3 R4 R5", "Y1 Y2 Y3 Y4 Y5", "G1 B1 G1 W1")
    do(game, *["play 1"] * 8)
    do(game, "play 1 as blue")
    assert game.mistakes == 1
    assert game.outcome is not None
    assert game.outcome.ending is Ending.MISSING_CARD


def test_e_and_c_the_multicolour_firework_has_to_be_completed_too() -> None:
    rules = read_rules("players=2 all-or-nothing multicolour-unnamed multicolour-five")
    game = do(game_with(rules, "M2 R2 R3 R4 R5", "Y1 Y2 Y3 Y4 Y5"), "clue 2 1", "clue 1 2", "discard 1")
    assert game.outcome is not None
    assert game.outcome.ending is Ending.MISSING_CARD


@pytest.mark.parametrize("pair", ["multicolour-ten multicolour-five", "one-mistake two-mistakes"])
def test_variants_that_contradict_each_other_are_refused(pair: str) -> None:
    with pytest.raises(RulesError, match="contradict each other"):
        read_rules(pair)
