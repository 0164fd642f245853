"""Section 1 of the rulebook, sentence by sentence."""

from collections import Counter

import pytest

from tamaya import Card, Colour, Ending, Game, IllegalError, MalformedError, Rules, RulesError
from tamaya.rules import Clue, Discard, Play, rating
from tests.tables import deck_beginning, do, game_with, shown

TWO = Rules(players=2)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_two_to_five_players(players: int) -> None:
    assert len(Game(Rules(players=players), seed=1).view(0).hands) == players


@pytest.mark.parametrize("players", [0, 1, 6])
def test_no_other_number_of_players(players: int) -> None:
    with pytest.raises(RulesError, match="players"):
        Rules(players=players)


def test_one_firework_per_colour_each_a_run_from_1_to_5() -> None:
    game = game_with(TWO, "R1 R2 R3 R4 R5", "Y1 Y1 Y2 Y2 Y3", "G1 G1 G1 B1 B1 B1")
    assert set(game.view(0).fireworks) == {Colour.RED, Colour.YELLOW, Colour.GREEN, Colour.BLUE, Colour.WHITE}
    for height in range(1, 6):
        do(game, "play 1", "clue 1 1" if height < 5 else "play 1")
        assert game.view(0).fireworks[Colour.RED] == height


def test_players_see_all_cards_but_their_own() -> None:
    game = Game(Rules(players=4), seed=3)
    for seat in range(4):
        for other, hand in enumerate(game.view(seat).hands):
            assert all((seen.card is None) == (other == seat) for seen in hand)


def test_the_deck_has_five_colours_of_ten_cards_1112233445() -> None:
    deck = Game(TWO, seed=1).reveal_deck()
    assert len(deck) == 50
    assert Counter(deck) == {
        Card(colour, value): {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}[value]
        for colour in (Colour.RED, Colour.YELLOW, Colour.GREEN, Colour.BLUE, Colour.WHITE)
        for value in (1, 2, 3, 4, 5)
    }


@pytest.mark.parametrize(("players", "cards"), [(2, 5), (3, 5), (4, 4), (5, 4)])
def test_five_cards_in_hand_with_two_or_three_players_and_four_with_more(players: int, cards: int) -> None:
    game = Game(Rules(players=players), seed=1)
    assert [len(hand) for hand in game.view(0).hands] == [cards] * players
    assert game.deck_count == 50 - players * cards


def test_eight_clue_tokens_all_available_at_the_start() -> None:
    assert Game(TWO, seed=1).clue_tokens == TWO.clue_tokens == 8


def test_three_mistakes_end_the_game() -> None:
    game = game_with(TWO, "R2 R2 R3 R3 R4", "Y2 Y2 Y3 Y3 Y4")
    do(game, "play 1", "play 1")
    assert game.outcome is None
    do(game, "play 1")
    assert game.outcome is not None
    assert game.outcome.ending is Ending.MISTAKES


def test_turns_go_clockwise() -> None:
    game = Game(Rules(players=3), seed=5)
    seats = []
    for _ in range(6):
        seats.append(game.to_move)
        game.act(next(action for action in game.legal_actions() if isinstance(action, Clue)))
    assert seats == [0, 1, 2, 0, 1, 2]


def test_a_turn_is_exactly_one_action_and_no_player_can_pass() -> None:
    game = Game(TWO, seed=5)
    with pytest.raises(MalformedError):
        game.act("pass")
    game.act("play 1")
    assert (game.turn, game.to_move) == (1, 1)


def test_a_clue_costs_one_clue_token() -> None:
    game = game_with(TWO, "R1 R1 R1 R2 R2", "Y1 Y1 Y2 Y2 Y3")
    assert do(game, "clue 2 1").clue_tokens == 7


def test_a_clue_is_impossible_with_no_token_left() -> None:
    game = game_with(Rules(players=2, clue_tokens=1), "R1 R1 R1 R2 R2", "Y1 Y1 Y2 Y2 Y3")
    do(game, "clue 2 yellow")
    assert not any(isinstance(action, Clue) for action in game.legal_actions())
    with pytest.raises(IllegalError, match="No clue token"):
        game.act("clue 1 red")


