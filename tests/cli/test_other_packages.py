"""Bots of other packages at the command line, named by module or by package."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tamaya import Game, Rules
from tamaya.record import Record, native, read_file
from tests.bots.support import GOOD, MARKING, install
from tests.programs import Done, run_python

pytestmark = pytest.mark.slow

BAD = """
class Raising:
    def act(self, view):
        if view.turn > 2:
            raise KeyError("a mistake of its author")
        return view.legal_actions[0]
"""


def tamaya(folder: Path, *arguments: str, typed: str = "q\nq\n", **environment: str) -> Done:
    """Run the command in a folder that is not on Python's path."""
    variables = {"LC_ALL": "en_GB.UTF-8", "COLUMNS": "200", **environment}
    return run_python("-P", "-m", "tamaya", *arguments, typed=typed, folder=folder, variables=variables)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    install(tmp_path, "mybots", GOOD)
    install(tmp_path, "bad", BAD)
    return tmp_path


def test_a_bot_of_the_current_folder_plays_in_the_league(folder: Path) -> None:
    done = tamaya(folder, "league", "mybots:GoodBot,simple", "--players", "2", "--games", "25", "--workers", "2", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    ours, simple = json.loads(done.stdout)
    assert (ours["bot"], ours["games"]) == ("mybots:GoodBot", 25)
    assert ours["mean"] == simple["mean"], "it plays like the one it comes from"


def test_a_bot_of_an_installed_package_plays_in_the_league(folder: Path) -> None:
    install(folder, "packaged", GOOD, {"packaged": "packaged:GoodBot"})
    wishes = ("league", "packaged", "--players", "2", "--games", "25", "--workers", "2")
    done = tamaya(folder.parent, *wishes, PYTHONPATH=str(folder))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1].split()[:3] == ["packaged", "2", "25"]


def test_games_of_such_a_bot_round_trip(folder: Path) -> None:
    done = tamaya(folder, "games", "mybots:GoodBot", "--players", "3", "--games", "2", "--workers", "1", "--out", "games.jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    entries = list(read_file(folder / "games.jsonl"))
    assert [entry.replay.record.bots for entry in entries if entry.replay] == [("mybots:GoodBot",) * 3] * 2


def test_a_failing_bot_ends_the_league_with_the_line_of_its_error(folder: Path) -> None:
    done = tamaya(folder, "league", "bad:Raising", "--players", "2", "--games", "3", "--workers", "1")
    assert done.returncode == 2
    assert "The bot bad:Raising failed with 2 players in game 0 of seed 0, turn 4: KeyError" in done.stderr
    assert "(bad.py:5)" in done.stderr


def test_play_accepts_a_module_and_class(folder: Path) -> None:
    done = tamaya(folder, "play", "--players", "2", "--seed", "1", "--bot", "mybots:GoodBot", typed="clue 1\nclue 2\nq\nq\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "could not decide" not in done.stdout


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        ("nowhere:Bot", "There is no module “nowhere”, neither installed nor in this folder."),
        ("mybots:Bot", "The module “mybots” has no “Bot”; its bots are SimpleBot, GoodBot."),
        ("json:JSONEncoder", "“json:JSONEncoder” is no bot"),
    ],
)
@pytest.mark.parametrize("command", [("play", "--bot"), ("league",), ("games", "--out", "x.jsonl")])
def test_an_unknown_module_or_class_is_refused(folder: Path, command: tuple[str, ...], bot: str, words: str) -> None:
    done = tamaya(folder, *command, bot)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def saved(folder: Path) -> Path:
    """A game from another player, with a bot of theirs in it."""
    install(folder, "trap", MARKING + GOOD)
    path = folder / "game.json"
    path.write_text(native.write(Record.of(Game(Rules(), seed=1), ("Ana", "Kiku"), (None, "trap:GoodBot"))), "utf-8")
    return path


def test_a_saved_game_imports_no_bot_that_the_person_did_not_name(folder: Path, saved: Path) -> None:
    mark = folder / "trap.py.mark"
    for arguments in (("verify", "game.json"), ("convert", "game.json", "--to", "hanab-live")):
        assert tamaya(folder, *arguments).returncode == 0
    refused = tamaya(folder, "play", "game.json")
    assert refused.returncode == 2
    assert "This game was played with the bot “trap:GoodBot”" in refused.stderr
    assert "--bot" in refused.stderr
    other = tamaya(folder, "play", "game.json", "--bot", "simple", typed="clue 1\nq\nq\n")
    assert (other.returncode, "Kiku" in other.stdout) == (0, True)
    assert not mark.exists(), "not even looked at"
    wanted = tamaya(folder, "play", "game.json", "--bot", "trap:GoodBot", typed="clue 1\nq\nq\n")
    assert (wanted.returncode, mark.exists()) == (0, True)
