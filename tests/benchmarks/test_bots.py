"""The benchmark of bots in miniature: that it counts right, not how fast this machine is."""

from __future__ import annotations

import json
import sys
from functools import partial

import pytest
from click.testing import CliRunner, Result

from benchmarks.bots import answer_times, bots, percentile
from tamaya.bots import BOTS, known_bots
from tamaya.rules import Rules
from tamaya.sim.team import team

pytestmark = pytest.mark.compiler
TINY = ("--players", "2", "--seconds", "0")


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Interpreted games: other tests compare them with compiled ones, which take long."""
    monkeypatch.setattr("benchmarks.bots.BATCH_SIZE", 1)
    monkeypatch.setattr("tamaya.sim.team.team", partial(team, speed_name="interpreted"))


def bench_bots(*arguments: str) -> Result:
    return CliRunner().invoke(bots, (*TINY, *arguments))


@pytest.mark.compiler
def test_every_house_bot_is_measured_and_policies_compiled_too() -> None:
    rows = json.loads(bench_bots("--json").stdout)
    assert [(row["players"], row["bot"]) for row in rows] == [(2, name) for name in BOTS if name in known_bots()]
    for row in rows:
        assert 0 < row["p50_ms"] <= row["p99_ms"] <= row["longest_ms"]
        assert row["newcomer_p99_ms"] > 0
        assert row["table_games_per_s"] > 0
        assert (row["compiled_games_per_s"] is not None) == (row["ratio"] is not None) == BOTS[row["bot"]].is_compiled


def test_bots_are_left_out_of_rules_that_they_do_not_know() -> None:
    rows = json.loads(bench_bots("--players", "3", "--bot", "learned", "--bot", "simple", "--json").stdout)
    assert [(row["players"], row["bot"]) for row in rows] == [(2, "learned"), (2, "simple"), (3, "simple")]


@pytest.mark.compiler
def test_the_table_names_players_bots_and_figures() -> None:
    lines = bench_bots("--bot", "hat", "--bot", "simple").output.splitlines()
    assert "p99 ms" in lines[2]
    assert [line.split()[:2] for line in lines[3:]] == [["2", "hat"], ["2", "simple"]]
    assert len({len(line) for line in lines[2:]}) == 1


def test_every_move_is_timed_and_whole_games_are_played() -> None:
    taken = answer_times(Rules(players=3), "simple", 0)
    assert taken.games == 1
    assert len(taken.seated) >= 30
    assert len(taken.newcomers) == -(-len(taken.seated) // 5)


@pytest.mark.parametrize(("part", "found"), [(0.5, 51.0), (0.99, 100.0), (1, 100.0)])
def test_percentiles(part: float, found: float) -> None:
    assert percentile([number / 1000 for number in range(100, 0, -1)], part) == found


def test_without_a_compiler_the_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    result = bench_bots()
    assert result.exit_code == 1
    assert "pip install 'tamaya[sim]'" in result.output
