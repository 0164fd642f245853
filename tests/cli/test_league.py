"""``tamaya league`` and ``tamaya games``: refusals, tables, JSON rows, histograms, reports and plots."""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamaya import Rules
from tamaya.cli import tamaya as command_line
from tamaya.cli.league import chosen_players
from tamaya.cli.league.report import bar
from tamaya.league import InProcess, Match, MatchResult, difference, play_game, play_matches
from tamaya.record import read_file
from tests.programs import rest_of, start_python, wait_until


def tamaya(*arguments: str) -> Result:
    return CliRunner(env={"LC_ALL": "en_GB.UTF-8", "COLUMNS": "100"}).invoke(command_line, arguments)


@pytest.mark.slow
def test_json_has_a_row_for_each_bot_and_number_of_players() -> None:
    result = tamaya("league", "simple", "--players", "2-3", "--games", "4", "--seed", "9", "--json", "--workers", "1")
    assert (result.exit_code, result.stderr) == (0, "")
    rows = json.loads(result.stdout)
    expected = play_matches([Match("simple", Rules(players=players), 9, 4) for players in (2, 3)], InProcess())
    keys = ["bot", "players", "games", "mean", "stderr", "perfect", "lost", "games_per_s"]
    assert [list(row) for row in rows] == [keys, keys]
    assert [{**row, "games_per_s": 0} for row in rows] == [{**standing.row(), "games_per_s": 0} for standing in expected]
    assert [(row["bot"], row["players"], row["games"]) for row in rows] == [("simple", 2, 4), ("simple", 3, 4)]
    assert all(row["games_per_s"] > 0 and 0 <= row["perfect"] <= 1 and 0 <= row["lost"] <= 1 for row in rows)


def test_league_prints_a_table() -> None:
    result = tamaya("league", "simple", "--players", "2", "--games", "3", "--workers", "1")
    head, row = result.stdout.splitlines()
    figures = play_matches([Match("simple", Rules(), 0, 3)], InProcess())[0].statistics
    assert head.split() == ["bot", "players", "games", "mean", "score", "perfect", "lost", "moves", "games/s", "a", "core"]
    assert row.split()[:5] == ["simple", "2", "3", f"{figures.mean:.3f}", "±"]
    assert (row.split()[5], row.split()[8]) == (f"{figures.standard_error:.3f}", f"{figures.moves:.1f}")


def test_league_plays_by_the_chosen_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[Match] = []

    def note(runs: Sequence[Match], *rest: object, **wishes: object) -> list[MatchResult]:
        played.extend(runs)
        return []

    monkeypatch.setattr("tamaya.cli.league.play_matches", note)
    wishes = ("--edition", "french", "--variant", "B", "--set", "mistakes=2", "--players", "5,2", "--games", "7", "--seed", "3")
    tamaya("league", "simple,simple", *wishes)
    tamaya("league", "simple")
    french = [Rules.from_json({**RULES, "players": players}) for players in (5, 2)]
    assert played[:2] == [Match("simple", rules, 3, 7) for rules in french]
    assert played[2:] == [Match("simple", Rules(players=players), 0, 1000) for players in (2, 3, 4, 5)]


RULES = {"multicolour": "five", "mistakes": 2, "empty_clues": True, "last_mistake": "lost"}


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("4", "4"), ("2-5", "2345"), ("2,3", "23"), ("5,2", "52"), ("2-3,5", "235"), ("3, 2-4", "324"), ("2–4", "234")],
)
def test_players_are_a_number_a_list_or_a_range(text: str, numbers: str) -> None:
    assert chosen_players(text) == list(numbers)


