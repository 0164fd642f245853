"""Policies are measured, play with partners from other runs, and are plotted; the benchmark measures the training loop."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from click.testing import CliRunner, Result

from benchmarks.training import part_of, training
from tamaya.bots.learned.weights import LearnedLayer, LearnedWeights, write_weights
from tamaya.cli.league.plot import COLOURS
from tamaya.training.checkpoints import RunFolder
from tamaya.training.config import TrainingSettings
from tamaya.training.evaluation import EvalResult, Evaluator, Opponent, as_table, cross_play
from tamaya.training.export import quantise
from tamaya.training.ppo import Learner
from tests.training.support import DEVICE, SHORT, TINY, chosen, said, tiny

pytestmark = pytest.mark.slow
KIND = "players=2 last_mistake=points"
"""Rules under which beginners score points."""
DEALS, SEED = 40, 9
DOES_NOT_FIT = "does not fit the settings that stand beside it"


def run(folder: Path, rules: str = KIND, **changes: Any) -> Path:
    """A run that has just started."""
    learner = Learner(tiny(rules=rules, **changes), DEVICE)
    learner.update()
    RunFolder(folder).save(learner)
    return folder


def two(folder: Path, rules: str = KIND) -> list[Path]:
    """Two runs with different seeds."""
    return [run(folder / name, rules, seed=seed) for seed, name in enumerate(("ann", "bo"), 1)]


@pytest.fixture
def both(tmp_path: Path) -> list[Path]:
    """Two runs for two players."""
    return two(tmp_path)


def meet(*policies: Path) -> Result:
    return said("meet", "--device", DEVICE, "--deals", DEALS, "--seed", SEED, *policies)


def measured(folder: Path) -> EvalResult:
    """The result of `measure` on the same deals."""
    learner = Learner(RunFolder(folder).read_settings(), DEVICE)
    RunFolder(folder).restore(learner)
    return Evaluator(learner.settings, learner.score_actions, DEVICE, DEALS, SEED).measure()


def test_self_play_in_cross_play_is_what_measure_finds(both: list[Path]) -> None:
    found = cross_play([Opponent.read(folder, DEVICE) for folder in both], DEALS, SEED, DEVICE)
    assert [found[0][0], found[1][1]] == [measured(folder) for folder in both]
    assert all(strength.games == DEALS for row in found for strength in row)


@pytest.mark.parametrize("players", [2, 3])
def test_the_policy_of_a_row_sits_at_the_first_seat(players: int, tmp_path: Path) -> None:
    one, other = (Opponent.read(folder, DEVICE) for folder in two(tmp_path, f"players={players} last_mistake=points"))
    found = cross_play([one, other], DEALS, SEED, DEVICE)
    evaluator = Evaluator(one.settings, one.actor.score_actions, DEVICE, DEALS, SEED)
    assert found[0][1] == evaluator.measure([one.actor.score_actions, *[other.actor.score_actions] * (players - 1)])
    assert found[1][0] == evaluator.measure([other.actor.score_actions, *[one.actor.score_actions] * (players - 1)])
    assert found[0][1] != found[1][0], "it makes a difference who sits where"


def test_the_table_pairs_every_policy_with_every_other(both: list[Path]) -> None:
    done = meet(*both)
    assert done.exit_code == 0, done.output
    opponents = [Opponent.read(folder, DEVICE) for folder in both]
    found = cross_play(opponents, DEALS, SEED, DEVICE)
    assert done.output.strip() == as_table(opponents, found)
    (a, b), (c, d) = ([strength.mean for strength in row] for row in found)
    lines = done.output.splitlines()
    assert lines[0] == "| | ann | bo |"
    assert lines[2:4] == [f"| ann | {a:.2f} | {b:.2f} |", f"| bo | {c:.2f} | {d:.2f} |"]
    assert lines[-1] == f"With itself {(a + d) / 2:.2f}, with others {(b + c) / 2:.2f}."


def test_a_single_policy_plays_with_itself(both: list[Path]) -> None:
    lines = meet(both[0]).output.splitlines()
    assert lines[-1] == f"With itself {measured(both[0]).mean:.2f}."


def test_an_exported_file_plays_as_its_run_does(both: list[Path], tmp_path: Path) -> None:
    state = RunFolder(both[0]).read()
    about = {"settings": json.loads(json.dumps(state["settings"]))}
    file = tmp_path / "ann.weights"
    file.write_bytes(write_weights(quantise(state["actor"], about)))
    opponents = [Opponent.read(policy, DEVICE) for policy in (both[0], file)]
    assert opponents[0].settings == opponents[1].settings
    rows = torch.randint(0, 2, (50, opponents[0].actor.hidden[0].weight.shape[1]), dtype=torch.uint8)
    torch.testing.assert_close(
        opponents[0].actor.score_actions(rows), opponents[1].actor.score_actions(rows), rtol=0, atol=1e-2
    )
    assert meet(*both, file).exit_code == 0


def test_equal_rules_may_be_written_differently(tmp_path: Path) -> None:
    done = meet(run(tmp_path / "ann", "players=2 last_mistake=points"), run(tmp_path / "bo", "last_mistake=points"))
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("change", [{"rules": "players=3"}, {"history": 3}], ids=str)
def test_policies_with_other_rules_or_a_longer_history_cannot_meet(change: dict[str, Any], tmp_path: Path) -> None:
    done = meet(run(tmp_path / "ann"), run(tmp_path / "bo", **change))
    assert done.exit_code == 1
    assert "Only policies for the same rules that look as far back can play together." in done.output


def test_invalid_policies_are_refused_with_a_message(both: list[Path], tmp_path: Path) -> None:
    (tmp_path / "bad.weights").write_bytes(b"{}")
    (tmp_path / "old.weights").write_bytes(write_weights(quantise(RunFolder(both[0]).read()["actor"], {})))
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
def test_invalid_settings_in_a_file_are_refused_with_a_message(
    written: dict[str, Any], words: str, both: list[Path], tmp_path: Path
) -> None:
    state = RunFolder(both[0]).read()
    about = {"settings": {**state["settings"], **written}}
    (tmp_path / "odd.weights").write_bytes(write_weights(quantise(state["actor"], about)))
    done = meet(tmp_path / "odd.weights")
    assert done.exit_code == 1
    assert words in done.output


LINE = {"moves": 10, "mean": 3.0, "error": 0.1}


def test_a_run_is_measured_and_plotted(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert said("learn", folder, *SHORT, *chosen(**TINY)).exit_code == 0
    found = said("measure", folder, "--device", DEVICE, "--deals", "8")
    assert "games=8" in found.output
    assert said("plot", folder, tmp_path / "curve.png").exit_code == 0
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_runs_are_plotted_in_one_picture_with_a_colour_for_each_recipe(tmp_path: Path) -> None:
    for name in ("usual1", "usual2", "lively1"):
        RunFolder(tmp_path / name).append_curve(LINE)
        RunFolder(tmp_path / name).append_curve({**LINE, "moves": 20, "mean": 4.0})
    folders = [tmp_path / name for name in ("usual1", "usual2", "lively1")]
    done = said("plot", *folders, tmp_path / "all.svg")
    assert done.exit_code == 0, done.output
    picture = (tmp_path / "all.svg").read_text()
    drawn = {name: picture.count(f"stroke: {colour}") for name, colour in zip(("usual", "lively"), COLOURS, strict=False)}
    assert drawn["usual"] > drawn["lively"] > 0
    assert [word for word in ("usual", "lively", "usual1") if f"<!-- {word} -->" in picture] == ["usual", "lively"]


def test_a_plot_needs_the_curves_of_all_its_runs(tmp_path: Path) -> None:
    RunFolder(tmp_path / "one").append_curve(LINE)
    done = said("plot", tmp_path / "one", tmp_path / "two", tmp_path / "both.png")
    assert (done.exit_code, (tmp_path / "both.png").exists()) == (1, False)
    assert f"There is no curve in {tmp_path / 'two'}" in done.output


@pytest.mark.parametrize("name", ["curve.xyz", "curve"])
def test_a_plot_in_an_unknown_format_is_refused_with_a_message(name: str, tmp_path: Path) -> None:
    RunFolder(tmp_path / "one").append_curve(LINE)
    done = said("plot", tmp_path / "one", tmp_path / name)
    assert done.exit_code == 1
    assert f"{name} must end with the name of a format" in done.output
    assert "png" in done.output
    assert [file.name for file in tmp_path.iterdir()] == ["one"]


SMALL = ("--device", DEVICE, "--games", "8", "--turns", "4", "--updates", "1")


def bench(*wishes: str) -> Result:
    return CliRunner().invoke(training, [*SMALL, *wishes])


@pytest.mark.parametrize("wishes", [(), ("--off-belief",), ("--rules", "players=3")], ids=str)
def test_the_benchmark_names_what_was_trained(wishes: tuple[str, ...]) -> None:
    done = bench("--json", *wishes)
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert (report["games"], report["turns"], report["device"]) == (8, 4, "cpu")
    assert report["off_belief"] is ("--off-belief" in wishes)
    assert report["rules"] == (wishes[1] if "--rules" in wishes else "players=2")


@pytest.mark.parametrize(
    ("moves", "part"), [(32, 32), (15, 15), (16_384 * 32, 32_768), (20_000 * 32, 32_000), (40_000, 20_000)]
)
def test_any_number_of_games_is_cut_into_parts_of_about_the_usual_size(moves: int, part: int) -> None:
    assert part_of(moves, 32_768) == part
    assert TrainingSettings(games=moves, turns=1, minibatch=part).moves_per_update == moves


def test_shares_are_of_an_update_and_the_simulators_is_part_of_playing(monkeypatch: pytest.MonkeyPatch) -> None:
    taken, times = iter((0.5, 0.25, 0.05, 0.1)), list[int]()

    def seconds(work: Callable[[], object], count: int, wait: Callable[[], None]) -> float:
        work()
        times.append(count)
        return next(taken)

    monkeypatch.setattr("benchmarks.training._seconds", seconds)
    lines = dict(line.split(": ") for line in bench().output.splitlines())
    assert times == [1] * 4
    assert (lines["moves_per_s"], lines["update_ms"]) == ("64", "500.0")
    assert [lines[f"{part}_share"] for part in ("playing", "simulator", "judging", "learning")] == ["0.5", "0.2", "0.1", "0.4"]


def test_the_benchmark_reports_missing_packages_and_invalid_options(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = bench("--rules", "players=9")
    assert wrong.exit_code == 1
    assert "Error: players cannot be 9; allowed: 2, 3, 4, 5" in wrong.output
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert "There is no GPU" in CliRunner().invoke(training, ["--device", "cuda"]).output
    monkeypatch.setitem(sys.modules, "torch", None)
    done = bench()
    assert done.exit_code == 1
    assert "pip install 'tamaya[training]'" in done.output
