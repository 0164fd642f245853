"""The bundled network: its file, the rules it supports, and the same play at every speed; and exported networks, which play
wherever a policy is named."""

from __future__ import annotations

import hashlib
import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tamaya.bots import BOTS, find_policy, import_bot, make_bot
from tamaya.bots.learned import LEARNED, learned_from
from tamaya.bots.learned.weights import (
    FILE,
    HASH,
    MAX_FILE_BYTES,
    TRAINED_FOR,
    LearnedLayer,
    LearnedWeights,
    NetworkSetting,
    learned_weights,
    read_weights,
    write_weights,
)
from tamaya.bots.policy import Policy
from tamaya.bots.policy_bot import PolicyBot
from tamaya.engine import Game
from tamaya.engine.layout import layout_of
from tamaya.rules import EDITIONS, MalformedError, Play, Rules, RulesError, number_of, read_rules
from tamaya.sim import seed_of
from tamaya.sim.team import team
from tests.bots.support import install, play_out, unlearned
from tests.programs import run_python

LARGEST = 4_000_000
TWO = Rules(players=2)
HEAD, _, BODY = FILE.read_bytes().partition(b"\n")
ABOUT: dict[str, Any] = json.loads(HEAD)
OURS = learned_weights()
FIRST, SECOND, THIRD, LAST = OURS.layers


def test_its_file_is_small_and_describes_itself() -> None:
    data = FILE.read_bytes()
    assert len(data) <= LARGEST
    about = json.loads(data.partition(b"\n")[0])
    assert read_rules(about["rules"]) == TRAINED_FOR
    assert about["command"].count("./dev train learn RUN --updates") == 3, "of each part of its training"
    assert about["mean"] == pytest.approx(BOTS["learned"].mean_scores[2], abs=0.05)
    assert write_weights(read_weights(data, HASH)) == data


@pytest.mark.parametrize("place", [0, 1000, -1])
def test_a_damaged_file_is_refused(place: int) -> None:
    data = bytearray(FILE.read_bytes())
    data[place] ^= 1
    with pytest.raises(MalformedError, match="is damaged"):
        read_weights(bytes(data), HASH)


@pytest.mark.parametrize("edition", EDITIONS)
def test_it_supports_every_edition_for_two(edition: str) -> None:
    assert BOTS["learned"].knows(EDITIONS[edition].rules(2))
    game = Game(EDITIONS[edition].rules(2), seed=5)
    play_out(game, [make_bot("learned"), make_bot("learned")])
    assert game.score >= 20


@pytest.mark.parametrize(
    "rules", ["players=3", "players=5", "players=2 multicolour=ten", "players=2 clue_tokens=7", "players=2 mistakes=1"]
)
def test_it_refuses_other_games(rules: str) -> None:
    assert not BOTS["learned"].knows(read_rules(rules))
    with pytest.raises(RulesError, match="does not know these rules"):
        find_policy("learned").check_rules(read_rules(rules))


@pytest.mark.slow
@pytest.mark.compiler
def test_it_plays_the_same_interpreted_and_compiled() -> None:
    lineup = ["learned", "learned"]
    games = [team(TWO, ("learned",), speed).play(lineup, 3, 0, 40) for speed in ("interpreted", "compiled")]
    assert games[0].scores.tolist() == games[1].scores.tolist()
    assert games[0].turns.tolist() == games[1].turns.tolist()
    assert games[0].scores.mean() > 24


# Networks of users.


def with_head(**changes: object) -> bytes:
    """The bundled file with a different head."""
    return json.dumps(ABOUT | changes).encode() + b"\n" + BODY


def mine(folder: Path, data: bytes) -> str:
    """A module that plays with a file, named after its content because teams are cached by name; returns its policy's import
    path."""
    file, name = folder / "mine.weights", f"mine_{hashlib.sha256(data).hexdigest()}"
    file.write_bytes(data)
    install(folder, name, f"from tamaya.bots.learned import learned_from\nMINE = learned_from({str(file)!r})\n")
    return f"{name}:MINE"


@pytest.mark.slow
def test_a_policy_by_import_path_plays_the_games_of_the_bot_with_that_network(folder: Path) -> None:
    place = mine(folder, FILE.read_bytes())
    games = [team(TWO, (name,), "interpreted").play([name] * 2, 3, 0, 4, recorded=True) for name in ("learned", place)]
    assert (games[0].actions == games[1].actions).all()
    assert games[1].scores.mean() > 23


def test_at_a_table_it_plays_with_the_network_of_its_file(folder: Path) -> None:
    """A network that values only playing its newest card does so."""
    weights = learned_weights()
    *before, last = weights.layers
    added = np.zeros_like(last.added)
    added[layout_of(TWO).play_action + 4] = 1
    stubborn = LearnedLayer(np.zeros_like(last.weights), added, last.bits)
    place = mine(folder, write_weights(replace(weights, layers=(*before, stubborn))))
    assert import_bot(place).make().act(Game(TWO, seed=1).view(0)) == Play(4)


@pytest.mark.parametrize("rules", ["players=2 mistakes=2", "players=3", "players=5 multicolour=five", "players=4 colours=4"])
def test_it_supports_the_rules_that_it_was_trained_for_and_refuses_others(rules: str, tmp_path: Path) -> None:
    (tmp_path / "mine.weights").write_bytes(write_weights(unlearned(rules)))
    policy, trained_for = learned_from(tmp_path / "mine.weights"), read_rules(rules)
    play_out(Game(trained_for, seed=5), [PolicyBot(policy) for _ in range(trained_for.players)])
    for other in (TWO, Rules(players=trained_for.players, clue_tokens=7)):
        with pytest.raises(RulesError, match="does not know these rules"):
            policy.check_rules(other)


