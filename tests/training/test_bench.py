"""The bench of the training, small: that its figures add up, not how fast this machine is."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from benchmarks.training import training
from tests.training.runs import DEVICE

pytestmark = pytest.mark.slow
SMALL = ("--device", DEVICE, "--games", "8", "--turns", "4", "--updates", "1")


def bench(*wishes: str) -> Result:
    return CliRunner().invoke(training, [*SMALL, *wishes])


@pytest.mark.parametrize("wishes", [(), ("--off-belief",), ("--rules", "players=3")], ids=str)
def test_the_parts_of_the_loop_add_up_to_all_of_it(wishes: tuple[str, ...]) -> None:
    report = json.loads(bench("--json", *wishes).stdout)
    assert (report["games"], report["turns"], report["device"]) == (8, 4, "cpu")
    assert report["off_belief"] is ("--off-belief" in wishes)
    assert report["moves_per_s"] > 0
    assert report["moves_per_s"] * report["update_ms"] / 1000 == pytest.approx(8 * 4, rel=0.05)
    assert sum(report[f"{part}_share"] for part in ("playing", "judging", "learning")) == pytest.approx(1, abs=0.002)
    assert report["simulator_share"] > 0


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
    assert "players" in bench("--rules", "players=9").output
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert "There is no GPU" in CliRunner().invoke(training, ["--device", "cuda"]).output
    monkeypatch.setitem(sys.modules, "torch", None)
    done = bench()
    assert done.exit_code == 1
    assert "pip install 'tamaya[training]'" in done.output
