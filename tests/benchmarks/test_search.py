"""The report of ``./dev bench search``, from stored deals."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks.search import SearchDeal, SearchMatch, adjusted, search
from tamaya.bots import find_policy

MATCH = SearchMatch("convention", 2, 500, seed=4)
DEALS = [
    SearchDeal(0, plain=22, searched=25, plain_lost=False, searched_lost=False, seconds=(0.2, 0.4)),
    SearchDeal(1, plain=0, searched=24, plain_lost=True, searched_lost=False, seconds=(0.6, 1.2)),
    SearchDeal(2, plain=25, searched=25, plain_lost=False, searched_lost=False, seconds=(0.1,)),
]


def both_ways(plain: int, searched: int) -> SearchDeal:
    return SearchDeal(0, int(plain), int(searched), plain_lost=False, searched_lost=False, seconds=())


def kept(path: Path, *matches: SearchMatch) -> Path:
    file = path / "kept"
    rows = ({**asdict(match), **asdict(deal)} for match in matches for deal in DEALS)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def test_stored_deals_are_not_played_again_and_are_counted(tmp_path: Path) -> None:
    wishes = [
        "--deals",
        "3",
        "--rollouts",
        "500",
        "--seed",
        "4",
        "--plain",
        "0",
        "--keep",
        str(kept(tmp_path, MATCH)),
        "--json",
    ]
    outcome = CliRunner().invoke(search, wishes, catch_exceptions=False)
    report = json.loads(outcome.stdout)
    assert (report["deals"], report["plain"], report["searched"], report["gain"]) == (3, 15.667, 24.667, 9.0)
    assert (report["perfect_plain"], report["perfect_searched"]) == (0.333, 0.667)
    assert (report["lost_plain"], report["lost_searched"]) == (1, 0)
    assert (report["seconds_mean"], report["seconds_most"]) == (0.5, 1.2)


def test_deals_of_another_match_are_not_counted(tmp_path: Path) -> None:
    """The first three deals of either match are in the file; only those of the same match are counted."""
    other = SearchMatch("convention", 2, 500, seed=5)
    file = kept(tmp_path, MATCH, other)
    lines = file.read_text().replace('"searched": 24', '"searched": 1', 1)
    file.write_text(lines)
    reports = []
    for seed in ("4", "5"):
        wishes = ["--deals", "3", "--rollouts", "500", "--seed", seed, "--plain", "0", "--keep", str(file), "--json"]
        reports.append(json.loads(CliRunner().invoke(search, wishes, catch_exceptions=False).stdout))
    assert [report["searched"] for report in reports] == [17.0, 24.667]


def test_old_stored_deals_without_a_network_are_counted(tmp_path: Path) -> None:
    file = kept(tmp_path, MATCH)
    file.write_text(file.read_text().replace('"plays_with": "", ', ""))
    assert "plays_with" not in file.read_text()
    wishes = ["--deals", "3", "--rollouts", "500", "--seed", "4", "--plain", "0", "--keep", str(file), "--json"]
    assert json.loads(CliRunner().invoke(search, wishes, catch_exceptions=False).stdout)["searched"] == 24.667


def test_deals_of_another_network_are_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = kept(tmp_path, *(replace(MATCH, plays_with=network) for network in ("one", "other")))
    file.write_text(file.read_text().replace('"searched": 24', '"searched": 1', 1))
    found = []
    for network in ("one", "other"):
        policy = replace(find_policy(MATCH.policy), plays_with=network)
        monkeypatch.setattr("benchmarks.search.find_policy", {MATCH.policy: policy}.get)
        wishes = ["--deals", "3", "--rollouts", "500", "--seed", "4", "--plain", "0", "--keep", str(file), "--json"]
        found.append(json.loads(CliRunner().invoke(search, wishes, catch_exceptions=False).stdout)["searched"])
    assert found == [17.0, 24.667]


def test_the_gain_is_adjusted_for_easy_deals() -> None:
    """Search gains half of what the plain policy misses, and the hardest deals happen not to be searched."""
    noise = np.random.default_rng(1)
    plain = noise.integers(1000, 2500, 4000)
    searched = (plain + 2500) // 2 + noise.integers(-50, 50, len(plain))
    deals = [both_ways(*scores) for scores in zip(plain, searched, strict=True) if scores[0] > 1300]
    report = adjusted(deals, plain)
    assert abs(report["adjusted"] - searched.mean()) < 10
    assert np.mean([deal.searched for deal in deals]) > searched.mean() + 50


def test_adjusted_means_vary_as_their_error_says_and_less_than_plain_ones() -> None:
    noise = np.random.default_rng(2)
    reports, means = [], []
    for _ in range(200):
        plain = noise.integers(15, 26, 2000)
        searched = plain[:200] // 2 + noise.integers(10, 14, 200)
        reports.append(adjusted([both_ways(*scores) for scores in zip(plain, searched, strict=False)], plain))
        means.append(searched.mean())
    spread = np.std([report["adjusted"] for report in reports])
    assert 0.85 < spread / np.mean([report["adjusted_error"] for report in reports]) < 1.15
    assert spread < 0.8 * np.std(means)


def test_nothing_is_adjusted_where_all_plain_scores_are_the_same() -> None:
    assert adjusted([both_ways(25, searched) for searched in range(20, 25)], np.array([24, 25])) == {}