@pytest.mark.slow
def test_games_writes_valid_records(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    wishes = ("--players", "4", "--games", "3", "--seed", "2", "--edition", "french", "--workers", "1")
    result = tamaya("games", "simple", "--out", str(path), *wishes, "--json")
    assert result.exit_code == 0
    row = json.loads(result.stdout)
    assert (row["bot"], row["players"], row["games"], row["file"]) == ("simple", 4, 3, str(path))
    rules = Rules(players=4, empty_clues=True, last_mistake="lost")  # type: ignore[arg-type]
    replays = [entry.replay for entry in read_file(path)]
    assert [replay.game for replay in replays if replay] == [play_game(Match("simple", rules, 2, 3), n) for n in range(3)]
    assert tamaya("verify", str(path)).stdout.endswith("3 games, 3 right.\n")
    again = tamaya("games", "simple", "--out", str(path), *wishes)
    assert (again.exit_code, again.stdout) == (2, "")
    assert "already; choose another name" in again.stderr
    assert "simple" in tamaya("games", "simple", "--out", str(tmp_path / "other"), *wishes).stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("league", "deep"), "There is no bot “deep”; the bots are convention, simple"),
        (("league", "simple,"), "There is no bot “”"),
        (("league", "simple+"), "“simple+” is no team; write its bots with a + between them: hat+simple."),
        (("league", "simple+deep"), "There is no bot “deep”"),
        (("league", "hat+simple+random"), "The team hat+simple+random has 3 bots, too many for 2 players; leave bots out"),
        (("league", "simple", "--keep", "nowhere/file"), "nowhere/file cannot be written: No such file or directory."),
        (("league", "simple", "--report", "nowhere/file"), "nowhere/file cannot be written: No such file or directory."),
        (("league", "simple", "--plot", "."), ". cannot be written: Is a directory."),
        (("league", "simple", "--games", "0"), "--games is a whole number from 1 to 1000000000000, not “0”."),
        (("league", "simple", "--games", "-3"), "--games is a whole number"),
        (("league", "simple", "--games", "many"), "not “many”."),
        (("league", "simple", "--games", "1.5"), "not “1.5”."),
        (("league", "simple", "--workers", "0"), "--workers is a whole number from 1 to 10000, not “0”."),
        (("league", "simple", "--seed", "word"), "A seed is a whole number from 0 to 18446744073709551615."),
        (("league", "simple", "--seed", "-1"), "A seed is a whole number"),
        (("league", "simple", "--seed", "18446744073709551616"), "A seed is a whole number"),
        (("league", "simple", "--seed", "9" * 5000), "A seed is a whole number"),
        (("league", "simple", "--players", "1-3"), "“1-3” are no numbers of players; write 4, 2,3 or 2-5, from 2 to 5."),
        (("league", "simple", "--players", "5-2"), "“5-2” are no numbers of players"),
        (("league", "simple", "--players", "2-"), "“2-” are no numbers of players"),
        (("league", "simple", "--players", ""), "“” are no numbers of players"),
        (("league", "simple", "--edition", "german"), "There is no edition “german”"),
        (("league", "simple", "--set", "mistakes"), "Write a setting like this"),
        pytest.param(
            ("league", "simple", "--cluster", "nowhere"),
            "“nowhere” is no address of a Ray cluster; write 192.168.0.10:6379",
            marks=pytest.mark.cluster,
        ),
        pytest.param(
            ("league", "simple", "--cluster", "127.0.0.1:1"),
            "The Ray cluster at 127.0.0.1:1 cannot be used: Connection refused",
            marks=pytest.mark.cluster,
        ),
        (("games", "simple", "--out", "nowhere/file"), "nowhere/file cannot be written: No such file or directory."),
        (("games", "simple", "--out", "file", "--players", "7"), "players cannot be 7"),
        (("games", "deep", "--out", "file"), "There is no bot “deep”"),
        (("games", "simple", "--out", "file", "--games", "0"), "--games is a whole number"),
        pytest.param(
            ("games", "simple", "--out", "file", "--cluster", "127.0.0.1:1"),
            "cannot be used: Connection refused",
            marks=pytest.mark.cluster,
        ),
    ],
)
def test_invalid_arguments_are_refused_with_the_valid_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = tamaya(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_interruption_prints_a_message_and_leaves_no_file(tmp_path: Path, workers: str) -> None:
    path = tmp_path / "games.jsonl"
    command = ("-m", "tamaya", "games", "simple", "--games", "1000000", "--out", str(path), "--workers", workers)
    with start_python(*command, "--lang", "en") as program:
        wait_until(lambda: any(tmp_path.iterdir()), "the first games to be written", program)
        time.sleep(0.3)
        program.send_signal(signal.SIGINT)
        assert rest_of(program)[1] == "Stopped before the end; nothing was kept.\n"
        assert program.returncode == 130
    assert list(tmp_path.iterdir()) == []


WISHES = ("league", "random,cheat+random", "--players", "2-3", "--games", "5", "--seed", "8", "--workers", "1")
KEYS = ["bot", "players", "games", "mean", "stderr", "perfect", "lost", "games_per_s"]


def shown(*arguments: str) -> Result:
    result = CliRunner(env={"LC_ALL": "en_GB.UTF-8", "COLUMNS": "60"}).invoke(command_line, arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result


@pytest.fixture(scope="module")
def standings() -> list[MatchResult]:
    teams = ("random", "cheat+random")
    return play_matches([Match(team, Rules(players=players), 8, 5) for players in (2, 3) for team in teams], InProcess())


@pytest.mark.slow
def test_rows_do_not_depend_on_other_output_options() -> None:
    plain, full = (json.loads(shown(*WISHES, "--json", *more).stdout) for more in ((), ("--histogram", "--differences")))
    assert [list(row) for row in plain] == [KEYS] * 4
    assert list(full) == ["rows", "differences"]
    assert [list(row) for row in full["rows"]] == [[*KEYS, "moves", "histogram"]] * 4
    for row, other in zip(plain, full["rows"], strict=True):
        assert {key: row[key] for key in KEYS[:-1]} == {key: other[key] for key in KEYS[:-1]}
        assert (sum(other["histogram"]), len(other["histogram"])) == (5, 26)


@pytest.mark.slow
def test_differences_are_shown_when_several_teams_are_named(standings: list[MatchResult]) -> None:
    found = [difference(standings[1], standings[0]), difference(standings[3], standings[2])]
    rows = json.loads(shown(*WISHES, "--json", "--differences").stdout)["differences"]
    assert rows == [json.loads(json.dumps(one.row())) for one in found]
    text = shown(*WISHES).stdout
    head, *lines = text.partition("\n\n")[2].splitlines()
    assert head.split() == ["difference", "players", "games", "mean", "95", "%", "interval"]
    assert [line.split()[:5] for line in lines] == [["cheat+random", "−", "random", str(players), "5"] for players in (2, 3)]
    low, high = found[1].interval or (0, 0)
    assert " ".join(lines[1].split()).endswith(
        f"{found[1].mean:+.3f} ± {found[1].standard_error:.3f} [{low:+.3f}, {high:+.3f}]"
    )
    assert "difference" not in shown("league", "random", *WISHES[2:]).stdout


@pytest.mark.slow
def test_bars_are_proportional_to_frequencies(standings: list[MatchResult]) -> None:
    text = shown(*WISHES, "--histogram").stdout
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
def test_bars_have_eighths_and_rare_scores_are_visible(part: float, drawn: str) -> None:
    assert bar(part, 4) == drawn


def test_a_report_has_command_rules_results_and_machine(tmp_path: Path) -> None:
    path = tmp_path / "league.md"
    text = shown(*WISHES, "--report", str(path), "--set", "mistakes=2").stdout
    page = path.read_text("utf-8")
    command = "tamaya league random,cheat+random --players 2-3 --games 5 --seed 8 --edition standard --set mistakes=2"
    assert f"```sh\n{command}\n```" in page
    assert "those of seed 8." in page
    rows = [re.split(r" {2,}", line) for line in text.splitlines() if line]
    for row in rows:
        assert f"| {' | '.join(row)} |" in page
    assert [line for line in page.splitlines() if line.startswith("#")] == [
        "# A league of Hanabi bots", "## Differences", "## Scores"
    ]  # fmt: skip
    assert re.search(r"Tamaya [\d.]+, source [0-9a-f]{8}; .* cores?, Python", page)
    assert "random, 2\n" in page
    again = shown("league", "random", *WISHES[2:], "--report", str(path)).stdout
    assert "Differences" not in path.read_text("utf-8")
    assert again


@pytest.mark.slow
@pytest.mark.parametrize(("name", "begins"), [("league.png", b"\x89PNG"), ("league.svg", b"<?xml")])
def test_a_plot_has_the_format_of_its_suffix(tmp_path: Path, name: str, begins: bytes) -> None:
    shown(*WISHES, "--plot", str(tmp_path / name))
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_an_unknown_plot_format_is_refused_with_a_message(tmp_path: Path) -> None:
    wishes = ("league", "random", "--players", "2", "--games", "1", "--workers", "1", "--plot", str(tmp_path / "league.doc"))
    result = CliRunner(env={"LC_ALL": "en_GB.UTF-8"}).invoke(command_line, wishes)
    assert result.exit_code == 2
    assert "league.doc cannot be written: Format 'doc' is not supported" in result.stderr
