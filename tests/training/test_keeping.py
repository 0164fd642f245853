"""A run that was cut off goes on where it was."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import click
import pytest
import torch
from click.testing import CliRunner, Result

from tamaya.bots.learned.weights import read_weights
from tamaya.cli.league.plot import COLOURS
from tests.training.runs import DEVICE, TINY, memory_of, same, tiny
from training.__main__ import train
from training.keeping import CURVE, LARGEST, LEARNED, MOMENTS, RunFolder
from training.learning import Learner
from training.settings import TrainingSettings

pytestmark = pytest.mark.slow
CHOSEN = [word for name, value in TINY.items() for word in ("--set", f"{name}={value}")]
SMALL = ("--device", DEVICE, "--deals", "8", "--updates", "2")
MOVES = 2 * TINY["games"] * TINY["turns"]


def trained(*words: object) -> Result:
    """What the command line says."""
    return CliRunner().invoke(train, [str(word) for word in words])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run of two updates."""
    done = trained("learn", tmp_path / "run", *SMALL, *CHOSEN)
    assert done.exit_code == 0, done.output
    return tmp_path / "run"


def resumed(folder: Path) -> Learner:
    """A learner that goes on from there."""
    learner = Learner(RunFolder(folder).read_settings(), DEVICE)
    RunFolder(folder).restore(learner)
    return learner


def test_everything_comes_back(tmp_path: Path) -> None:
    first = Learner(tiny(), DEVICE)
    for _ in range(3):
        first.update()
    RunFolder(tmp_path).keep(first)
    second = resumed(tmp_path)
    assert (second.moves, second.rate, second.settings) == (first.moves, first.rate, first.settings)
    assert same(first.actor.state_dict(), second.actor.state_dict())
    assert same(first.critic.state_dict(), second.critic.state_dict())
    for one, other in zip(memory_of(first), memory_of(second), strict=True):
        assert one.abs().sum() > 0 or one.numel() == 0 or torch.equal(one, other)
        torch.testing.assert_close(one, other, rtol=1 / 128, atol=1e-30)
    before = {name: weights.clone() for name, weights in second.actor.state_dict().items()}
    second.update()
    assert second.moves == first.moves + second.settings.moves_an_update
    assert not same(before, second.actor.state_dict())


def test_the_curve_goes_on(folder: Path) -> None:
    began = (folder / CURVE).read_text()
    done = trained("learn", folder, *SMALL)
    assert done.exit_code == 0, done.output
    assert (folder / CURVE).read_text().startswith(began)
    first, second = (json.loads(line) for line in (folder / CURVE).read_text().splitlines())
    assert (first["moves"], second["moves"]) == (MOVES, 2 * MOVES)
    assert second["seconds"] >= first["seconds"]
    assert 0 <= second["mean"] <= 25


def test_it_goes_on_without_what_the_optimiser_remembers(folder: Path) -> None:
    (folder / MOMENTS).unlink()
    learner = resumed(folder)
    assert learner.moves == MOVES
    assert memory_of(learner) == []
    learner.update()
    assert learner.moves == MOVES * 3 // 2


def test_files_of_a_checkpoint_stay_small_at_the_usual_size(tmp_path: Path) -> None:
    learner = Learner(TrainingSettings(games=8, turns=4, minibatch=32), DEVICE)
    learner.update()
    RunFolder(tmp_path).keep(learner)
    assert all(0 < (tmp_path / name).stat().st_size < LARGEST == 16_000_000 for name in (LEARNED, MOMENTS))


def test_one_that_is_too_large_is_refused_and_the_old_one_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = (folder / LEARNED).read_bytes()
    monkeypatch.setattr("training.keeping.LARGEST", 1000)
    with pytest.raises(click.ClickException, match="too large"):
        RunFolder(folder).keep(resumed(folder))
    assert (folder / LEARNED).read_bytes() == kept


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ("minibatch=24", "cannot be cut into parts of 24"),
        ("width=0", "width must be at least 1"),
        ("rules=players=9", "players"),
        ("speed=3", "speed=3 is no setting"),
        ("as_json=3", "as_json=3 is no setting"),
        ("width=wide", "width cannot be wide"),
        ("entropy=0.1", "entropy has 2 values"),
    ],
)
def test_settings_that_make_no_sense_are_refused(choice: str, said: str, tmp_path: Path) -> None:
    done = trained("learn", tmp_path / "run", *SMALL, *CHOSEN, "--set", choice)
    assert done.exit_code != 0
    assert said in done.output
    assert not (tmp_path / "run").exists()


