"""Runs are measured and drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from tamaya.cli.league.plot import COLOURS
from tamaya.training.checkpoints import RunFolder
from tests.training.runs import DEVICE, SHORT, TINY, chosen, said

pytestmark = pytest.mark.slow
LINE = {"moves": 10, "mean": 3.0, "error": 0.1}


def test_a_run_is_measured_and_drawn(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert said("learn", folder, *SHORT, *chosen(**TINY)).exit_code == 0
    found = said("measure", folder, "--device", DEVICE, "--deals", "8")
    assert "games=8" in found.output
    assert said("plot", folder, tmp_path / "curve.png").exit_code == 0
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_runs_are_drawn_in_one_picture_with_a_colour_for_each_recipe(tmp_path: Path) -> None:
    for name in ("usual1", "usual2", "lively1"):
        RunFolder(tmp_path / name).note(LINE)
        RunFolder(tmp_path / name).note({**LINE, "moves": 20, "mean": 4.0})
    folders = [tmp_path / name for name in ("usual1", "usual2", "lively1")]
    done = said("plot", *folders, tmp_path / "all.svg")
    assert done.exit_code == 0, done.output
    picture = (tmp_path / "all.svg").read_text()
    drawn = {name: picture.count(f"stroke: {colour}") for name, colour in zip(("usual", "lively"), COLOURS, strict=False)}
    assert drawn["usual"] > drawn["lively"] > 0
    assert [word for word in ("usual", "lively", "usual1") if f"<!-- {word} -->" in picture] == ["usual", "lively"]


def test_a_picture_needs_the_curves_of_all_its_runs(tmp_path: Path) -> None:
    RunFolder(tmp_path / "one").note(LINE)
    done = said("plot", tmp_path / "one", tmp_path / "two", tmp_path / "both.png")
    assert (done.exit_code, (tmp_path / "both.png").exists()) == (1, False)
    assert f"There is no curve in {tmp_path / 'two'}" in done.output


@pytest.mark.parametrize("name", ["curve.xyz", "curve"])
def test_a_picture_of_no_known_format_is_refused_in_words(name: str, tmp_path: Path) -> None:
    RunFolder(tmp_path / "one").note(LINE)
    done = said("plot", tmp_path / "one", tmp_path / name)
    assert done.exit_code == 1
    assert f"{name} must end with the name of a format" in done.output
    assert "png" in done.output
    assert [file.name for file in tmp_path.iterdir()] == ["one"]
