"""The benchmark of “My games” in miniature: that it requests pages with all the games, not how fast this machine is."""

import json

import pytest
from click.testing import CliRunner

from benchmarks.games import ADDRESSES, games

pytestmark = pytest.mark.slow


def test_pages_with_the_requested_number_of_games_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.games.MAX_MS", 1e9)
    monkeypatch.setattr("benchmarks.games.ADDRESSES", ADDRESSES[:2])
    small = ["--games", "30", "--among", "60", "--times", "2"]
    report = json.loads(CliRunner().invoke(games, [*small, "--json"]).output)
    assert (report["games"], report["among"]) == (30, 60)
    first, second = report["pages"].values()
    assert len(first["ms"]) == len(second["ms"]) == 2
    assert first["bytes"] > second["bytes"], "there is nothing on page 200"
    assert "30 games of one person among 60" in CliRunner().invoke(games, small).output
