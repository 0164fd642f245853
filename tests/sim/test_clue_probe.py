"""Responses to a bot's clues are counted correctly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest

from tamaya.bots import BotSeat, make_bot
from tamaya.engine import Clued, Discarded, Event, Game, Played
from tamaya.rules import read_rules
from tamaya.sim.clue_probe import ClueResponses, probe
from tamaya.sim.deals import seed_of

RULES = read_rules("players=2")


def test_every_clue_with_a_following_turn_has_one_response() -> None:
    games = 12
    rows = probe(("simple", "simple"), RULES, seed=3, games=games, speed="interpreted")
    assert [row["clue"] for row in rows] == ["red", "yellow", "green", "white", "blue", "1", "2", "3", "4", "5"]
    assert sum(row["given"] for row in rows) > 10 * games
    for row in rows:
        assert sum(row["plays"]) + row["discards"] + row["clues"] == pytest.approx(1, abs=0.001)
    assert all(row["placed"] in (None, 1) for row in rows), "it plays what surely fits"


def play_from_views(number: int) -> Sequence[Event]:
    """The events of a game of seed 3, played by simple bots from views."""
    game, bots = Game(RULES, seed=seed_of(3, number)), [BotSeat(make_bot("simple")) for _ in range(RULES.players)]
    while game.to_move is not None:
        game.act(bots[game.to_move].act(game.view(game.to_move)))
    return game.log


def test_the_counts_equal_those_by_hand() -> None:
    """From the games as the league plays them, move by move."""
    games, replies = 6, dict[str, ClueResponses]()
    for number in range(games):
        log = play_from_views(number)
        for event, later in pairwise(log):
            if isinstance(event, Clued):
                replies.setdefault(str(event.hint), ClueResponses()).add(event, later)
    rows = {row["clue"]: row for row in probe(("simple", "simple"), RULES, seed=3, games=games, speed="interpreted")}
    for clue, found in replies.items():
        assert rows[clue] == found.row(clue, RULES.hand_size)


def test_each_response_is_counted_by_its_kind() -> None:
    game = Game(RULES, seed=2026)
    game.act("clue 2 1" if "clue 2 1" in map(str, game.legal_actions()) else "clue 2 red")
    clue = game.log[-1]
    assert isinstance(clue, Clued)
    played = game.copy().act(f"play {clue.slots[0] + 1}")
    discarded = game.copy().act("discard 1")
    assert isinstance(played, Played)
    assert isinstance(discarded, Discarded)
    found = ClueResponses()
    found.add(clue, played)
    found.add(clue, discarded)
    assert (found.given, found.plays[played.slot], found.discards[0], found.clues, found.touched) == (2, 1, 1, 0, 1)
    assert found.placed == played.placed
