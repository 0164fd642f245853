"""Section 6 of the rulebook: the edge cases, each by its number."""

import random
from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from tamaya import Colour, Ending, Game, IllegalError, Rules, TamayaError, read_rules
from tamaya.engine import Discarded, Event, Played
from tests.tables import careful_action, do, game_with, random_action, shown

ONE_COLOUR = Rules(players=2, colours=1, hand_size=3)


def games_with_an_empty_deck(wanted: Callable[[Event], bool]) -> Iterator[Game]:
    """Games whose last card has just been drawn by an event of the wanted kind."""
    for seed in range(3000):
        choice = random.Random(seed)
        game = Game(Rules(players=2 + seed % 4, mistakes=9), seed=seed)
        while game.outcome is None and game.deck_count:
            reckless = game.deck_count == 1 and choice.random() < 0.5
            event = game.act((random_action if reckless else careful_action)(game, choice))
            if game.outcome is None and not game.deck_count and wanted(event):
                yield game


def test_1_the_5_that_completes_the_last_firework_in_the_final_round_wins_at_once() -> None:
    game = game_with(ONE_COLOUR, "R1 R3 R5", "R2 R4 R1", "R1 R2 R3 R4")
    do(game, "play 1", "play 1", "play 1", "play 1")
    assert (game.deck_count, game.view(0).last_turns, game.outcome) == (0, 2, None)
    do(game, "play 1")
    assert game.outcome is not None
    assert (game.outcome.ending, game.outcome.score) == (Ending.WON, 5)
    assert (game.turn, game.view(0).last_turns) == (5, 0), "one turn before the round was over; a finished game has none left"


@pytest.mark.slow
@pytest.mark.parametrize(
    "wanted",
    [
        pytest.param(lambda event: isinstance(event, Played) and event.placed and event.card.value == 5, id="successful 5"),
        pytest.param(lambda event: isinstance(event, Discarded), id="discard"),
        pytest.param(lambda event: isinstance(event, Played) and not event.placed, id="misplay"),
    ],
)
def test_2_drawing_the_last_card_still_starts_the_final_round(wanted: Callable[[Event], bool]) -> None:
    games = list(islice(games_with_an_empty_deck(wanted), 3))
    assert len(games) == 3
    for game in games:
        drawer, seats = game.log[-1].seat, []
        while game.outcome is None:
            seats.append(game.to_move)
            game.act(next(action for action in game.legal_actions() if not str(action).startswith("play")))
        assert len(seats) == game.rules.players
        assert seats[-1] == drawer
        assert game.outcome.ending is Ending.POINTS


def test_3_the_last_permitted_mistake_ends_the_game_at_once_even_on_the_last_card() -> None:
    rules = Rules(players=2, colours=1, hand_size=4, mistakes=1)
    game = do(game_with(rules, "R1 R4 R3 R4", "R2 R1 R1 R2", "R3 R5"), "play 1")
    assert game.deck_count == 1
    do(game, "play 2")
    assert game.outcome is not None
    assert game.outcome.ending is Ending.MISTAKES


REFUSED = [
    ("clue 1 red", "clue_self"),
    ("clue 3 red", "unknown_player"),
    ("clue 0 red", "unknown_player"),
    ("clue 2 red 3", "malformed_action"),
    ("clue 2 red blue", "malformed_action"),
    ("clue 2", "malformed_action"),
    ("clue 2 0", "no_such_value"),
    ("clue 2 6", "no_such_value"),
    ("clue 2 multicolour", "colour_not_named"),
    ("clue 2 purple", "malformed_action"),
    ("play 0", "no_such_card"),
    ("play 6", "no_such_card"),
    ("play 1 as red", "no_announcement"),
    ("play", "malformed_action"),
    ("", "malformed_action"),
]


@pytest.mark.parametrize(("action", "code"), REFUSED)
@pytest.mark.parametrize("before", [[], ["play 1", "play 2"], ["clue 2 red", "play 5", "play 1", "play 1"]], ids=len)
def test_4_refusals_name_their_reason_and_change_nothing(before: list[str], action: str, code: str) -> None:
    game = do(game_with(read_rules("players=2 multicolour-unnamed"), "R1 R1 R2 R2 R3", "R1 B2 M3 Y4 Y5"), *before)
    position = game.copy()
    with pytest.raises(TamayaError) as refusal:
        game.act(action)
    assert refusal.value.code == code
    assert game == position


