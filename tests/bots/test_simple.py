"""The beginner bot: legal under all rules, and sensible."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Clue, Discard, Ending, Game, MalformedError, Play, Rules, read_rules
from tamaya.bots import PolicyBot, SimpleBot, known_bots, make_bot
from tamaya.engine import Played
from tests.tables import do, game_with, rules


def play_out(table: Rules, seed: int) -> Game:
    game, bot = Game(table, seed=seed), SimpleBot()
    while game.outcome is None:
        assert game.to_move is not None
        view = game.view(game.to_move)
        action = bot.act(view)
        assert action in view.legal_actions
        event = game.act(action)
        if isinstance(event, Played) and not event.placed:
            forced = all(isinstance(action, Play) for action in view.legal_actions)
            assert view.last_turns or forced, "only in its last turn does it try its luck"
    return game


@pytest.mark.slow
@given(rules(), st.integers(0, 2**64 - 1))
def test_it_plays_every_game_to_the_end_legally(table: Rules, seed: int) -> None:
    assert play_out(table, seed).outcome


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["players=2", "players=3", "players=4", "players=5", "players=3 multicolour-unnamed announced-plays"]
)
def test_it_never_strikes_out_and_scores_like_a_careful_beginner(text: str) -> None:
    games = [play_out(read_rules(text), seed) for seed in range(20)]
    assert {game.outcome.ending for game in games if game.outcome} <= {Ending.POINTS, Ending.WON}
    assert sum(game.score for game in games) / len(games) > 14


def test_it_plays_a_card_that_is_known_to_be_playable() -> None:
    game = do(game_with(Rules(), "R1 Y3 G3 B3 W3", "R2 Y2 G2 B2 W2"), "clue 2 2", "clue 1 1")
    assert SimpleBot().act(game.view(0)) == Play(0)


def test_it_announces_a_colour_it_is_sure_of() -> None:
    game = game_with(read_rules("announced-plays"), "R1 Y3 G3 B3 W3", "R2 Y2 G2 B2 W2")
    do(game, "clue 2 2", "clue 1 1", "clue 2 red", "clue 1 red")
    assert str(SimpleBot().act(game.view(0))) == "play 1 as red"


def test_it_clues_a_playable_card() -> None:
    game = game_with(Rules(), "R3 Y3 G3 B3 W3", "R1 Y2 G2 B2 W2")
    assert SimpleBot().act(game.view(0)) == Clue(1, 1)


def test_it_discards_the_oldest_unclued_card() -> None:
    game = game_with(Rules(clue_tokens=2), "R3 Y3 G4 B3 W3", "R4 Y4 G3 B4 W4")
    do(game, "clue 2 4", "clue 1 3")
    assert SimpleBot().act(game.view(0)) == Discard(2)


def test_it_saves_the_last_copy_that_the_next_player_would_discard() -> None:
    game = game_with(Rules(players=3), "R3 Y3 G4 B3 W3", "R5 Y4 G3 B4 W4", "Y4 Y3 G3 G4 W4")
    action = SimpleBot().act(game.view(0))
    assert isinstance(action, Clue)
    assert action in (Clue(1, 5), Clue(1, game.rules.suits[0]))


@pytest.mark.slow
def test_it_leaves_clue_tokens_for_its_teammates() -> None:
    """A teammate who never finds a token can only discard."""
    turns = without = 0
    for seed in range(20):
        game = Game(Rules(players=3), seed=seed)
        while game.outcome is None:
            assert game.to_move is not None
            turns, without = turns + 1, without + (game.clue_tokens == 0)
            game.act(SimpleBot().act(game.view(game.to_move)))
    assert without / turns < 0.2


def test_in_its_last_turn_it_risks_a_play_if_a_mistake_costs_nothing() -> None:
    game = game_with(Rules(players=2, colours=1, hand_size=4), "R1 R3 R3 R4", "R2 R1 R1 R4")
    do(game, "play 1", "play 1")
    assert game.view(0).last_turns == 2
    assert isinstance(SimpleBot().act(game.view(0)), Play)


def test_with_no_better_idea_it_discards_the_card_least_likely_to_be_missed() -> None:
    """No token is left and every card is clued: the 1 may be useless by now, the 5 is not."""
    game = game_with(Rules(clue_tokens=4, colours=2, hand_size=2), "R5 R1", "Y4 Y4", "R1 R2")
    do(game, "clue 2 4", "clue 1 5", "play 2", "clue 1 1", "clue 2 yellow", "play 1")
    assert game.clue_tokens == 0
    view = game.view(0)
    assert all(seen.clued for seen in view.hand)
    assert SimpleBot().act(view) == Discard(1)


def test_bots_are_found_by_name() -> None:
    assert isinstance(make_bot("simple"), PolicyBot)
    with pytest.raises(MalformedError, match=", ".join(known_bots())):
        make_bot("deep blue")
