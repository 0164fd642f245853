"""The bench of the training, small: what it measures, not how fast this machine is."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from benchmarks.training import part_of, training
from tamaya.training.config import TrainingSettings
from tests.training.runs import DEVICE

pytestmark = pytest.mark.slow
SMALL = ("--device", DEVICE, "--games", "8", "--turns", "4", "--updates", "1")


def bench(*wishes: str) -> Result:
    return CliRunner().invoke(training, [*SMALL, *wishes])


@pytest.mark.parametrize("wishes", [(), ("--off-belief",), ("--rules", "players=3")], ids=str)
def test_it_says_what_was_trained(wishes: tuple[str, ...]) -> None:
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
    assert TrainingSettings(games=moves, turns=1, minibatch=part).moves_an_update == moves


def test_shares_are_of_an_update_and_the_simulator_s_is_part_of_playing(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_what_is_missing_or_wrong_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = bench("--rules", "players=9")
    assert wrong.exit_code == 1
    assert "Error: players cannot be 9; allowed: 2, 3, 4, 5" in wrong.output
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert "There is no GPU" in CliRunner().invoke(training, ["--device", "cuda"]).output
    monkeypatch.setitem(sys.modules, "torch", None)
    done = bench()
    assert done.exit_code == 1
    assert "pip install 'tamaya[training]'" in done.output