def test_4_discarding_at_the_maximum_of_tokens_is_refused_and_changes_nothing() -> None:
    for before in ([], ["play 1", "play 1"], ["clue 2 red", "discard 1"]):
        game = do(game_with(Rules(), "R1 R1 R2 R2 R3", "R1 B2 G3 Y4 Y5"), *before)
        position = game.copy()
        with pytest.raises(IllegalError) as refusal:
            game.act("discard 1")
        assert refusal.value.code == "no_discard"
        assert game == position


def test_4_giving_a_clue_at_zero_tokens_is_refused_and_changes_nothing() -> None:
    game = do(game_with(Rules(clue_tokens=1), "R1 R1 R2 R2 R3", "R1 B2 G3 Y4 Y5"), "clue 2 red")
    before = game.copy()
    with pytest.raises(IllegalError) as refusal:
        game.act("clue 1 red")
    assert refusal.value.code == "no_clue_token"
    assert game == before


def test_5_all_or_nothing_a_misplay_of_a_needed_last_copy_loses_even_if_mistakes_remain() -> None:
    game = do(game_with(read_rules("players=2 all-or-nothing"), "R5 R1 R2 R2 R3", "R1 B2 G3 Y4 Y5"), "play 1")
    assert game.mistakes == 1
    assert game.outcome is not None
    assert game.outcome.ending is Ending.MISSING_CARD


def test_5_the_last_permitted_mistake_comes_first() -> None:
    game = do(game_with(read_rules("players=2 all-or-nothing one-mistake"), "R5 R1 R2 R2 R3", "R1 B2 G3 Y4 Y5"), "play 1")
    assert game.outcome is not None
    assert game.outcome.ending is Ending.MISTAKES


def test_6_all_or_nothing_with_the_deck_empty_hands_shrink_and_slots_close_up() -> None:
    game = game_with(read_rules("players=2 all-or-nothing colours=1 hand_size=4"), "R1 R3 R4 R5", "R2 R1 R4 R3", "R1 R2")
    do(game, "play 1", "play 1")
    assert game.deck_count == 0
    assert shown(game, 0) == ["R3", "R4", "R5", "R1"]
    do(game, "play 1")
    assert shown(game, 0) == ["R4", "R5", "R1"]
    with pytest.raises(IllegalError, match="choose from 1 to 3"):
        do(game, "clue 1 5", "play 4")


def test_6_a_player_with_an_empty_hand_can_still_give_clues() -> None:
    game = game_with(read_rules("players=2 all-or-nothing colours=1 hand_size=4"), "R1 R3 R1 R1", "R2 R5 R4 R4", "R2 R3")
    do(game, "play 1", "play 1", "play 1", "clue 1 1", "discard 1", "clue 1 1", "discard 1", "clue 1 2", "discard 1", "play 2")
    assert (game.hand_numbers(0), game.to_move, game.outcome) == ((), 0, None)
    actions = game.legal_actions()
    assert {str(action) for action in actions} == {"clue 2 red", "clue 2 3", "clue 2 4", "clue 2 5"}
    do(game, "clue 2 5")


def test_7_with_the_unnameable_multicolour_its_firework_may_still_be_announced() -> None:
    game = game_with(read_rules("players=2 multicolour-unnamed announced-plays"), "M1 R1 R2 R2 R3", "R1 B2 G3 Y4 Y5")
    do(game, "clue 2 red", "clue 1 red", "play 1 as multicolour")
    assert (game.view(0).fireworks[Colour.MULTICOLOUR], game.mistakes, game.clue_tokens) == (1, 0, 7)


def test_8_an_announced_5_at_seven_tokens_of_eight_yields_one() -> None:
    game = game_with(read_rules("players=2 announced-plays"), "R1 R2 R3 R4 R5", "Y1 Y2 Y3 Y4 Y5", "G1 B1 G1 W1")
    do(game, *["play 1"] * 8, "clue 2 5", "play 2")
    assert game.clue_tokens == 7
    event = game.act("play 1 as red")
    assert isinstance(event, Played)
    assert (str(event.card), event.gained, game.clue_tokens) == ("R5", 1, 8)


@pytest.mark.parametrize(("variant", "cards"), [("multicolour-ten", 60), ("multicolour-five", 55)])
def test_9_with_six_colours_and_five_players_hands_stay_at_four(variant: str, cards: int) -> None:
    game = Game(read_rules(f"players=5 {variant}"), seed=1)
    assert game.rules.deck_size == cards
    assert [len(hand) for hand in game.view(0).hands] == [4] * 5
    assert game.deck_count == cards - 20
