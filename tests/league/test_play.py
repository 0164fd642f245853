"""A worker plays the very games that anybody can play by hand."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest

from tamaya import Game, Rules
from tamaya.bots import make_bot
from tamaya.engine import View
from tamaya.i18n import catalogue
from tamaya.league import CHUNK, Chunk, LeagueError, Run, play_chunk, play_game
from tamaya.record import from_text
from tamaya.rules import Action
from tamaya.sim.seeds import seed_of
from tests.league import players


def by_hand(run: Run, number: int) -> Game:
    game = Game(run.rules, seed=seed_of(run.seed, number))
    bots = [make_bot(run.bot) for _ in range(run.rules.players)]
    while game.to_move is not None:
        game.act(bots[game.to_move].act(game.view(game.to_move)))
    return game


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_chunk_comes_to_what_its_games_come_to_by_hand(seats: int) -> None:
    run = Run("simple", Rules(players=seats), 11, 100)
    played = play_chunk(Chunk(run, 40, 43))
    games = [by_hand(run, number) for number in (40, 41, 42)]
    assert played.totals.games == 3
    assert {score: count for score, count in enumerate(played.totals.histogram) if count} == Counter(g.score for g in games)
    assert played.totals.moves == sum(game.turn for game in games)
    assert played.totals.lost == sum(game.outcome is not None and game.outcome.ending.lost for game in games)
    assert played.records == ""
    assert played.nanoseconds > 0


def test_all_bots_get_the_same_deals() -> None:
    with players.known():
        one, other = (play_game(players.run_of(bot, 9), 4) for bot in ("quick", "forgetful"))
    assert one.reveal_deck() == other.reveal_deck()
    assert one.moves != other.moves


def test_a_game_is_the_same_wherever_it_is_played() -> None:
    run = players.run_of("forgetful", CHUNK)
    whole = players.played(Chunk(run, 0, CHUNK))
    alone = [players.played(Chunk(run, number, number + 1)) for number in reversed(range(CHUNK))]
    assert sum((played.totals for played in alone[1:]), alone[0].totals) == whole.totals


def test_bots_get_views_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []

    def note(view: View) -> Action:
        given.append(view)
        return view.legal_actions[0]

    monkeypatch.setattr(players, "_quick", note)
    players.played(Chunk(players.run_of("quick", 1, players=3), 0, 1))
    assert {type(view) for view in given} == {View}
    seats = [view.seat for view in given if isinstance(view, View)]
    assert seats == [turn % 3 for turn in range(len(seats))]


def test_records_are_of_these_games_in_their_order() -> None:
    run = players.run_of("quick", 50, players=4)
    played = players.played(Chunk(run, 7, 12), recorded=True)
    lines = played.records.splitlines()
    assert played == players.played(Chunk(run, 7, 12), recorded=True)
    with players.known():
        for number, line in zip(range(7, 12), lines, strict=True):
            replay = from_text(line)
            assert replay.error is None
            assert replay.game == play_game(run, number)
            assert replay.record.bots == ("quick",) * 4


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        ("raising", "turn 4: KeyError: 'a mistake of its author' (players.py:"),
        ("leaving", "turn 1: SystemExit: 3 (players.py:"),
        ("illegal", "turn 1: it chose play 100, which is none of its legal actions."),
        ("telling", "which is none of its legal actions."),
        ("unborn", "turn 1: ZeroDivisionError: integer division or modulo by zero (players.py:"),
    ],
)
def test_a_bot_that_fails_is_told_of_in_words_with_the_game_it_failed_in(bot: str, words: str) -> None:
    with pytest.raises(LeagueError) as caught:
        players.played(Chunk(players.run_of(bot, 50), 21, 30))
    assert f"The bot {bot} failed with 2 players in game 21 of seed 5, turn" in str(caught.value)
    assert words in str(caught.value)
    travelled = pickle.loads(pickle.dumps(caught.value))
    assert (travelled.code, catalogue("en")(travelled.message)) == ("bot_failed", str(caught.value))