def test_a_clue_names_one_colour_and_points_at_all_cards_that_match() -> None:
    game = game_with(TWO, "R1 R1 R1 R2 R2", "Y1 B1 Y2 B3 Y3")
    event = game.act("clue 2 yellow")
    assert event.slots == (0, 2, 4)  # type: ignore[union-attr]
    for seen, is_yellow in zip(game.view(1).hand, (True, False, True, False, True), strict=True):
        assert (seen.colours == (Colour.YELLOW,)) == is_yellow
        assert (Colour.YELLOW in seen.colours) == is_yellow


def test_a_clue_names_one_value_and_points_at_all_cards_that_match() -> None:
    game = game_with(TWO, "R1 R1 R1 R2 R2", "Y1 B1 Y2 B3 G1")
    event = game.act("clue 2 1")
    assert event.slots == (0, 1, 4)  # type: ignore[union-attr]
    assert [seen.values for seen in game.view(1).hand] == [(1,), (1,), (2, 3, 4, 5), (2, 3, 4, 5), (1,)]


def test_a_clue_goes_to_one_teammate_only() -> None:
    game = game_with(Rules(players=3), "R1 R1 R1 R2 R2", "Y1 B1 Y2 B3 Y3", "Y1 Y2 Y3 Y4 Y5")
    do(game, "clue 2 yellow")
    assert not any(seen.clued for seen in game.view(2).hand)


def test_a_discard_is_impossible_while_all_clue_tokens_are_available() -> None:
    game = Game(TWO, seed=1)
    assert not any(isinstance(action, Discard) for action in game.legal_actions())
    with pytest.raises(IllegalError, match="8 clue tokens"):
        game.act("discard 1")


def test_a_discard_lies_face_up_gives_one_token_back_and_draws_a_card_unseen() -> None:
    game = game_with(TWO, "R1 R1 R1 R2 R2", "Y4 B1 Y2 B3 Y3", "G5")
    do(game, "clue 2 yellow", "discard 1")
    assert [str(card) for card in game.view(0).discards] == ["Y4"]
    assert game.clue_tokens == 8
    assert shown(game, 1) == ["B1", "Y2", "B3", "Y3", "G5"]
    assert game.view(1).hand[-1].card is None


def test_a_played_card_that_starts_its_firework_stays_there() -> None:
    game = do(game_with(TWO, "R1 R1 R1 R2 R2", "Y4 B1 Y2 B3 Y3"), "play 1")
    assert (game.points, game.mistakes, game.view(0).discards) == (1, 0, ())


def test_a_played_card_that_continues_its_firework_stays_there() -> None:
    game = do(game_with(TWO, "R1 R1 R1 R2 R2", "Y4 B1 Y2 B3 Y3"), "play 1", "play 2", "play 3")
    assert (game.points, game.mistakes) == (3, 0)


@pytest.mark.parametrize(("slot", "card"), [(1, "Y4"), (3, "Y2"), (4, "B3")])
def test_any_other_played_card_goes_to_the_discard_pile_and_costs_one_mistake(slot: int, card: str) -> None:
    game = do(game_with(TWO, "R1 R1 R3 R2 R2", "Y4 B1 Y2 B3 Y3"), "play 1", f"play {slot}")
    assert (game.points, game.mistakes) == (1, 1)
    assert [str(face) for face in game.view(0).discards] == [card]


def test_a_second_copy_of_a_placed_card_is_a_mistake() -> None:
    game = do(game_with(TWO, "R1 R1 R3 R2 R2", "R1 B1 Y2 B3 Y3"), "play 1", "play 1")
    assert (game.points, game.mistakes) == (1, 1)


@pytest.mark.parametrize("slot", [1, 4])
def test_a_card_is_drawn_unseen_whether_the_play_was_right_or_wrong(slot: int) -> None:
    game = do(game_with(TWO, "R1 R1 R1 R2 R2", "Y4 B1 Y2 B3 Y3", "W5"), f"play {slot}")
    assert shown(game, 0)[-1] == "W5"
    assert game.view(0).hand[-1].card is None
    assert game.deck_count == 39


def five_to_place(clues_spent: int) -> Game:
    """A game in which player 1 can complete the red firework and `clues_spent` clue tokens are spent."""
    game = game_with(TWO, "R1 R2 R3 R4 R5", "Y1 Y2 Y3 Y4 Y5", "G1 G1 G1 B1")
    for _ in range(4):
        do(game, "play 1", "play 1")
    assert (game.points, game.clue_tokens) == (8, 8)
    for turn in range(clues_spent):
        do(game, "clue 2 yellow" if turn % 2 == 0 else "clue 1 red")
    return game