@pytest.mark.slow
@pytest.mark.compiler
@pytest.mark.parametrize(
    ("rules", "width", "layers", "past"),
    [
        ("players=2", 24, 1, 1),
        ("players=5 multicolour=ten", 33, 4, 2),
        ("players=2 hand_size=3", 8, 20, 1),
        ("players=3", 900, 2, 8),
    ],
)
def test_networks_of_any_shape_play_the_same_interpreted_and_compiled(
    rules: str, width: int, layers: int, past: int, folder: Path
) -> None:
    """The last one has layers of more than the megabyte that fits into one compiled constant."""
    place = mine(folder, write_weights(unlearned(rules, width, layers, past)))
    made_for = read_rules(rules)
    teams = [team(made_for, (place,), speed) for speed in ("interpreted", "compiled")]
    slow, quick = (one.play([place] * made_for.players, 3, 0, 30, recorded=True).actions for one in teams)
    assert (slow == quick).all()
    assert len(np.unique(slow)) > 5


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
        b'{"layers": [], "rules": "players=2"}\n',
        b'{"layers": "", "rules": "players=2"}\n',
        with_head(layers=[[1, 2]]),
        with_head(layers=[[-1, -1, 0]]),
        with_head(layers=[[1e3, 1, 0]]),
        with_head(layers=[[10**4000, 10**4000, 1]]),
        with_head(layers=[[*ABOUT["layers"][0][:2], -1], *ABOUT["layers"][1:]]),
        with_head(layers=[[*ABOUT["layers"][0][:2], 1 << 40], *ABOUT["layers"][1:]]),
        HEAD + b"\n" + bytes(MAX_FILE_BYTES),
    ],
    ids=lambda data: f"{len(data)} {data[:12]!r}",
)
def test_a_file_without_a_network_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "mine.weights").write_bytes(data)
    with pytest.raises(MalformedError, match=r"mine\.weights cannot be read as a network") as refused:
        learned_from(tmp_path / "mine.weights")
    assert refused.value.code == "bad_weights"


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "mine.weights"):
        with pytest.raises(MalformedError, match="There is no file ") as refused:
            learned_from(str(path))
        assert refused.value.code == "no_file"


@pytest.mark.parametrize(
    "weights",
    [
        LearnedWeights(ABOUT, (SECOND, THIRD, LAST)),
        LearnedWeights(ABOUT, (FIRST, SECOND, THIRD)),
        LearnedWeights(ABOUT, (FIRST,)),
        LearnedWeights(ABOUT, (FIRST, replace(SECOND, weights=SECOND.weights[1:]), LAST)),
        LearnedWeights(ABOUT, (replace(FIRST, weights=FIRST.weights[1:]), LAST)),
        LearnedWeights(ABOUT, (replace(FIRST, weights=FIRST.weights[:900]), LAST)),
        *(LearnedWeights({**ABOUT, "rules": rules}, learned_weights().layers) for rules in ("players=3", "nonsense", 2, None)),
        LearnedWeights({}, learned_weights().layers),
    ],
    ids=lambda weights: f"{weights.about.get('rules')} {[layer.weights.shape for layer in weights.layers]}",
)
def test_a_network_that_does_not_fit_its_rules_is_refused(weights: LearnedWeights, folder: Path) -> None:
    with pytest.raises(MalformedError, match="does not fit the rules that the file names") as refused:
        find_policy(mine(folder, write_weights(weights)))
    assert refused.value.code == "bad_bot_module"


def test_a_loaded_network_is_a_policy_like_the_bundled_one() -> None:
    ours, theirs = learned_from(FILE), find_policy("learned")
    assert isinstance(ours, Policy)
    assert isinstance(theirs, Policy)
    assert replace(ours, supports=theirs.supports, setting=theirs.setting) == theirs
    assert ours.setting(TWO) == theirs.setting(TWO)


def test_its_setting_is_pickled_with_its_network(tmp_path: Path) -> None:
    (tmp_path / "mine.weights").write_bytes(write_weights(unlearned("players=2")))
    for policy in (learned_from(tmp_path / "mine.weights"), LEARNED):
        setting = policy.setting(TWO)
        assert isinstance(setting, NetworkSetting)
        copy = pickle.loads(pickle.dumps(setting))
        assert copy == setting
        assert hash(copy) == hash(setting)
        assert write_weights(copy.weights) == write_weights(setting.weights)
    assert learned_from(tmp_path / "mine.weights").setting(TWO) != LEARNED.setting(TWO)


def test_the_bundled_network_is_not_read_before_it_plays() -> None:
    code = (
        "from tamaya.bots import BOTS; from tamaya.rules import Rules; from tamaya.bots.learned import weights; "
        "assert BOTS['learned'].knows(Rules(players=2)); assert not weights.learned_weights.cache_info().currsize"
    )
    run_python("-c", code, check=True)


def test_two_networks_play_in_one_team(folder: Path) -> None:
    """Each plays as it does at its seat from views."""
    places = [mine(folder, write_weights(unlearned("players=2", width, layers, past, seed=width)))
              for width, layers, past in ((24, 2, 3), (16, 1, 1))]  # fmt: skip
    played = team(TWO, tuple(places), "interpreted").play(places, 3, 0, 2, recorded=True)
    for number in range(2):
        game = Game(TWO, seed=seed_of(3, number))
        bots = [import_bot(places[(seat + number) % 2]).make() for seat in range(2)]
        while (seat := game.to_move) is not None:
            action = bots[seat].act(game.view(seat))
            assert number_of(action, TWO, seat) == played.actions[number][game.turn]
            game.act(action)
        assert game.turn == played.turns[number]