def test_a_run_keeps_its_shape_while_other_settings_may_change(folder: Path) -> None:
    kept = (folder / LEARNED).read_bytes()
    done = trained("learn", folder, *SMALL, "--set", "width=32")
    assert done.exit_code == 1
    assert "has width=16, which cannot be changed" in done.output
    assert (folder / LEARNED).read_bytes() == kept
    assert trained("learn", folder, *SMALL, "--set", "plan=5000").exit_code == 0
    assert RunFolder(folder).read_settings().plan == 5000


def test_what_was_learned_is_written_for_the_package(tmp_path: Path) -> None:
    small = [f"{name}={TINY[name]}" for name in ("games", "turns", "minibatch")]
    more = [word for choice in small for word in ("--set", choice)]
    assert trained("learn", tmp_path / "run", *SMALL, *more).exit_code == 0
    done = trained("export", tmp_path / "run", tmp_path / "it.weights")
    assert done.exit_code == 0, done.output
    data = (tmp_path / "it.weights").read_bytes()
    assert done.output.strip() == hashlib.sha256(data).hexdigest()
    weights = read_weights(data, done.output.strip())
    assert (weights.about["rules"], weights.about["moves"]) == ("players=2", MOVES)
    assert weights.about["mean"] == RunFolder(tmp_path / "run").curve()[-1]["mean"]
    assert weights.about["command"].startswith("./dev train learn")
    assert str(tmp_path) not in json.dumps(weights.about), "no path of a machine"


def test_a_network_of_another_shape_is_not_written_for_the_package(folder: Path, tmp_path: Path) -> None:
    done = trained("export", folder, tmp_path / "it.weights")
    assert (done.exit_code, (tmp_path / "it.weights").exists()) == (1, False)
    assert "the usual width, layers and past alone" in done.output


def test_a_run_is_measured_and_drawn(folder: Path, tmp_path: Path) -> None:
    said = trained("measure", folder, "--device", DEVICE, "--deals", "8")
    assert "games=8" in said.output
    assert trained("plot", folder, tmp_path / "curve.png").exit_code == 0
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_runs_are_drawn_in_one_picture_with_a_colour_for_each_recipe(tmp_path: Path) -> None:
    line = {"moves": 10, "mean": 3.0, "error": 0.1}
    for name in ("usual1", "usual2", "lively1"):
        RunFolder(tmp_path / name).note(line)
        RunFolder(tmp_path / name).note({**line, "moves": 20, "mean": 4.0})
    folders = [tmp_path / name for name in ("usual1", "usual2", "lively1")]
    done = trained("plot", *folders, tmp_path / "all.svg")
    assert done.exit_code == 0, done.output
    picture = (tmp_path / "all.svg").read_text()
    drawn = {name: picture.count(f"stroke: {colour}") for name, colour in zip(("usual", "lively"), COLOURS, strict=False)}
    assert drawn["usual"] > drawn["lively"] > 0
    assert [word for word in ("usual", "lively", "usual1") if f"<!-- {word} -->" in picture] == ["usual", "lively"]


def test_a_picture_needs_the_curves_of_all_its_runs(tmp_path: Path) -> None:
    RunFolder(tmp_path / "one").note({"moves": 10, "mean": 3.0, "error": 0.1})
    done = trained("plot", tmp_path / "one", tmp_path / "two", tmp_path / "both.png")
    assert (done.exit_code, (tmp_path / "both.png").exists()) == (1, False)
    assert f"There is no curve in {tmp_path / 'two'}" in done.output


@pytest.mark.parametrize(("command", "more"), [("measure", ()), ("export", ("x.weights",)), ("plot", ("x.png",))])
def test_where_there_is_no_run_it_says_so(command: str, more: tuple[str, ...], tmp_path: Path) -> None:
    done = trained(command, tmp_path, *(tmp_path / name for name in more))
    assert done.exit_code == 1
    assert "There is no" in done.output
    assert list(tmp_path.iterdir()) == []