def test_placing_a_5_gives_one_clue_token_back() -> None:
    game = five_to_place(clues_spent=2)
    assert do(game, "play 1").clue_tokens == 7


def test_the_token_for_a_5_is_lost_if_all_are_available() -> None:
    game = five_to_place(clues_spent=0)
    assert do(game, "play 1").clue_tokens == 8
    assert game.points == 9


def perfect_deck() -> list[Card]:
    return deck_beginning(TWO, "R1 R2 R3 R4 R5", "Y1 Y2 Y3 Y4 Y5", "G1 W1 G2 W2 G3 W3 G4 W4 G5 W5 B1 R1 B2 R1 B3 Y1 B4 Y1 B5")


def play_perfectly(game: Game) -> Game:
    """Each player plays the leftmost card that fits, and gives a clue when none does."""
    while game.outcome is None:
        assert game.to_move is not None
        hand, view = shown(game, game.to_move), game.view(game.to_move)
        fitting = [
            slot
            for slot, name in enumerate(hand)
            if any(name == f"{colour.letter}{height + 1}" for colour, height in view.fireworks.items())
        ]
        game.act(Play(fitting[0]) if fitting else next(a for a in game.legal_actions() if not isinstance(a, Play)))
    return game


def test_all_fireworks_complete_ends_the_game_at_once_with_the_maximum() -> None:
    game = play_perfectly(Game(TWO, deck=perfect_deck()))
    assert game.outcome is not None
    assert (game.outcome.ending, game.outcome.score, game.score) == (Ending.WON, 25, 25)
    assert game.deck_count > 0


def test_the_last_permitted_mistake_ends_the_game_at_once_and_loses_it() -> None:
    game = game_with(Rules(players=2, mistakes=1), "R2 R2 R3 R3 R4", "Y2 Y2 Y3 Y3 Y4")
    do(game, "play 1")
    assert game.outcome is not None
    assert game.outcome.ending.lost
    assert game.legal_actions() == []
    with pytest.raises(IllegalError, match="over"):
        game.act("play 1")


def near_the_deck_end(cards_left: int) -> Game:
    """A three-player game with `cards_left` cards to draw, reached by discarding."""
    game = Game(Rules(players=3), seed=11)
    while game.deck_count > cards_left:
        game.act("discard 1" if game.clue_tokens < 8 else next(a for a in game.legal_actions() if isinstance(a, Clue)))
    return game


def test_after_the_last_draw_every_player_has_one_more_turn() -> None:
    game = near_the_deck_end(1)
    if game.clue_tokens == 8:
        game.act(next(action for action in game.legal_actions() if isinstance(action, Clue)))
    drawer = game.to_move
    do(game, "discard 1")
    assert game.deck_count == 0
    seats = []
    while game.outcome is None:
        seats.append(game.to_move)
        game.act(game.legal_actions()[0])
    assert len(seats) == 3
    assert seats[-1] == drawer
    assert game.outcome.ending is Ending.POINTS


def test_in_the_last_turns_there_is_nothing_left_to_draw() -> None:
    game = near_the_deck_end(0)
    seat = game.to_move
    assert seat is not None
    held = len(game.hand_numbers(seat))
    game.act("play 1")
    assert len(game.hand_numbers(seat)) == held - 1


def test_the_score_is_the_sum_of_each_fireworks_highest_card() -> None:
    game = game_with(TWO, "R1 R2 R3 B1 W1", "Y1 Y2 G1 G1 G1")
    do(game, "play 1", "play 1", "play 1", "play 1", "play 1", "play 1", "play 1")
    heights = game.view(0).fireworks
    assert (heights[Colour.RED], heights[Colour.YELLOW], heights[Colour.GREEN], heights[Colour.BLUE]) == (3, 2, 1, 1)
    assert game.points == game.score == 7


@pytest.mark.parametrize(
    ("scores", "word"),
    [
        (range(6), "Horrible"),
        (range(6, 11), "Poor"),
        (range(11, 16), "Honourable"),
        (range(16, 21), "Excellent"),
        (range(21, 25), "Extraordinary"),
        ([25], "Legendary"),
    ],
)
def test_the_rating_of_a_score(scores: range, word: str) -> None:
    assert {str(rating(score)).split(":")[0] for score in scores} == {word}


def test_with_six_colours_25_to_29_is_legendary_and_30_divine() -> None:
    assert {str(rating(score)).split(":")[0] for score in range(25, 30)} == {"Legendary"}
    assert str(rating(30)).startswith("Divine")
