"""What ``./dev bench search`` reports, from deals that were played before."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from click.testing import CliRunner

from benchmarks.search import Deal, Match, search

MATCH = Match("convention", 2, 500, seed=4)
DEALS = [
    Deal(0, plain=22, searched=25, plain_lost=False, searched_lost=False, seconds=(0.2, 0.4)),
    Deal(1, plain=0, searched=24, plain_lost=True, searched_lost=False, seconds=(0.6, 1.2)),
    Deal(2, plain=25, searched=25, plain_lost=False, searched_lost=False, seconds=(0.1,)),
]


def kept(path: Path, *matches: Match) -> Path:
    file = path / "kept"
    rows = ({**asdict(match), **asdict(deal)} for match in matches for deal in DEALS)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def test_deals_that_are_kept_are_not_played_again_and_are_added_up(tmp_path: Path) -> None:
    wishes = ["--deals", "3", "--rollouts", "500", "--seed", "4", "--keep", str(kept(tmp_path, MATCH)), "--json"]
    outcome = CliRunner().invoke(search, wishes, catch_exceptions=False)
    report = json.loads(outcome.stdout)
    assert (report["deals"], report["plain"], report["searched"], report["gain"]) == (3, 15.667, 24.667, 9.0)
    assert (report["perfect_plain"], report["perfect_searched"]) == (0.333, 0.667)
    assert (report["lost_plain"], report["lost_searched"]) == (1, 0)
    assert (report["seconds_mean"], report["seconds_most"]) == (0.5, 1.2)


def test_deals_of_another_match_do_not_count(tmp_path: Path) -> None:
    """The first three deals of either match are in the file; only one's own are added up."""
    other = Match("convention", 2, 500, seed=5)
    file = kept(tmp_path, MATCH, other)
    lines = file.read_text().replace('"searched": 24', '"searched": 1', 1)
    file.write_text(lines)
    reports = []
    for seed in ("4", "5"):
        wishes = ["--deals", "3", "--rollouts", "500", "--seed", seed, "--keep", str(file), "--json"]
        reports.append(json.loads(CliRunner().invoke(search, wishes, catch_exceptions=False).stdout))
    assert [report["searched"] for report in reports] == [17.0, 24.667]
