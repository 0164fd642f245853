"""Settings keep their names in files; invalid values and unreadable or unwritable files are refused with a message."""

from __future__ import annotations

import math
from pathlib import Path

import click
import pytest
import torch
from click.testing import Result

from tamaya.training.checkpoints import CURVE_FILE, OPTIMIZER_FILE, POLICY_FILE, RunFolder
from tamaya.training.config import TrainingSettings, with_settings
from tamaya.training.ppo import Learner
from tests.training.support import DEVICE, SHORT, TINY, chosen, said

pytestmark = pytest.mark.slow
ON = ("--device", DEVICE)
IN_FILES = (
    "rules seed plan games turns epochs minibatch width layers past rate last_rate divergence entropy discount trace clip "
    "longest_step mercy off_belief"
)
"""The names of the settings in checkpoints and exported files."""


def test_settings_keep_their_names_in_files() -> None:
    written = TrainingSettings(history=3, loss_penalty=0.5, gae_lambda=0.8).as_json()
    assert " ".join(written) == IN_FILES
    assert (written["past"], written["mercy"], written["trace"]) == (3, 0.5, 0.8)
    assert TrainingSettings.from_json(written) == TrainingSettings(history=3, loss_penalty=0.5, gae_lambda=0.8)


@pytest.mark.parametrize("names", [("past", "mercy", "trace"), ("history", "loss_penalty", "gae_lambda")], ids=str)
def test_the_command_line_takes_a_setting_by_either_name(names: tuple[str, ...]) -> None:
    choices = [f"{name}={value}" for name, value in zip(names, ("3", "0.5", "0.8"), strict=True)]
    assert with_settings(TrainingSettings(), choices) == TrainingSettings(history=3, loss_penalty=0.5, gae_lambda=0.8)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run of two updates."""
    done = said("learn", tmp_path / "run", *SHORT, *chosen(**TINY))
    assert done.exit_code == 0, done.output
    return tmp_path / "run"


def refused(done: Result, words: str, status: int = 1) -> None:
    """Check that a command ended with an error message, not a crash."""
    assert done.exit_code == status, done.output
    assert isinstance(done.exception, SystemExit)
    assert words in " ".join(done.output.split())


@pytest.mark.parametrize(("command", "more"), [("measure", ()), ("export", ("x.weights",)), ("plot", ("x.png",))])
def test_a_missing_run_is_reported(command: str, more: tuple[str, ...], tmp_path: Path) -> None:
    done = said(command, tmp_path, *(tmp_path / name for name in more))
    assert done.exit_code == 1
    assert "There is no" in done.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["learn", "measure", "meet"])
@pytest.mark.parametrize("deals", ["1", "0", "1000001", "100000000000"])
def test_the_number_of_deals_has_limits(command: str, deals: str, tmp_path: Path) -> None:
    refused(said(command, tmp_path, *ON, "--deals", deals), "is not in the range 2<=x<=1000000", 2)


@pytest.mark.parametrize("command", ["measure", "meet"])
def test_an_invalid_seed_is_refused(command: str, folder: Path) -> None:
    refused(said(command, folder, *ON, "--seed", "99999999999999999999999"), "'--seed'", 2)
    assert said(command, folder, *ON, "--deals", "2", "--seed", 2**62).exit_code == 0


@pytest.mark.parametrize("command", ["learn", "measure", "meet"])
def test_without_a_gpu_cuda_is_refused(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    refused(said(command, tmp_path, "--device", "cuda"), "There is no GPU that PyTorch can use here.", 2)
    assert list(tmp_path.iterdir()) == []


def test_unwritable_places_are_named(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused(said("learn", tmp_path / "file" / "run", *SHORT, *chosen(**TINY)), "file/run: Not a directory")
    refused(said("plot", folder, tmp_path / "no" / "such" / "x.png"), "x.png: No such file or directory")
    usual = {name: value for name, value in TINY.items() if name not in ("width", "layers", "history")}
    assert said("learn", tmp_path / "usual", *SHORT, *chosen(**usual)).exit_code == 0
    refused(said("export", tmp_path / "usual", tmp_path / "no" / "it.weights"), "it.weights: No such file or directory")


@pytest.mark.parametrize("damage", ["cut off", "other bytes", "another thing", "empty", "no numbers"])
@pytest.mark.parametrize("command", ["learn", "measure", "meet", "export"])
def test_a_damaged_checkpoint_is_refused(damage: str, command: str, folder: Path, tmp_path: Path) -> None:
    file, state = folder / POLICY_FILE, RunFolder(folder).read()
    if damage in ("another thing", "no numbers"):
        torch.save({**state, "actor": {"out.weight": "x"}} if damage == "no numbers" else {"a": 1}, file)
    else:
        written = file.read_bytes()
        file.write_bytes({"cut off": written[:3000], "other bytes": b"x" * 3000, "empty": b""}[damage])
    words = {"learn": (folder, *SHORT), "export": (folder, tmp_path / "it.weights")}.get(command, (folder, *ON))
    refused(said(command, *words), f"{file} cannot be read as a run.")


def test_a_checkpoint_that_does_not_fit_its_settings_is_refused(folder: Path) -> None:
    state = RunFolder(folder).read()
    torch.save({**state, "settings": {**state["settings"], "width": 8}}, folder / POLICY_FILE)
    refused(said("learn", folder, *SHORT), "cannot be read as a run")


def test_damaged_moments_can_be_deleted(folder: Path) -> None:
    (folder / OPTIMIZER_FILE).write_bytes((folder / OPTIMIZER_FILE).read_bytes()[:3000])
    refused(said("learn", folder, *SHORT), "moments.pt cannot be read as a run. Without it, the run goes on as well.")
    (folder / OPTIMIZER_FILE).unlink()
    assert said("learn", folder, *SHORT).exit_code == 0


@pytest.mark.parametrize("other", [{"layers": 3}, {"layers": 1}, {"width": 8}], ids=str)
def test_the_moments_of_another_networks_optimiser_are_refused(other: dict[str, int], folder: Path, tmp_path: Path) -> None:
    assert said("learn", tmp_path / "other", *SHORT, *chosen(**{**TINY, **other})).exit_code == 0
    (folder / OPTIMIZER_FILE).write_bytes((tmp_path / "other" / OPTIMIZER_FILE).read_bytes())
    refused(said("learn", folder, *SHORT), "cannot be read as a run")


def test_an_incomplete_line_of_the_curve_is_ignored(folder: Path) -> None:
    whole = (folder / CURVE_FILE).read_text()
    (folder / CURVE_FILE).write_text(whole + whole[:40])
    assert len(RunFolder(folder).curve()) == 1
    done = said("learn", folder, *SHORT)
    assert done.exit_code == 0, done.output
    assert (folder / CURVE_FILE).read_text().startswith(whole)
    first, second = RunFolder(folder).curve()
    assert second["moves"] == 2 * first["moves"]


@pytest.mark.parametrize(
    "line",
    ["{moves", "7", "\ufffd", "{}", '{"moves": "x", "mean": 1}', '{"moves": 1}', '{"moves": 1, "mean": 1, "seconds": null}'],
)
def test_a_damaged_curve_is_reported(line: str, folder: Path, tmp_path: Path) -> None:
    (folder / CURVE_FILE).write_text(f"{line}\n", "utf-8")
    for command in (("learn", folder, *SHORT), ("plot", folder, tmp_path / "x.png")):
        refused(said(*command), "curve.jsonl cannot be read as a run.")


def test_a_diverging_run_leaves_its_checkpoint(folder: Path) -> None:
    kept = {file: file.read_bytes() for file in folder.iterdir()}
    refused(said("learn", folder, *SHORT, "--set", "rate=1e30"), "The run has diverged")
    assert {file: file.read_bytes() for file in folder.iterdir()} == kept


def test_weights_and_figures_that_are_not_finite_are_never_written(tmp_path: Path, folder: Path) -> None:
    run, kept = RunFolder(folder), {file: file.read_bytes() for file in folder.iterdir()}
    learner = Learner(run.read_settings(), DEVICE)
    torch.nn.init.constant_(learner.critic.out.bias, math.nan)
    with pytest.raises(click.ClickException, match="The run has diverged"):
        run.save(learner)
    with pytest.raises(click.ClickException, match="The run has diverged"):
        run.append_curve({"moves": 1, "entropy": math.nan})
    assert {file: file.read_bytes() for file in folder.iterdir()} == kept
