"""What a league shows: rows for programs, tables, bars, a report and a picture."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamaya import Rules
from tamaya.cli import tamaya as command_line
from tamaya.cli.league.showing import bar
from tamaya.league import Here, Run, Standing, difference, play_runs

WISHES = ("league", "random,cheat+random", "--players", "2-3", "--games", "5", "--seed", "8", "--workers", "1")
KEYS = ["bot", "players", "games", "mean", "stderr", "perfect", "lost", "games_per_s"]


def tamaya(*arguments: str) -> Result:
    result = CliRunner(env={"LC_ALL": "en_GB.UTF-8", "COLUMNS": "60"}).invoke(command_line, arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result


@pytest.fixture(scope="module")
def standings() -> list[Standing]:
    teams = ("random", "cheat+random")
    return play_runs([Run(team, Rules(players=players), 8, 5) for players in (2, 3) for team in teams], Here())


@pytest.mark.slow
def test_rows_are_the_same_whatever_else_is_shown_and_more_is_asked_for() -> None:
    plain, full = (json.loads(tamaya(*WISHES, "--json", *more).stdout) for more in ((), ("--histogram", "--differences")))
    assert [list(row) for row in plain] == [KEYS] * 4
    assert list(full) == ["rows", "differences"]
    assert [list(row) for row in full["rows"]] == [[*KEYS, "moves", "histogram"]] * 4
    for row, other in zip(plain, full["rows"], strict=True):
        assert {key: row[key] for key in KEYS[:-1]} == {key: other[key] for key in KEYS[:-1]}
        assert (sum(other["histogram"]), len(other["histogram"])) == (5, 26)


@pytest.mark.slow
def test_differences_are_shown_when_several_teams_are_named(standings: list[Standing]) -> None:
    found = [difference(standings[1], standings[0]), difference(standings[3], standings[2])]
    rows = json.loads(tamaya(*WISHES, "--json", "--differences").stdout)["differences"]
    assert rows == [json.loads(json.dumps(one.row())) for one in found]
    text = tamaya(*WISHES).stdout
    head, *lines = text.partition("\n\n")[2].splitlines()
    assert head.split() == ["difference", "players", "games", "mean", "95", "%", "interval"]
    assert [line.split()[:5] for line in lines] == [["cheat+random", "−", "random", str(players), "5"] for players in (2, 3)]
    low, high = found[1].interval or (0, 0)
    assert " ".join(lines[1].split()).endswith(
        f"{found[1].mean:+.3f} ± {found[1].standard_error:.3f} [{low:+.3f}, {high:+.3f}]"
    )
    assert "difference" not in tamaya("league", "random", *WISHES[2:]).stdout


@pytest.mark.slow
def test_bars_are_as_long_as_scores_are_frequent(standings: list[Standing]) -> None:
    text = tamaya(*WISHES, "--histogram").stdout
    block = text.split("\n\n")[2].splitlines()
    counts = standings[0].totals.histogram
    reached = [score for score, count in enumerate(counts) if count]
    assert block[0] == "random, 2"
    assert [int(line.split()[0]) for line in block[1:]] == list(range(reached[0], reached[-1] + 1))
    shares = [f"{count / 5:.1%}" for count in counts[reached[0] : reached[-1] + 1]]
    assert [line.split()[1] for line in block[1:]] == shares
    assert all(len(line) <= 60 for line in text.split("\n\n", 2)[2].splitlines())


@pytest.mark.parametrize(
    ("part", "drawn"), [(1, "████"), (0.5, "██"), (0.25 + 1 / 32, "█▏"), (0, ""), (0.0001, "▏"), (1 - 1 / 32, "███▉")]
)
def test_a_bar_is_drawn_to_an_eighth_and_nothing_rare_is_hidden(part: float, drawn: str) -> None:
    assert bar(part, 4) == drawn


def test_a_report_says_what_was_played_how_and_what_came_of_it(tmp_path: Path) -> None:
    path = tmp_path / "league.md"
    shown = tamaya(*WISHES, "--report", str(path), "--set", "mistakes=2").stdout
    page = path.read_text("utf-8")
    command = "tamaya league random,cheat+random --players 2-3 --games 5 --seed 8 --edition standard --set mistakes=2"
    assert f"```sh\n{command}\n```" in page
    assert "those of seed 8." in page
    rows = [re.split(r" {2,}", line) for line in shown.splitlines() if line]
    for row in rows:
        assert f"| {' | '.join(row)} |" in page
    assert [line for line in page.splitlines() if line.startswith("#")] == [
        "# A league of Hanabi bots", "## Differences", "## Scores"
    ]  # fmt: skip
    assert re.search(r"Tamaya [\d.]+, source [0-9a-f]{8}; .* cores?, Python", page)
    assert "random, 2\n" in page
    again = tamaya("league", "random", *WISHES[2:], "--report", str(path)).stdout
    assert "Differences" not in path.read_text("utf-8")
    assert again


@pytest.mark.slow
@pytest.mark.parametrize(("name", "begins"), [("league.png", b"\x89PNG"), ("league.svg", b"<?xml")])
def test_a_picture_is_drawn_in_the_format_of_its_name(tmp_path: Path, name: str, begins: bytes) -> None:
    tamaya(*WISHES, "--plot", str(tmp_path / name))
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_a_picture_in_no_known_format_is_told_in_words(tmp_path: Path) -> None:
    wishes = ("league", "random", "--players", "2", "--games", "1", "--workers", "1", "--plot", str(tmp_path / "league.doc"))
    result = CliRunner(env={"LC_ALL": "en_GB.UTF-8"}).invoke(command_line, wishes)
    assert result.exit_code == 2
    assert "league.doc cannot be written: Format 'doc' is not supported" in result.stderr
