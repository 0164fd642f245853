"""Bots at the terminal table: failures do not end the table, and after the game bots give their reasons."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from tamaya import Game, Rules
from tamaya.bots import SimpleBot
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.rules import say
from tamaya.tui import Seats, TerminalTable
from tamaya.tui.commands import WORDS, Kind
from tests.bots.support import GOOD, install, site

pytestmark = pytest.mark.slow

BAD = """
import os
from tamaya.bots import SimpleBot

class Raising:
    def act(self, view):
        raise KeyError(str(view.hands[0][0].card))

class Deadly:
    def act(self, view):
        os._exit(3)

class Noisy(SimpleBot):
    def act(self, view):
        print("look at me")
        return super().act(view)
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path) -> Iterator[None]:
    with site(tmp_path):
        install(tmp_path, "stranger", BAD)
        install(tmp_path, "friendly", GOOD, {"friendly": "friendly:GoodBot"})
        yield


class Evening:
    """Ana and a bot; `screen` is the output."""

    def __init__(self, bot: str, language: str = "en") -> None:
        self._out = io.StringIO()
        console = Console(file=self._out, width=200, highlight=False)
        self.table = TerminalTable(
            lambda: Game(Rules(), seed=1), Seats(("Ana", "Kiku"), (None, bot)), catalogue(language), console
        )

    def types(self, *lines: str) -> str:
        before, left = len(self._out.getvalue()), list(lines)

        def read_line(prompt: str) -> str:
            if not left:
                raise EOFError
            return left.pop(0)

        self.table.run(read_line)
        return self._out.getvalue()[before:]

    def plays_to_the_end(self) -> str:
        screen = ""
        while self.table.game.outcome is None:
            screen += self.types(str(SimpleBot().act(self.table.game.view(0))))
        return screen


@pytest.mark.parametrize("bot", ["stranger:Raising", "stranger:Deadly"])
def test_a_bot_that_fails_or_dies_is_replaced_and_the_person_told(bot: str, capfd: pytest.CaptureFixture[str]) -> None:
    evening = Evening(bot)
    hand = evening.table.game.view(1).hands[0]
    screen = evening.types("clue 1", "clue 2")
    assert evening.table.game.turn == 4
    assert screen.count("; a safe action was taken for it.") == 2
    reason = {"stranger:Raising": "KeyError (stranger.py:7)", "stranger:Deadly": "its process ended"}[bot]
    assert f"Kiku could not decide ({reason})" in screen
    assert str(hand[0].card) not in screen.split("Kiku could not decide")[1].splitlines()[0]
    assert capfd.readouterr() == ("", "")


def test_output_of_other_packages_bots_does_not_disturb_the_board(capfd: pytest.CaptureFixture[str]) -> None:
    evening = Evening("stranger:Noisy")
    evening.types("clue 1", "clue 2")
    assert evening.table.game.turn == 4
    assert capfd.readouterr() == ("", "")


def test_bots_in_other_processes_play_the_same() -> None:
    screens = []
    for bot in ("simple", "friendly", "friendly:GoodBot"):
        evening = Evening(bot)
        screens.append(evening.types("clue 1", "clue 2", "play 1"))
    assert screens[0] == screens[1] == screens[2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_after_the_game_bots_give_reasons_in_the_persons_language(language: str) -> None:
    speak = catalogue(language)
    reasons = [speak(say("I knew that this card fits.")), speak(say("I wanted a card to be played that can be."))]
    evening = Evening("simple", language)
    screen = evening.plays_to_the_end()
    assert not any(reason in screen for reason in reasons), "not before it is over, and not unasked"
    told = evening.types("why")
    assert all(reason in told for reason in reasons)
    assert told == evening.types("w") == evening.types(speak(WORDS[Kind.WHY]))


def test_during_the_game_bots_give_no_reasons() -> None:
    evening = Evening("simple")
    screen = evening.types("clue 1", "clue 2", "why")
    assert "Bots name cards that you do not see; ask again after the game." in screen
    assert "I wanted" not in screen


def test_taking_moves_back_removes_their_reasons() -> None:
    evening = Evening("simple")
    evening.plays_to_the_end()
    turns = evening.table.game.turn
    evening.types("u")
    assert 0 < evening.table.game.turn < turns
    assert all(turn <= evening.table.game.turn for turn in evening.table._why)
    evening.types("n", "n")
    assert evening.table._why == {}


def test_bots_without_reasons_are_reported() -> None:
    evening = Evening("stranger:Raising")
    evening.types("play 1")
    while evening.table.game.outcome is None:
        evening.types("play 1", "play 2")
    assert "No bot of this game has said why it acted so." in evening.types("why")
