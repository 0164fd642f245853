"""A network that somebody has trained and exported plays wherever a policy is named."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tamaya.bots import Blueprint, find_blueprint, load_bot
from tamaya.bots.learned import learned_from
from tamaya.bots.learned.weights import FILE, LARGEST_FILE, LearnedLayer, learned_weights, write_weights
from tamaya.bots.policy import interpreted_policy
from tamaya.engine import Game
from tamaya.engine.layout import layout_of
from tamaya.rules import MalformedError, Play, Rules, RulesError
from tamaya.sim.team import team
from tests.bots.packages import install

TWO = Rules(players=2)
HEAD, _, BODY = FILE.read_bytes().partition(b"\n")
ABOUT: dict[str, Any] = json.loads(HEAD)


def with_head(**changes: object) -> bytes:
    """The file of the house with other words before its numbers."""
    return json.dumps(ABOUT | changes).encode() + b"\n" + BODY


def mine(folder: Path, data: bytes) -> str:
    """A module that plays with a file; returns the place of its policy."""
    file = folder / "mine.weights"
    file.write_bytes(data)
    install(folder, "mine", f"from tamaya.bots.learned import learned_from\nMINE = learned_from({str(file)!r})\n")
    return "mine:MINE"


@pytest.mark.slow
def test_by_its_place_it_plays_the_games_of_the_bot_with_the_same_network(folder: Path) -> None:
    place = mine(folder, FILE.read_bytes())
    games = [team(TWO, (name,), "interpreted").play([name] * 2, 3, 0, 4, recorded=True) for name in ("learned", place)]
    assert (games[0].actions == games[1].actions).all()
    assert games[1].scores.mean() > 23


def test_at_a_table_it_plays_with_the_network_of_its_file(folder: Path) -> None:
    """One that thinks nothing of anything but playing its newest card does that."""
    weights = learned_weights()
    *before, last = weights.layers
    added = np.zeros_like(last.added)
    added[layout_of(TWO).play_action + 4] = 1
    stubborn = LearnedLayer(np.zeros_like(last.weights), added, last.bits)
    place = mine(folder, write_weights(replace(weights, layers=(*before, stubborn))))
    assert load_bot(place).make().act(Game(TWO, seed=1).view(0)) == Play(4)


def test_rules_that_it_has_not_learned_are_refused() -> None:
    with pytest.raises(RulesError, match="does not know these rules"):
        interpreted_policy(learned_from(FILE), Rules(players=3))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"no words\n" + BODY,
        b"[" * 60_000 + b"\n" + BODY,
        b"9" * 5_000 + b"\n" + BODY,
        b"[1]\n" + BODY,
        b"\xff\n" + BODY,
        b" " * (1 << 16) + HEAD + b"\n" + BODY,
        HEAD + b"\n" + BODY[:-1],
        HEAD + b"\n" + BODY + b"x",
        with_head(layers=None),
        with_head(layers=7),
        with_head(layers=["abc"]),
        with_head(layers=[]),
        with_head(layers=[[1, 2]]),
        with_head(layers=[[-1, -1, 0]]),
        with_head(layers=[[1e3, 1, 0]]),
        with_head(layers=[[10**4000, 10**4000, 1]]),
        with_head(layers=[[*ABOUT["layers"][0][:2], -1], *ABOUT["layers"][1:]]),
        with_head(layers=[[*ABOUT["layers"][0][:2], 1 << 40], *ABOUT["layers"][1:]]),
        HEAD + b"\n" + bytes(LARGEST_FILE),
    ],
    ids=lambda data: f"{len(data)} {data[:12]!r}",
)
def test_a_file_that_holds_no_network_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "mine.weights").write_bytes(data)
    with pytest.raises(MalformedError, match=r"mine\.weights cannot be read as a network") as refused:
        learned_from(tmp_path / "mine.weights")
    assert refused.value.code == "bad_weights"


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "mine.weights"):
        with pytest.raises(MalformedError, match="There is no file ") as refused:
            learned_from(str(path))
        assert refused.value.code == "no_file"


def test_a_network_of_another_shape_is_refused(folder: Path) -> None:
    weights = learned_weights()
    first, second, third, last = weights.layers
    for layers in ((first, second, last), (first, second, second, third, last), (second, third, last)):
        with pytest.raises(MalformedError, match="two players and have the usual size") as refused:
            find_blueprint(mine(folder, write_weights(replace(weights, layers=layers))))
        assert refused.value.code == "bad_bot_module"


def test_what_it_makes_is_a_blueprint_like_that_of_the_house() -> None:
    ours, theirs = learned_from(FILE), find_blueprint("learned")
    assert isinstance(ours, Blueprint)
    assert replace(ours, build=theirs.build) == theirs
