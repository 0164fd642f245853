"""Views: what they contain, and nothing else."""

import dataclasses
import json

import pytest

from tamaya import Arrange, Colour, Game, IllegalError, MalformedError, Rules, View, read_rules
from tamaya.engine import Discarded, Played
from tests.tables import do, game_with

WHITELIST = {
    "rules", "seat", "turn", "to_move", "clue_tokens", "mistakes", "deck_count", "last_turns", "fireworks", "reach",
    "points", "maximum", "hands", "log", "legal_actions", "outcome",
}  # fmt: skip


def test_a_view_has_these_fields_and_no_others() -> None:
    assert {field.name for field in dataclasses.fields(View)} == WHITELIST
    assert set(Game(seed=1).view(0).to_json()) == WHITELIST | {"discards", "dead_fireworks"}


def test_only_the_player_to_move_is_told_the_legal_actions() -> None:
    game = Game(Rules(players=3), seed=1)
    assert list(game.view(0).legal_actions) == game.legal_actions()
    assert game.view(1).legal_actions == game.view(2).legal_actions == game.spectator_view().legal_actions == ()


def test_a_spectator_sees_no_hand_unless_the_hands_are_revealed() -> None:
    game = Game(seed=1)
    assert all(seen.card is None for hand in game.spectator_view().hands for seen in hand)
    assert all(seen.card for hand in game.reveal_hands().hands for seen in hand)


def test_the_table_sees_all_hands_only_after_the_game() -> None:
    game = game_with(Rules(mistakes=1), "R2 R2 R3 R3 R4", "Y2 Y2 Y3 Y3 Y4")
    with pytest.raises(IllegalError) as refusal:
        game.table_view()
    assert refusal.value.code == "game_not_over"
    do(game, "play 1")
    assert all(seen.card for hand in game.table_view().hands for seen in hand)


def test_a_players_own_view_stays_blind_after_the_game() -> None:
    game = do(game_with(Rules(mistakes=1), "R2 R2 R3 R3 R4", "Y2 Y2 Y3 Y3 Y4"), "play 1")
    assert all(seen.card is None for seen in game.view(0).hand)


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_an_unknown_seat_has_no_view_and_no_hand(seat: int) -> None:
    for look in (Game(seed=1).view, Game(seed=1).hand_numbers):
        with pytest.raises(IllegalError) as refusal:
            look(seat)
        assert refusal.value.code == "unknown_player"


@pytest.mark.parametrize("seat", ["0", None, 1.0, True])
def test_a_value_that_is_no_seat_is_malformed(seat: object) -> None:
    for look in (Game(seed=1).view, Game(seed=1).hand_numbers):
        with pytest.raises(MalformedError):
            look(seat)  # type: ignore[arg-type]


def test_a_view_is_plain_json_with_cards_and_actions_in_their_short_form() -> None:
    game = do(game_with(Rules(), "R1 R1 R1 R2 R2", "Y1 B2 G3 Y4 Y5"), "clue 2 yellow", "play 1")
    data = json.loads(json.dumps(game.view(0).to_json()))
    assert data["hands"][1][1]["card"] == "G3"
    assert data["hands"][0][0]["card"] is None
    assert data["log"][1]["event"] == "played"
    assert "play 1" in data["legal_actions"]
    assert data["fireworks"] == {"red": 0, "yellow": 1, "green": 0, "white": 0, "blue": 0}


def test_views_do_not_change_with_the_game() -> None:
    game = Game(seed=1)
    view, before = game.view(0), json.dumps(game.view(0).to_json())
    game.act("play 1")
    assert json.dumps(view.to_json()) == before


def test_in_the_last_turns_the_maximum_counts_the_turns_left() -> None:
    rules = Rules(players=3, colours=1, hand_size=3)
    game = do(game_with(rules, "R1 R4 R4", "R2 R1 R1", "R3 R2 R3"), "play 1")
    view = game.view(0)
    assert (view.deck_count, view.last_turns, view.points, view.maximum) == (0, 3, 1, 4)
    do(game, "clue 1 4")
    assert (game.view(0).last_turns, game.maximum) == (2, 3)
    do(game, "clue 1 4", "clue 2 1")
    assert (game.outcome is not None, game.view(0).last_turns, game.maximum) == (True, 0, 1)


def test_a_firework_reaches_no_further_than_its_first_missing_value() -> None:
    game = do(game_with(Rules(), "R5 Y5 R1 R1 R2", "G4 B2 G3 W4 R4"), "clue 2 4", "clue 1 5", "discard 1")
    view = game.view(1)
    assert (view.reach[Colour.RED], view.dead_fireworks, view.maximum) == (4, (Colour.RED,), 24)


def test_events_have_the_drawn_card_and_regained_tokens() -> None:
    game = game_with(Rules(players=2, colours=1, hand_size=4), "R1 R3 R1 R1", "R2 R5 R4 R4")
    played, clued, discarded = game.act("play 1"), game.act("clue 1 1"), game.act("discard 2")
    assert isinstance(played, Played)
    assert isinstance(discarded, Discarded)
    assert (played.drew, played.gained, clued.turn) == (8, 0, 2)
    assert (discarded.drew, discarded.gained) == (9, 1)
    last = game.act("play 1")
    assert isinstance(last, Played)
    assert last.drew is None


def test_games_with_different_histories_are_not_equal() -> None:
    """Two clues in either order lead to the same position with another history."""
    one, other = (game_with(Rules(), "R1 R1 R1 R2 R2", "Y1 B2 G3 Y4 Y5") for _ in range(2))
    do(one, "clue 2 yellow", "clue 1 red", "clue 2 blue", "clue 1 red")
    do(other, "clue 2 blue", "clue 1 red", "clue 2 yellow", "clue 1 red")
    assert one.view(0).hands == other.view(0).hands
    assert one != other


def test_invalid_rearrangements_and_those_after_the_end_are_refused() -> None:
    game = game_with(Rules(mistakes=1), "R2 R2 R3 R3 R4", "Y2 Y2 Y3 Y3 Y4")
    with pytest.raises(IllegalError, match="each card"):
        game.arrange(Arrange(0, (0, 1, 2, 3, 4), turned=(5,)))
    do(game, "play 1")
    with pytest.raises(IllegalError, match="over"):
        game.arrange(Arrange(1, (1, 0, 2, 3, 4)))


def test_an_announced_5_regains_two_tokens_as_its_event_says() -> None:
    game = game_with(read_rules("players=2 announced-plays"), "R1 R2 R3 R4 R5", "Y1 Y2 Y3 Y4 Y5", "G1 B1 G1 W1")
    do(game, *["play 1"] * 8, "clue 2 5", "clue 1 5", "clue 2 5", "clue 1 5")
    event = game.act("play 1 as red")
    assert isinstance(event, Played)
    assert event.gained == 2


def test_nothing_is_drawn_once_the_game_is_over() -> None:
    game = do(game_with(Rules(mistakes=1), "R2 R2 R3 R3 R4", "Y2 Y2 Y3 Y3 Y4"), "play 1")
    assert (len(game.hand_numbers(0)), game.deck_count) == (4, 40)
