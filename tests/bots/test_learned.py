"""The bot that taught itself: its file, the rules it knows, and that it plays alike at every speed."""

from __future__ import annotations

import json

import pytest

from tamaya.bots import BOTS, find_policy, make_bot
from tamaya.bots.learned.weights import FILE, HASH, TRAINED_FOR, read_weights, write_weights
from tamaya.bots.policy import interpreted_policy
from tamaya.engine import Game
from tamaya.rules import EDITIONS, MalformedError, Rules, RulesError, read_rules
from tamaya.sim.team import team
from tests.bots.teams import play_out

LARGEST = 4_000_000
TWO = Rules(players=2)


def test_its_file_is_small_and_says_what_it_is() -> None:
    data = FILE.read_bytes()
    assert len(data) <= LARGEST
    about = json.loads(data.partition(b"\n")[0])
    assert read_rules(about["rules"]) == TRAINED_FOR
    assert about["command"].count("./dev train learn RUN --updates") == 3, "of each part of its training"
    assert about["mean"] == pytest.approx(BOTS["learned"].means[2], abs=0.05)
    assert write_weights(read_weights(data, HASH)) == data


@pytest.mark.parametrize("place", [0, 1000, -1])
def test_a_damaged_file_is_not_played_with(place: int) -> None:
    data = bytearray(FILE.read_bytes())
    data[place] ^= 1
    with pytest.raises(MalformedError, match="is damaged"):
        read_weights(bytes(data), HASH)


@pytest.mark.parametrize("edition", EDITIONS)
def test_it_knows_every_edition_for_two(edition: str) -> None:
    assert BOTS["learned"].knows(EDITIONS[edition].rules(2))
    game = Game(EDITIONS[edition].rules(2), seed=5)
    play_out(game, [make_bot("learned"), make_bot("learned")])
    assert game.score >= 20


@pytest.mark.parametrize(
    "rules", ["players=3", "players=5", "players=2 multicolour=ten", "players=2 clue_tokens=7", "players=2 mistakes=1"]
)
def test_other_games_it_refuses(rules: str) -> None:
    assert not BOTS["learned"].knows(read_rules(rules))
    with pytest.raises(RulesError, match="does not know these rules"):
        interpreted_policy(find_policy("learned"), read_rules(rules))


@pytest.mark.slow
@pytest.mark.compiler
def test_it_plays_alike_interpreted_and_compiled() -> None:
    lineup = ["learned", "learned"]
    games = [team(TWO, ("learned",), speed).play(lineup, 3, 0, 40) for speed in ("interpreted", "compiled")]
    assert games[0].scores.tolist() == games[1].scores.tolist()
    assert games[0].turns.tolist() == games[1].turns.tolist()
    assert games[0].scores.mean() > 24
