"""The benchmark of the engine, and the command that runs all benchmarks."""

import json

from click.testing import CliRunner

from benchmarks.__main__ import bench


def run(*arguments: str) -> str:
    result = CliRunner().invoke(bench, arguments)
    assert result.exit_code == 0, result.output
    return result.output


def test_kernel_and_game_are_compared_with_openspiel() -> None:
    rows = json.loads(run("engine", "--json", "--seconds", "0.001"))
    assert [row["players"] for row in rows] == [2, 3, 4, 5]
    assert all(row["kernel_ratio"] > 0 and row["game_ratio"] > 0 and row["openspiel_moves_per_s"] > 0 for row in rows)
    assert "kernel_ratio" in run("engine", "--seconds", "0.001")


def test_every_documented_benchmark_exists() -> None:
    assert " ".join(bench.commands) == "engine web capacity replay games same sim bots search coach training"
