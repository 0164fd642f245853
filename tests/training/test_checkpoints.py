"""An interrupted run resumes where it stopped."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
import torch

from tamaya.training.checkpoints import CURVE_FILE, MAX_FILE_BYTES, OPTIMIZER_FILE, POLICY_FILE, RunFolder
from tamaya.training.config import TrainingSettings
from tamaya.training.ppo import Learner
from tests.training.support import DEVICE, SHORT, TINY, chosen, memory_of, said, same, tiny

pytestmark = pytest.mark.slow
CHOSEN = chosen(**TINY)
MOVES = 2 * TINY["games"] * TINY["turns"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run of two updates."""
    done = said("learn", tmp_path / "run", *SHORT, *CHOSEN)
    assert done.exit_code == 0, done.output
    return tmp_path / "run"


def resumed(folder: Path) -> Learner:
    """A learner that resumes the run."""
    learner = Learner(RunFolder(folder).read_settings(), DEVICE)
    RunFolder(folder).restore(learner)
    return learner


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a run."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_everything_is_restored(tmp_path: Path) -> None:
    first = Learner(tiny(), DEVICE)
    for _ in range(3):
        first.update()
    RunFolder(tmp_path).save(first)
    second = resumed(tmp_path)
    assert (second.moves, second.rate, second.settings) == (first.moves, first.rate, first.settings)
    assert same(first.actor.state_dict(), second.actor.state_dict())
    assert same(first.critic.state_dict(), second.critic.state_dict())
    assert any(one.any() for one in memory_of(first))
    for one, other in zip(memory_of(first), memory_of(second), strict=True):
        torch.testing.assert_close(one, other, rtol=1 / 128, atol=1e-30)
    before = {name: weights.clone() for name, weights in second.actor.state_dict().items()}
    second.update()
    assert second.moves == first.moves + second.settings.moves_per_update
    assert not same(before, second.actor.state_dict())


def test_a_run_resumes_with_the_optimiser_options_of_its_device(folder: Path) -> None:
    """On a GPU the optimiser works differently, which its state tells."""
    moments = torch.load(folder / OPTIMIZER_FILE, weights_only=True)
    for group in moments["param_groups"]:
        group.update(capturable=True, fused=True, eps=1.0)
    torch.save(moments, folder / OPTIMIZER_FILE)
    plain, learner = Learner(tiny(), DEVICE), resumed(folder)
    ways = ("capturable", "fused", "eps")
    assert [learner.optimizer.param_groups[0][way] for way in ways] == [plain.optimizer.param_groups[0][way] for way in ways]
    assert any(one.any() for one in memory_of(learner))


def test_two_runs_cannot_use_one_folder(folder: Path) -> None:
    kept = contents(folder)
    with RunFolder(folder).locked():
        done = said("learn", folder, *SHORT)
    assert done.exit_code == 1
    assert "Another run is learning in" in done.output
    assert contents(folder) == kept
    assert said("learn", folder, *SHORT).exit_code == 0


def test_the_curve_continues(folder: Path) -> None:
    began = (folder / CURVE_FILE).read_text()
    done = said("learn", folder, *SHORT)
    assert done.exit_code == 0, done.output
    assert (folder / CURVE_FILE).read_text().startswith(began)
    first, second = (json.loads(line) for line in (folder / CURVE_FILE).read_text().splitlines())
    assert (first["moves"], second["moves"]) == (MOVES, 2 * MOVES)
    assert second["seconds"] >= first["seconds"]
    assert 0 <= second["mean"] <= 25


def test_a_run_resumes_without_the_optimisers_moments(folder: Path) -> None:
    (folder / OPTIMIZER_FILE).unlink()
    learner = resumed(folder)
    assert learner.moves == MOVES
    assert memory_of(learner) == []
    learner.update()
    assert learner.moves == MOVES * 3 // 2


def test_checkpoint_files_of_the_usual_size_stay_small(tmp_path: Path) -> None:
    learner = Learner(TrainingSettings(games=8, turns=4, minibatch=32), DEVICE)
    learner.update()
    RunFolder(tmp_path).save(learner)
    assert all(0 < (tmp_path / name).stat().st_size < MAX_FILE_BYTES == 16_000_000 for name in (POLICY_FILE, OPTIMIZER_FILE))


