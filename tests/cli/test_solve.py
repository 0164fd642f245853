"""``tamaya solve``: output and exit status."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamaya import Game, Rules
from tamaya.cli import tamaya as command_line
from tamaya.i18n import LANGUAGES
from tamaya.record import Record, hanab_live, native, read_file
from tamaya.sim import seed_of
from tamaya.solver import Verdict, solve

SMALL = ("--players", "2", "--set", "colours=2", "--set", "hand_size=2")
SMALL_RULES = Rules(players=2, colours=2, hand_size=2)
LOST, WINNABLE = (
    next(seed for seed in range(100) if solve(Game(SMALL_RULES, seed=seed)).verdict is verdict)
    for verdict in (Verdict.LOST, Verdict.WINNABLE)
)


def tamaya(*arguments: str) -> Result:
    return CliRunner(env={"LC_ALL": "en_GB.UTF-8", "COLUMNS": "100"}).invoke(command_line, arguments)


def record(turns: int = 0) -> Record:
    """A game in which the first turns of a winning line have been played."""
    game = Game(Rules(players=3), seed=7)
    for action in solve(game).solution[:turns]:
        game.act(action)
    return Record.of(game, ("Ana", "Bo", "Chi"))


def test_the_winning_line_of_a_seed_is_printed() -> None:
    result = tamaya("solve", "--seed", "7", "--players", "3")
    line = solve(Game(Rules(players=3), seed=7)).solution
    lines = result.output.splitlines()
    assert result.exit_code == 0
    assert lines[0] == f"7: it can be won, in {len(line)} turns."
    assert len(lines) == 1 + len(line)
    assert "Player 1" in lines[1]
    assert lines[-1].endswith("and completes the firework!") or "clue token comes back" in lines[-1]


def test_the_winning_line_is_written_as_a_valid_record(tmp_path: Path) -> None:
    path = tmp_path / "line.json"
    assert tamaya("solve", "--seed", "hanabi", "--players", "4", "--out", str(path)).exit_code == 0
    row = json.loads(tamaya("verify", "--json", str(path)).output.splitlines()[0])
    assert (row["ok"], row["fireworks"], row["ended"]) == (True, 25, "normal")
    again = tamaya("solve", "--seed", "8", "--out", str(path))
    assert (again.exit_code, again.output) == (2, f"There is a file {path} already; choose another name.\n")


@pytest.mark.parametrize("form", ["own", "hanab-live", "link"])
def test_saved_games_of_any_format_are_solved(tmp_path: Path, form: str) -> None:
    path, saved = tmp_path / "game", record(5)
    path.write_text(
        {"own": native.write(saved), "hanab-live": json.dumps(hanab_live.to_json(saved)), "link": hanab_live.write_link(saved)}[
            form
        ]
    )
    result = tamaya("solve", str(path), "--json")
    row = json.loads(result.stdout)
    assert result.exit_code == 0
    assert result.stderr == "game is not over: whoever still plays it should not read on.\n"
    assert list(row) == ["id", "verdict", "turn", "line", "reason", "nodes"]
    assert (row["verdict"], row["turn"], row["reason"]) == ("winnable", 0, None)
    assert row["line"] == [str(action) for action in solve(Game(saved.rules, deck=saved.deck)).solution]


def test_a_saved_game_is_solved_from_any_turn(tmp_path: Path) -> None:
    path, out, saved = tmp_path / "game.json", tmp_path / "line.json", record(20)
    path.write_text(native.write(saved))
    result = tamaya("solve", str(path), "--turn", "20", "--out", str(out))
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1].split()[:2] == ["21.", "Chi"]
    written = next(iter(read_file(out))).replay
    assert written is not None
    assert written.record.moves[:20] == saved.moves
    assert (written.ended, written.game.points, written.record.names) == ("normal", 25, saved.names)
    assert "--turn must be a whole number from 0 to 20" in tamaya("solve", str(path), "--turn", "21").output


def test_a_file_of_many_games_is_solved_game_by_game(tmp_path: Path) -> None:
    path, out = tmp_path / "games.jsonl", tmp_path / "lines.jsonl"
    games = [Record.of(Game(SMALL_RULES, seed=seed), ("a", "b")) for seed in (WINNABLE, LOST, WINNABLE)]
    path.write_text("\n".join([*(json.dumps(native.to_json(game)) for game in games), "{}"]))
    result = tamaya("solve", str(path), "--json", "--out", str(out))
    verdicts = [json.loads(line)["verdict"] for line in result.stdout.splitlines()]
    assert verdicts == ["winnable", "not_winnable", "winnable"]
    assert "games.jsonl:4: This is no record" in result.stderr
    assert result.exit_code == 2
    assert tamaya("verify", "--quiet", str(out)).output == "2 games, 2 right.\n"


def test_the_exit_status_is_the_verdict() -> None:
    assert tamaya("solve", "--seed", str(WINNABLE), *SMALL).exit_code == 0
    lost = tamaya("solve", "--seed", str(LOST), *SMALL)
    assert (lost.exit_code, lost.output.splitlines()[0]) == (1, f"{LOST}: it cannot be won.")
    assert len(lost.output.splitlines()) == 2
    undecided = tamaya("solve", "--seed", "1", "--players", "2", "--budget", "5")
    assert undecided.exit_code == 3
    assert "undecided after" in undecided.output


def test_a_series_is_counted_and_its_seeds_can_be_solved_alone(tmp_path: Path) -> None:
    out = tmp_path / "lines.jsonl"
    result = tamaya("solve", "--games", "30", "--seed", "4", *SMALL, "--workers", "1", "--json", "--out", str(out))
    row = json.loads(result.stdout)
    verdicts = [solve(Game(SMALL_RULES, seed=seed_of(4, number))).verdict for number in range(30)]
    assert (result.exit_code, row["deals"], row["seed"], Rules.from_json(row["rules"])) == (0, 30, 4, SMALL_RULES)
    assert {verdict: row[verdict.value] for verdict in Verdict} == {verdict: verdicts.count(verdict) for verdict in Verdict}
    assert 0 < row["winnable"] < 30
    assert tamaya("verify", "--quiet", str(out)).output == f"{row['winnable']} games, {row['winnable']} right.\n"
    alone = tamaya("solve", "--seed", str(row["not_winnable_seeds"][0]), *SMALL)
    assert (len(row["not_winnable_seeds"]), alone.exit_code) == (row["not_winnable"], 1)


def test_a_series_prints_a_table() -> None:
    lines = tamaya("solve", "--games", "30", "--seed", "4", *SMALL, "--workers", "1").output.splitlines()
    assert [line.split()[2:4] for line in lines] == [["can", "be"], ["cannot", "be"], ["undecided"]]
    assert sum(int(line.split()[0]) for line in lines) == 30


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Name a file, a seed (--seed 7) or a number of deals (--games 100)."),
        (("--games", "0"), "--games is a whole number from 1 to"),
        (("--games", "5", "--seed", "word"), "A seed is a whole number"),
        (("--games", "5", "--workers", "0"), "--workers must be a whole number from 1 to"),
        (("--seed", "1", "--budget", "much"), "--budget must be a whole number from 1 to"),
        (("--seed", "1", "--turn", "3"), "--turn is for a saved game; name its file."),
        (("--seed", "1", "--players", "9"), "players cannot be 9"),
        (("nowhere.json",), "There is no file nowhere.json."),
        (("nowhere.json", "--seed", "1"), "A saved game brings its own seed"),
        (("--seed", "1", "--out", "nowhere/line.json"), "nowhere/line.json cannot be written: No such file"),
    ],
)
def test_invalid_arguments_are_refused_with_the_valid_ones(arguments: tuple[str, ...], words: str) -> None:
    result = tamaya("solve", *arguments)
    assert result.exit_code == 2
    assert words in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_answer_is_translated(language: str) -> None:
    for arguments in (
        ("--seed", str(WINNABLE), *SMALL),
        ("--seed", str(LOST), *SMALL),
        ("--seed", "1", "--players", "2", "--budget", "5"),
        ("--games", "3", *SMALL, "--workers", "1"),
    ):
        output = tamaya("solve", *arguments, "--lang", language).output
        assert output
        assert "{" not in output
