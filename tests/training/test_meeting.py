"""Policies meet partners with whom they have not learned."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from click.testing import Result

from tamaya.bots.learned.weights import LearnedLayer, LearnedWeights, write_weights
from tamaya.training.checkpoints import RunFolder
from tamaya.training.evaluation import Examiner, Guest, Strength, as_table, cross
from tamaya.training.export import exported
from tamaya.training.ppo import Learner
from tests.training.runs import DEVICE, said, tiny

pytestmark = pytest.mark.slow
KIND = "players=2 last_mistake=points"
"""Rules by which beginners have points to show."""
DEALS, SEED = 40, 9
DOES_NOT_FIT = "does not fit the settings that stand beside it"


def run(folder: Path, rules: str = KIND, **changes: Any) -> Path:
    """A run that has only just begun."""
    learner = Learner(tiny(rules=rules, **changes), DEVICE)
    learner.update()
    RunFolder(folder).keep(learner)
    return folder


def two(folder: Path, rules: str = KIND) -> list[Path]:
    """Two runs that began differently."""
    return [run(folder / name, rules, seed=seed) for seed, name in enumerate(("ann", "bo"), 1)]


@pytest.fixture
def both(tmp_path: Path) -> list[Path]:
    """Two runs for two players."""
    return two(tmp_path)


def meet(*policies: Path) -> Result:
    return said("meet", "--device", DEVICE, "--deals", DEALS, "--seed", SEED, *policies)


def measured(folder: Path) -> Strength:
    """What `measure` finds on the same deals."""
    learner = Learner(RunFolder(folder).read_settings(), DEVICE)
    RunFolder(folder).restore(learner)
    return Examiner(learner.settings, learner.judge, DEVICE, DEALS, SEED).measure()


def test_with_themselves_they_do_what_measuring_them_says(both: list[Path]) -> None:
    found = cross([Guest.read(folder, DEVICE) for folder in both], DEALS, SEED, DEVICE)
    assert [found[0][0], found[1][1]] == [measured(folder) for folder in both]
    assert all(strength.games == DEALS for row in found for strength in row)


@pytest.mark.parametrize("players", [2, 3])
def test_who_stands_before_a_line_sits_at_the_first_seat(players: int, tmp_path: Path) -> None:
    one, other = (Guest.read(folder, DEVICE) for folder in two(tmp_path, f"players={players} last_mistake=points"))
    found = cross([one, other], DEALS, SEED, DEVICE)
    examiner = Examiner(one.settings, one.actor.judge, DEVICE, DEALS, SEED)
    assert found[0][1] == examiner.measure([one.actor.judge, *[other.actor.judge] * (players - 1)])
    assert found[1][0] == examiner.measure([other.actor.judge, *[one.actor.judge] * (players - 1)])
    assert found[0][1] != found[1][0], "it makes a difference who sits where"


def test_the_table_has_everybody_with_everybody(both: list[Path]) -> None:
    done = meet(*both)
    assert done.exit_code == 0, done.output
    guests = [Guest.read(folder, DEVICE) for folder in both]
    found = cross(guests, DEALS, SEED, DEVICE)
    assert done.output.strip() == as_table(guests, found)
    (a, b), (c, d) = ([strength.mean for strength in row] for row in found)
    lines = done.output.splitlines()
    assert lines[0] == "| | ann | bo |"
    assert lines[2:4] == [f"| ann | {a:.2f} | {b:.2f} |", f"| bo | {c:.2f} | {d:.2f} |"]
    assert lines[-1] == f"With itself {(a + d) / 2:.2f}, with others {(b + c) / 2:.2f}."


def test_one_alone_meets_itself(both: list[Path]) -> None:
    lines = meet(both[0]).output.splitlines()
    assert lines[-1] == f"With itself {measured(both[0]).mean:.2f}."


def test_a_file_that_was_exported_plays_as_its_run_does(both: list[Path], tmp_path: Path) -> None:
    state = RunFolder(both[0]).read()
    about = {"settings": json.loads(json.dumps(state["settings"]))}
    file = tmp_path / "ann.weights"
    file.write_bytes(write_weights(exported(state["actor"], about)))
    guests = [Guest.read(policy, DEVICE) for policy in (both[0], file)]
    assert guests[0].settings == guests[1].settings
    rows = torch.randint(0, 2, (50, guests[0].actor.hidden[0].weight.shape[1]), dtype=torch.uint8)
    torch.testing.assert_close(guests[0].actor.judge(rows), guests[1].actor.judge(rows), rtol=0, atol=1e-2)
    assert meet(*both, file).exit_code == 0


def test_rules_are_the_same_however_they_are_written(tmp_path: Path) -> None:
    done = meet(run(tmp_path / "ann", "players=2 last_mistake=points"), run(tmp_path / "bo", "last_mistake=points"))
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("change", [{"rules": "players=3"}, {"past": 3}], ids=str)
def test_those_who_play_by_other_rules_or_look_back_further_cannot_meet(change: dict[str, Any], tmp_path: Path) -> None:
    done = meet(run(tmp_path / "ann"), run(tmp_path / "bo", **change))
    assert done.exit_code == 1
    assert "Only policies for the same rules that look as far back can play together." in done.output


def test_what_is_no_policy_is_refused_in_words(both: list[Path], tmp_path: Path) -> None:
    (tmp_path / "bad.weights").write_bytes(b"{}")
    (tmp_path / "old.weights").write_bytes(write_weights(exported(RunFolder(both[0]).read()["actor"], {})))
    about = {"settings": tiny(rules=KIND).as_json()}
    (tmp_path / "none.weights").write_bytes(write_weights(LearnedWeights(about, ())))
    apart = [LearnedLayer(np.ones(shape, np.int16), np.ones(shape[1], np.int64), 3) for shape in ((9, 5), (7, 20))]
    (tmp_path / "apart.weights").write_bytes(write_weights(LearnedWeights(about, tuple(apart))))
    (tmp_path / "empty").mkdir()
    for place, words in (
        ("bad.weights", "cannot be read as a network"),
        ("old.weights", "does not say by which settings it was trained"),
        ("none.weights", "cannot be read as a network"),
        ("apart.weights", DOES_NOT_FIT),
        ("empty", "There is no training run"),
    ):
        done = meet(both[0], tmp_path / place)
        assert done.exit_code == 1
        assert words in done.output


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ({"past": 4}, DOES_NOT_FIT),
        ({"past": 10**12}, DOES_NOT_FIT),
        ({"rules": "players=3"}, DOES_NOT_FIT),
        ({"layers": 10**12}, DOES_NOT_FIT),
        ({"width": 10**12}, DOES_NOT_FIT),
        ({"rules": "players=9"}, "players cannot be 9; allowed: 2, 3, 4, 5"),
        ({"rules": 2}, "rules cannot be 2"),
        ({"width": "x"}, "width cannot be 'x'"),
        ({"entropy": [0.1]}, "entropy cannot be (0.1,)"),
        ({"plan": 10**400}, "plan cannot be 1000"),
        ({"rate": math.nan}, "rate must be finite"),
    ],
)
def test_settings_in_a_file_that_make_no_sense_are_refused_in_words(
    written: dict[str, Any], words: str, both: list[Path], tmp_path: Path
) -> None:
    state = RunFolder(both[0]).read()
    about = {"settings": {**state["settings"], **written}}
    (tmp_path / "odd.weights").write_bytes(write_weights(exported(state["actor"], about)))
    done = meet(tmp_path / "odd.weights")
    assert done.exit_code == 1
    assert words in done.output
