"""A match is cut into chunks that hold every game once; the bots of a team move up by one seat from game to game."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Rules, TamayaError
from tamaya.bots import make_bot
from tamaya.engine import Game
from tamaya.league import CHUNK, Chunk, InProcess, Match, chunks_of, matches, play_game, play_matches, record_chunk
from tamaya.record import from_text
from tamaya.sim.deals import seed_of


@given(st.integers(1, 2000))
def test_every_game_is_in_one_chunk_in_order(games: int) -> None:
    chunks = list(Match("simple", Rules(), 0, games).chunks())
    assert [number for chunk in chunks for number in chunk.numbers] == list(range(games))
    assert all(1 <= len(chunk.numbers) <= CHUNK for chunk in chunks)


@given(st.lists(st.integers(1, 100), min_size=1, max_size=4))
def test_chunks_of_several_matches_are_those_of_each(sizes: list[int]) -> None:
    matches = [Match("simple", Rules(), seed, games) for seed, games in enumerate(sizes)]
    found = list(chunks_of(matches))
    assert found == [chunk for match in matches for chunk in match.chunks()]


def test_a_long_match_is_cut_lazily() -> None:
    chunks = Match("simple", Rules(), 0, 10**12).chunks()
    assert [next(chunks).first for _ in range(3)] == [0, CHUNK, 2 * CHUNK]


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"bot": "deep"}, "unknown_bot"),
        ({"games": 0}, "bad_games"),
        ({"games": 10**12 + 1}, "bad_games"),
        ({"games": True}, "bad_games"),
        ({"seed": -1}, "bad_seed"),
        ({"seed": 1 << 64}, "bad_seed"),
    ],
)
def test_an_invalid_match_is_refused(wrong: dict[str, Any], code: str) -> None:
    wishes = {"bot": "simple", "rules": Rules(), "seed": 0, "games": 1}
    Match(**wishes)  # type: ignore[arg-type]
    with pytest.raises(TamayaError) as caught:
        Match(**{**wishes, **wrong})
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("team", "players", "seats"),
    [
        ("simple", 3, ["simple simple simple"] * 4),
        ("hat+simple", 2, ["hat simple", "simple hat", "hat simple", "simple hat"]),
        ("hat+simple", 3, ["hat simple hat", "simple hat hat", "hat hat simple", "hat simple hat"]),
        ("hat+simple+random", 4, ["hat simple random hat", "simple random hat hat", "random hat hat simple"]),
    ],
)
def test_a_teams_bots_sit_in_order_and_move_up_from_game_to_game(team: str, players: int, seats: list[str]) -> None:
    match = Match(team, Rules(players=players))
    assert [" ".join(match.seats(number)) for number in range(len(seats))] == seats


def test_every_seat_starts_equally_often_and_the_neighbours_stay_the_same() -> None:
    match = Match("hat+simple", Rules(players=5))
    games = [match.seats(number) for number in range(10)]
    assert {tuple(sorted(Counter(seats).items())) for seats in games} == {(("hat", 3), ("simple", 2))}
    assert Counter(seats[0] for seats in games) == {"hat": 6, "simple": 4}


def test_a_game_of_a_team_is_played_by_its_bots_at_their_seats() -> None:
    match = Match("random+simple", Rules(players=3), seed=4)
    for number in (0, 1, 2):
        game = Game(match.rules, seed=seed_of(4, number))
        bots = [make_bot(name) for name in match.seats(number)]
        while game.to_move is not None:
            game.act(bots[game.to_move].act(game.view(game.to_move)))
        assert play_game(match, number) == game


def test_a_policy_among_other_bots_plays_as_at_a_table() -> None:
    """The league shows it the game's state, a table the view of its seat."""
    match = Match("hat+simple", Rules(players=3), seed=1)
    game = Game(match.rules, seed=seed_of(1, 0))
    bots = [make_bot(name) for name in match.seats(0)]
    while game.to_move is not None:
        game.act(bots[game.to_move].act(game.view(game.to_move)))
    assert play_game(match, 0) == game


def test_a_policy_continues_among_partners_who_break_its_code() -> None:
    """A regression: in this game the hat bot's conclusions from the cheat's clues contradicted each other, and it looped
    forever."""
    game = play_game(Match("hat+cheat", Rules(players=3)), 34)
    assert game.outcome is not None


def test_records_name_the_bot_at_each_seat() -> None:
    match = Match("cheat+random", Rules(players=3), games=9)
    lines = record_chunk(Chunk(match, 4, 6)).records.splitlines()
    assert [from_text(line).record.bots for line in lines] == [match.seats(4), match.seats(5)]


def test_teams_are_listed_in_the_given_order() -> None:
    matches = [Match(team, Rules(), 0, 2) for team in ("random", "random+cheat", "cheat+random")]
    assert [standing.match.bot for standing in play_matches(matches, InProcess())] == ["random", "random+cheat", "cheat+random"]


@pytest.mark.parametrize(
    ("team", "code"),
    [("", "unknown_bot"), ("+", "bad_team"), ("hat+", "bad_team"), ("hat++simple", "bad_team"), ("hat+deep", "unknown_bot"),
     ("hat+simple+random", "team_too_large")],
)  # fmt: skip
def test_invalid_teams_are_refused(team: str, code: str) -> None:
    with pytest.raises(TamayaError) as caught:
        Match(team, Rules(players=2))
    assert caught.value.code == code


def test_only_teams_of_policies_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "can_compile", lambda: True)
    names = ("hat", "cheat", "hat+cheat", "simple", "random", "hat+random", "hat+tamaya.bots:SimpleBot")
    assert [matches.is_compiled(name) for name in names] == [True, True, True, True, False, False, False]
