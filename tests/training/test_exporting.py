"""A run is written for the package, with what there is to say of it."""

from __future__ import annotations

import hashlib
import json
import shlex
from pathlib import Path
from typing import Any

import pytest
import torch

from tamaya import Game
from tamaya.bots.learned import learned_from
from tamaya.bots.learned.weights import read_weights
from tamaya.bots.policy_bot import PolicyBot
from tamaya.rules import read_rules
from tamaya.training.checkpoints import LEARNED, RunFolder
from tamaya.training.config import TrainingSettings, command_for, with_choices
from tamaya.training.imitation import RATE
from tests.bots.teams import play_out
from tests.training.runs import SHORT, TINY, chosen, said, tiny

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
    assert weights.about["command"] == f"./dev train learn RUN --updates 2 {sets}"
    assert str(tmp_path) not in json.dumps(weights.about), "no path of a machine"
    RunFolder(tmp_path / "run").note({"moves": MOVES + 1, "mean": 3.0})
    digest = said("export", tmp_path / "run", tmp_path / "it.weights").output.strip()
    about = read_weights((tmp_path / "it.weights").read_bytes(), digest).about
    assert "mean" not in about, "no figure of another moment"


def test_each_part_of_a_run_that_was_changed_on_its_way_has_its_command(tmp_path: Path) -> None:
    parts = (), ("--set", "plan=1e6"), (), ("--set", "rate=0.001")
    for place, choices in enumerate(parts):
        more = choices if place else chosen(**TINY)
        assert said("learn", tmp_path / "run", *SHORT, *more).exit_code == 0
    digest = said("export", tmp_path / "run", tmp_path / "it.weights").output.strip()
    first, *others = read_weights((tmp_path / "it.weights").read_bytes(), digest).about["command"].split("; ")
    assert first.startswith("./dev train learn RUN --updates 2 --set games=8")
    assert others == [
        "./dev train learn RUN --updates 4 --set plan=1000000",
        "./dev train learn RUN --updates 2 --set rate=0.001",
    ]


def test_a_run_that_was_kept_without_its_history_has_one_command(tmp_path: Path) -> None:
    assert said("learn", tmp_path / "run", *SHORT, *chosen(**TINY)).exit_code == 0
    state = RunFolder(tmp_path / "run").read()
    torch.save({name: fact for name, fact in state.items() if name != "history"}, tmp_path / "run" / LEARNED)
    digest = said("export", tmp_path / "run", tmp_path / "it.weights").output.strip()
    about = read_weights((tmp_path / "it.weights").read_bytes(), digest).about
    assert about["command"].startswith("./dev train learn RUN --updates 2 --set games=8")


def unfit(state: dict[str, Any], damage: str) -> dict[str, Any]:
    """A checkpoint whose network is not what its settings say."""
    actor, settings = dict(state["actor"]), dict(state["settings"])
    match damage:
        case "no bias":
            del actor["hidden.0.bias"]
        case "another bias":
            actor["hidden.0.bias"] = torch.zeros(3)
        case "no network":
            actor = {}
        case "other rules":
            settings["rules"] = "players=4"
        case "other sizes":
            settings |= {"width": 300, "layers": 9}
    return {**state, "actor": actor, "settings": settings}


@pytest.mark.parametrize("damage", ["no bias", "another bias", "no network", "other rules", "other sizes"])
@pytest.mark.parametrize("command", ["export", "measure", "meet"])
def test_a_network_that_does_not_fit_its_settings_is_refused(damage: str, command: str, tmp_path: Path) -> None:
    assert said("learn", tmp_path / "run", *SHORT, *chosen(**TINY)).exit_code == 0
    torch.save(unfit(RunFolder(tmp_path / "run").read(), damage), tmp_path / "run" / LEARNED)
    file = tmp_path / "it.weights"
    done = said(command, tmp_path / "run", *([file] if command == "export" else ["--deals", 2]))
    assert (done.exit_code, file.exists()) == (1, False)
    assert "does not fit the settings that stand beside it" in done.output


@pytest.mark.parametrize("weight", [0.0, 40_000.0])
def test_weights_that_are_all_zero_are_written_and_too_large_ones_are_not(weight: float, tmp_path: Path) -> None:
    assert said("learn", tmp_path / "run", *SHORT, *chosen(**TINY)).exit_code == 0
    state = RunFolder(tmp_path / "run").read()
    state["actor"]["hidden.1.weight"].fill_(weight)
    torch.save(state, tmp_path / "run" / LEARNED)
    done = said("export", tmp_path / "run", tmp_path / "it.weights")
    if weight:
        assert (done.exit_code, (tmp_path / "it.weights").exists()) == (1, False)
        assert "so large that sums of them might not fit" in done.output
    else:
        play_out(Game(read_rules("players=2"), seed=5), [PolicyBot(learned_from(tmp_path / "it.weights"))] * 2)


@pytest.mark.parametrize("rules", ["players=2", "players=3", "players=4 multicolour=ten"])
def test_whatever_it_was_trained_for_it_plays_that_in_the_package(rules: str, tmp_path: Path) -> None:
    done = said("learn", tmp_path / "run", *SHORT, *chosen(**TINY, rules=rules))
    assert done.exit_code == 0, done.output
    assert said("export", tmp_path / "run", tmp_path / "it.weights").exit_code == 0
    trained_for, policy = read_rules(rules), learned_from(tmp_path / "it.weights")
    play_out(Game(trained_for, seed=5), [PolicyBot(policy) for _ in range(trained_for.players)])


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
