"""Whom the host removes from a seat stays removed until the host lets them back."""

from __future__ import annotations

from functools import partial

import pytest

from tamaya import IllegalError, TamayaError
from tamaya.table import Decision, Table, Watching, commands
from tamaya.table.events import LetBack, Sat, Stood, decode, encode
from tests.table.fakes import ANN, BOB, CID, EVE, a_table, deal_of, decided, full_table, plain_settings, sits


def refusal(table: Table, decide: Decision) -> str:
    """The code with which a table refuses."""
    with pytest.raises(TamayaError) as problem:
        table.after(decide(table))
    return problem.value.code


def removed(seat: int = 1, table: Table | None = None) -> Table:
    """Ann's table after she has removed whoever sat there."""
    return decided(table or full_table(), lambda now: commands.stand(now, ANN, seat))


def test_somebody_whom_the_host_removed_does_not_sit_down_again() -> None:
    table = removed()
    for name, seat in (("Bob", None), ("Bob", 1), ("Somebody else", 1)):
        assert refusal(table, partial(commands.sit, person=BOB, name=name, seat=seat)) == "removed"
    assert decided(table, sits(EVE, "Eve")).names == ("Ann", "Eve", "Cid"), "the seat is free for others"


def test_the_refusal_says_who_can_help() -> None:
    with pytest.raises(IllegalError, match="only the host can let you sit down again"):
        commands.sit(removed(), BOB, "Bob")


def test_the_host_lets_somebody_back_once() -> None:
    table = decided(removed(), lambda now: commands.let_back(now, ANN, 0), sits(BOB, "Bob"))
    assert table.names == ("Ann", "Bob", "Cid")
    assert refusal(table, lambda now: commands.let_back(now, ANN, 0)) == "not_removed"
    again = removed(1, table)
    assert refusal(again, sits(BOB, "Bob")) == "removed", "let back once is not let back for good"
    assert decided(again, lambda now: commands.let_back(now, ANN, 1), sits(BOB, "Bob")).seat_of(BOB) == 1


def test_only_the_host_lets_anybody_back_and_only_whoever_was_removed() -> None:
    table = removed()
    assert refusal(table, lambda now: commands.let_back(now, BOB, 0)) == "not_host"
    assert refusal(table, lambda now: commands.let_back(now, CID, 0)) == "not_host"
    assert refusal(table, lambda now: commands.let_back(now, ANN, 1)) == "not_removed"
    assert refusal(table, lambda now: commands.let_back(now, ANN, -1)) == "not_removed"
    dealt = decided(table, sits(EVE, "Eve"), lambda now: commands.start(now, ANN, 0, partial(deal_of, 1)))
    assert refusal(dealt, lambda now: commands.let_back(now, ANN, 0)) == "started"


def test_letting_one_back_lets_nobody_else_back_who_took_the_same_name() -> None:
    table = removed(1, decided(removed(), sits(EVE, "Bob")))
    assert [(one.person, one.name) for one in table.removals] == [(BOB, "Bob"), (EVE, "Bob")]
    table = decided(table, lambda now: commands.let_back(now, ANN, 0))
    assert refusal(table, sits(EVE, "Bob")) == "removed"
    assert decided(table, sits(BOB, "Bob")).seat_of(BOB) == 1


def test_whoever_stood_up_by_themselves_sits_down_again() -> None:
    for person, name, seat in ((BOB, "Bob", 1), (ANN, "Ann", 0)):
        table = decided(full_table(), partial(commands.stand, person=person, seat=seat))
        assert table.removals == ()
        assert decided(table, sits(person, name)).seat_of(person) == seat
    moved = decided(a_table(), lambda now: commands.sit(now, ANN, "Ann", 2), lambda now: commands.sit(now, ANN, "Ann", 0))
    assert moved.removals == ()


def test_a_bot_that_the_host_takes_away_is_no_removal() -> None:
    table = removed(2, full_table(bots=[2]))
    assert table.removals == ()
    assert decided(table, sits(CID, "Cid")).seat_of(CID) == 2


@pytest.mark.parametrize("watching", Watching)
def test_somebody_removed_watches_as_anybody_would(watching: Watching) -> None:
    table = removed(1, full_table(plain_settings(watching=watching)))
    assert table.may_look(BOB), "they can read why they may not sit"
    table = decided(table, sits(EVE, "Eve"), lambda now: commands.start(now, ANN, 0, partial(deal_of, 1)))
    assert table.may_look(BOB) is (watching is not Watching.NOBODY)


def test_a_removal_follows_from_the_log() -> None:
    table = full_table()
    events = [*commands.stand(table, ANN, 1), LetBack(0), Sat(1, BOB, "Bob"), Stood(1, removed=True)]
    kept = table.after(map(decode, map(encode, events)))
    assert [one.let_back for one in kept.removals] == [True, False]
    assert kept.is_removed(BOB)


def test_older_logs_do_not_say_who_freed_a_seat_and_are_read_as_before() -> None:
    old = full_table().after([decode('{"event":"stood","seat":1}')])
    assert old.removals == ()
    assert decided(old, sits(BOB, "Bob")).seat_of(BOB) == 1
    assert encode(Stood(1)) == '{"event":"stood","seat":1}'
