"""A run is written for the package, with what there is to say of it."""

from __future__ import annotations

import hashlib
import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from tamaya import Game
from tamaya.bots.learned import learned_from
from tamaya.bots.learned.weights import read_weights
from tamaya.bots.policy_bot import PolicyBot
from tamaya.rules import read_rules
from tests.training.runs import SHORT, TINY, chosen, said, tiny
from training.choosing import command_for, with_choices
from training.imitating import RATE
from training.keeping import RunFolder
from training.settings import TrainingSettings

pytestmark = pytest.mark.slow
MOVES = 2 * TINY["games"] * TINY["turns"]


def test_what_was_learned_is_written_for_the_package(tmp_path: Path) -> None:
    small = {name: TINY[name] for name in ("games", "turns", "minibatch")}
    assert said("learn", tmp_path / "run", *SHORT, *chosen(**small, plan=1.5e8)).exit_code == 0
    done = said("export", tmp_path / "run", tmp_path / "it.weights")
    assert done.exit_code == 0, done.output
    data = (tmp_path / "it.weights").read_bytes()
    assert done.output.strip() == hashlib.sha256(data).hexdigest()
    weights = read_weights(data, done.output.strip())
    assert (weights.about["rules"], weights.about["moves"]) == ("players=2", MOVES)
    assert weights.about["mean"] == RunFolder(tmp_path / "run").curve()[-1]["mean"]
    sets = "--set plan=150000000 --set games=8 --set turns=4 --set minibatch=16"
    assert weights.about["command"] == f"./dev train learn RUN {sets}"
    assert str(tmp_path) not in json.dumps(weights.about), "no path of a machine"
    RunFolder(tmp_path / "run").note({"moves": MOVES + 1, "mean": 3.0})
    digest = said("export", tmp_path / "run", tmp_path / "it.weights").output.strip()
    about = read_weights((tmp_path / "it.weights").read_bytes(), digest).about
    assert "mean" not in about, "no figure of another moment"


@pytest.mark.parametrize("rules", ["players=2", "players=3", "players=4 multicolour=ten"])
def test_whatever_it_was_trained_for_it_plays_that_in_the_package(rules: str, tmp_path: Path) -> None:
    done = said("learn", tmp_path / "run", *SHORT, *chosen(**TINY, rules=rules))
    assert done.exit_code == 0, done.output
    assert said("export", tmp_path / "run", tmp_path / "it.weights").exit_code == 0
    trained_for, policy = read_rules(rules), learned_from(tmp_path / "it.weights")
    game, bots = Game(trained_for, seed=5), [PolicyBot(policy) for _ in range(trained_for.players)]
    while game.to_move is not None:
        game.act(bots[game.to_move].act(game.view(game.to_move)))


@pytest.mark.parametrize(
    ("settings", "choices"),
    [
        (TrainingSettings(), ""),
        (TrainingSettings(rules="players=5", entropy=(0.1, 0.1)), " --set rules=players=5 --set entropy=0.1,0.1"),
        (TrainingSettings(rules="players=3 mistakes=1"), " --set 'rules=players=3 mistakes=1'"),
        (TrainingSettings(seed=7, off_belief=True), " --set seed=7 --set off_belief=yes"),
    ],
)
def test_the_command_names_what_is_not_as_usual(settings: TrainingSettings, choices: str) -> None:
    assert command_for("./dev train learn RUN", settings, TrainingSettings()) == f"./dev train learn RUN{choices}"


@pytest.mark.parametrize("usual", [TrainingSettings(), TrainingSettings(rate=RATE)])
@pytest.mark.parametrize("changes", [{}, {"plan": 1.4990001e8, "last_rate": 1e-5}, {"divergence": (0.5, 1e-7)}], ids=str)
def test_who_gives_the_command_trains_by_the_same_settings(usual: TrainingSettings, changes: dict[str, Any]) -> None:
    settings = tiny(rules="players=4 multicolour=five", **changes)
    words = shlex.split(command_for("learn RUN", settings, usual))
    assert with_choices(usual, words[3::2]) == settings