def test_the_estimated_size_is_that_of_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = TrainingSettings(games=8, turns=4, minibatch=32)
    learner, run = Learner(settings, DEVICE), RunFolder(tmp_path)
    learner.update()
    run.save(learner)
    largest = max((tmp_path / name).stat().st_size for name in (POLICY_FILE, OPTIMIZER_FILE))
    monkeypatch.setattr("tamaya.training.checkpoints.MAX_FILE_BYTES", int(1.01 * largest))
    run.check_size(settings)
    monkeypatch.setattr("tamaya.training.checkpoints.MAX_FILE_BYTES", largest - 1)
    with pytest.raises(click.ClickException, match="too large"):
        run.check_size(settings)
    run.check_size(settings, critic=False)


@pytest.mark.parametrize("choice", ["width=1024", "width=1000000", "past=1000000"])
def test_a_run_that_would_be_too_large_is_refused_before_training(choice: str, tmp_path: Path) -> None:
    done = said("learn", tmp_path / "run", *SHORT, *CHOSEN, "--set", choice, "--set", "layers=3")
    assert done.exit_code == 1
    assert "is too large" in done.output
    assert not (tmp_path / "run").exists()


def test_a_checkpoint_that_is_too_large_leaves_the_old_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = contents(folder)
    monkeypatch.setattr("tamaya.training.checkpoints.MAX_FILE_BYTES", 1000)
    with pytest.raises(click.ClickException, match="too large"):
        RunFolder(folder).save(resumed(folder))
    assert contents(folder) == kept


def test_the_curve_is_never_ahead_of_the_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    run = RunFolder(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(RunFolder, "append_curve", killed)
        assert said("learn", tmp_path, *SHORT, *CHOSEN).exit_code == 1
    assert (run.read()["moves"], run.curve()) == (MOVES, [])
    assert said("learn", tmp_path, *SHORT).exit_code == 0
    assert [line["moves"] for line in run.curve()] == [2 * MOVES]


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ("minibatch=24", "cannot be cut into parts of 24"),
        ("width=0", "width must be at least 1"),
        ("rules=players=9", "players cannot be 9"),
        ("speed=3", "speed=3 is no setting"),
        ("as_json=3", "as_json=3 is no setting"),
        ("width=wide", "width cannot be wide: say a whole number"),
        ("off_belief=maybe", "off_belief cannot be maybe: say yes or no"),
        ("rate=inf", "rate must be finite"),
        ("entropy=nan,0", "entropy must be finite"),
        ("minibatch=1", "minibatch must be at least 2"),
        ("clip=-1", "clip must be at least"),
        ("discount=0.9,5", "discount must be at least 0, and at most 1"),
        ("entropy=-1,0", "entropy must be at least 0"),
        ("last_rate=-1", "last_rate must be at least 0, and at most 1"),
        ("trace=3", "trace must be at least 0, and at most 1"),
        ("divergence=0,0", "divergence must be at least"),
        ("longest_step=-1", "longest_step must be at least"),
        ("mercy=-1", "mercy must be at least 0"),
        ("plan=0", "plan must be at least 1"),
        ("rate=0", "rate must be at least"),
        (f"seed={2**64}", "seed must be at least 0, and at most"),
        ("entropy=0.1", "entropy has 2 values"),
    ],
)
def test_invalid_settings_are_refused(choice: str, words: str, tmp_path: Path) -> None:
    done = said("learn", tmp_path / "run", *SHORT, *CHOSEN, "--set", choice)
    assert done.exit_code != 0
    assert words in done.output
    assert not (tmp_path / "run").exists()


def test_a_run_keeps_its_shape_while_other_settings_may_change(folder: Path) -> None:
    kept = (folder / POLICY_FILE).read_bytes()
    done = said("learn", folder, *SHORT, "--set", "width=32")
    assert done.exit_code == 1
    assert "has width=16, which cannot be changed" in done.output
    assert (folder / POLICY_FILE).read_bytes() == kept
    assert said("learn", folder, *SHORT, "--set", "plan=5000").exit_code == 0
    assert RunFolder(folder).read_settings().plan == 5000
