"""The log grows by a line with each turn, and is the same as if all of it had been drawn anew."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

import msgspec
import pytest

from tamaya.engine import Event
from tamaya.table import ClueMemory, Table, commands
from tamaya.web.rendering.cache import Shelf
from tamaya.web.table import log
from tamaya.web.table.components import LogLine
from tamaya.web.table.snapshot import live_moment
from tests.table.fakes import ANN, started
from tests.table.second_thoughts import ALLOWED, moves, takes_back
from tests.web.five_people import NOBODY, PEOPLE, table_with, turns


@pytest.fixture(autouse=True)
def shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was drawn before."""
    monkeypatch.setattr(log, "SHELF", Shelf())


def assert_grown(table: Table, person: str, monkeypatch: pytest.MonkeyPatch, language: str = "en") -> str:
    """The log of a table for a person, which must be as if nobody had drawn it before."""
    moment = live_moment(table, person, NOBODY)
    grown = log.draw_log(moment, language)
    with monkeypatch.context() as patch:
        patch.setattr(log, "SHELF", Shelf())
        assert grown == log.draw_log(moment, language)
    return grown


def test_it_grows_with_each_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    for table in turns(table_with(), 10):
        for person, language in product((*PEOPLE, "p-watcher"), ("en", "fr", "zh_TW")):
            drawn = assert_grown(table, person, monkeypatch, language)
            assert re.findall(r'<li id="l(\d+)"', drawn) == [str(turn) for turn in range(table.turn, 0, -1)]


def test_only_what_is_new_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = turns(table_with(), 3)
    log.draw_log(live_moment(second, PEOPLE[0], NOBODY), "en")
    told = list[list[int]]()

    def lines(events: Sequence[Event], *_: object) -> list[LogLine]:
        told.append([event.turn for event in events])
        return []

    monkeypatch.setattr(log, "log_lines", lines)
    log.draw_log(live_moment(third, PEOPLE[0], NOBODY), "en")
    log.draw_log(live_moment(first, PEOPLE[0], NOBODY), "en")
    assert told == [[3], [1]]


def test_somebody_who_is_called_otherwise_is_so_in_every_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for names in (PEOPLE, [*PEOPLE[:-1], "Zoe"]):
        *_, table = turns(table_with(names), 5)
        assert ("Zoe" in assert_grown(table, PEOPLE[0], monkeypatch)) == ("Zoe" in names)


def test_notes_and_what_was_taken_back_are_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    table = started(ALLOWED, bots=(1, 2))
    for decide in (*moves("clue 2 1", "clue 3 1", "clue 1 1", "clue 2 2"), takes_back(ANN), *moves("clue 3 2", "clue 1 2")):
        table = table.after(decide(table))
        assert_grown(table, ANN, monkeypatch)
    table = table.after(commands.note(table, ANN, "perhaps a two", turn=2))
    assert "perhaps a two" in assert_grown(table, ANN, monkeypatch)
    table = table.after(moves("clue 1 3")[0](table))
    assert "perhaps a two" in assert_grown(table, ANN, monkeypatch)


def test_it_forgets_where_the_table_does(monkeypatch: pytest.MonkeyPatch) -> None:
    table = started(msgspec.structs.replace(ALLOWED, memory=ClueMemory.NOTHING))
    for decide in moves("clue 2 1", "clue 3 1", "clue 1 1", "clue 2 2", "clue 3 2"):
        table = table.after(decide(table))
        assert assert_grown(table, ANN, monkeypatch).count("<li ") == min(table.turn, 3)


def test_that_a_bot_failed_is_said_of_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    table = started(ALLOWED, bots=(1, 2))
    for failed, decide in enumerate(moves("clue 2 1", "clue 3 1", "clue 1 1", "clue 2 2")):
        table = table.after(decide(table))
        table.failed_turns |= {2} if failed == 2 else set()
        assert ("The bot could not decide" in assert_grown(table, ANN, monkeypatch)) == (failed >= 2)
