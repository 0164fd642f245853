"""The contract of every store for events and tables."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

import pytest

from tamaya import MalformedError
from tamaya.table import ConflictError, EventBatch, GameProgress, Phase, Store, SweepResult
from tests.contract.batches import PLAIN, SHORT_RETENTION, batch, sweep_everything
from tests.contract.child import TABLES
from tests.contract.place import PersistentPlace, Place, read_until_killed
from tests.programs import line_of, rest_of

ROOT = Path(__file__).parents[2]
Result = TypeVar("Result")


async def refused(*attempts: Awaitable[None]) -> list[bool]:
    """Which of these concurrent appends raise `ConflictError`; the others must succeed."""
    outcomes = await asyncio.gather(*attempts, return_exceptions=True)
    assert all(outcome is None or isinstance(outcome, ConflictError) for outcome in outcomes), outcomes
    return [outcome is not None for outcome in outcomes]


def test_a_fresh_store_is_empty(place: Place) -> None:
    async def look(store: Store) -> None:
        assert await store.read_events("amber") == []
        assert await store.sweep(SHORT_RETENTION, 1e12) == SweepResult()
        assert await store.open_tables() == await store.tables_of("p-ann") == []

    place.use(look)


def test_probing_a_working_store_finds_no_problem_and_stores_nothing(place: Place) -> None:
    async def steps(store: Store) -> None:
        await store.append([batch("amber", 1, "one")])
        for _ in range(3):
            assert list(await store.probe()) == []
        assert [summary.code for summary in await store.tables_of("p-ann")] == ["amber"]
        assert await store.last_sequence("") == 0

    place.use(steps)


def test_events_are_read_in_order_from_any_number(place: Place) -> None:
    async def steps(store: Store) -> None:
        await store.append([batch("amber", 1, "one", "two 二 “two”\n")])
        await store.append([batch("amber", 3, "three")])
        await store.append([batch("birch", 1, "other")])
        assert await store.read_events("amber") == ["one", "two 二 “two”\n", "three"]
        assert await store.read_events("amber", 1) == ["two 二 “two”\n", "three"]
        assert await store.read_events("amber", 3) == await store.read_events("amber", 99) == []

    place.use(steps)


def test_more_than_nine_events_stay_in_order(place: Place) -> None:
    async def steps(store: Store) -> None:
        for first in range(1, 121, 2):
            await store.append([batch("amber", first, f"{first}", f"{first + 1}")])
        assert await store.read_events("amber", 5) == [f"{number}" for number in range(6, 121)]

    place.use(steps)


def test_a_taken_number_is_refused_with_its_whole_call(place: Place) -> None:
    async def steps(store: Store) -> None:
        await store.append([batch("amber", 1, "one", "two")])
        for taken in (
            [batch("amber", 1, "again")],
            [batch("amber", 2, "again", "three")],
            [batch("birch", 1, "new"), batch("amber", 2, "again", updated_at=9.0, names=("X",), player_ids=("p-x",))],
            [batch("amber", 3, "three", player_ids=("p-x",)), batch("amber", 3, "three")],
        ):
            with pytest.raises(ConflictError):
                await store.append(taken)
        assert await store.read_events("amber") == ["one", "two"]
        assert await store.read_events("birch") == []
        assert await store.tables_of("p-ann") == [PLAIN]
        assert await store.tables_of("p-x") == []

    place.use(steps)


def test_summaries_include_the_progress_of_a_game(place: Place) -> None:
    async def steps(store: Store) -> None:
        for number, progress in enumerate(
            (None, GameProgress(0, False, "Bé", "p-bé"), GameProgress(24), GameProgress(3, lost=True)), 1
        ):
            appended = batch("amber", number, "line", progress=progress)
            await store.append([appended])
            assert await store.tables_of("p-ann") == [appended.summary]

    place.use(steps)


def test_an_empty_batch_leaves_no_trace(place: Place) -> None:
    async def steps(store: Store) -> None:
        await store.append([])
        await store.append([batch("amber", 1)])
        assert await store.tables_of("p-ann") == []
        await store.append([batch("amber", 1, "one")])
        assert await store.read_events("amber") == ["one"]

    place.use(steps)


def test_several_tables_change_together(place: Place) -> None:
    async def steps(store: Store) -> None:
        await store.append([batch("amber", 1, "one")])
        await store.append([batch("amber", 2, "two"), batch("birch", 1, "new"), batch("amber", 3, "three")])
        assert await store.read_events("amber") == ["one", "two", "three"]
        assert await store.read_events("birch") == ["new"]

    place.use(steps)


def test_events_after_a_gap_are_refused(place: Place) -> None:
    """A page may still show a swept table; a move there must not store the middle of a game."""

    async def steps(store: Store) -> None:
        await store.append([batch("amber", 1, "one")])
        await sweep_everything(store)
        for orphan in (batch("amber", 2, "two"), batch("birch", 7, "seven")):
            with pytest.raises(MalformedError) as refusal:
                await store.append([orphan])
            assert refusal.value.code == "unknown_table"
        assert await store.read_events("amber") == []
        assert await store.tables_of("p-ann") == []

    place.use(steps)


def test_confirmed_events_are_there_after_reopening(place: Place) -> None:
    async def write(store: Store) -> None:
        await store.append([batch("amber", 1, "one", "two")])

    async def look(store: Store) -> None:
        assert await store.read_events("amber") == ["one", "two"]
        assert await store.tables_of("p-bé") == [PLAIN]
        with pytest.raises(ConflictError):
            await store.append([batch("amber", 2, "again")])

    place.use(write, look)


def test_closing_the_store_finishes_pending_appends(place: Place) -> None:
    async def leave(store: Store) -> None:
        calls = [asyncio.create_task(store.append([batch(f"table{number}", 1, "one")])) for number in range(20)]
        await asyncio.sleep(0)
        await store.close()
        assert await refused(*calls) == [False] * 20

    async def look(store: Store) -> None:
        assert [await store.read_events(f"table{number}") for number in range(20)] == [["one"]] * 20

    place.use(leave, look)


def test_a_taken_number_among_concurrent_appends_fails_alone(place: Place) -> None:
    async def steps(store: Store) -> None:
        await store.append([batch("amber", 1, "one")])
        outcome = await refused(
            *(store.append([batch(f"table{number}", 1, "one")]) for number in range(10)),
            store.append([batch("birch", 1, "new"), batch("amber", 1, "again")]),
            *(store.append([batch(f"table{number}", 2, "two")]) for number in range(10)),
            store.append([batch("amber", 2, "two")]),
            store.append([batch("birch", 1, "first"), batch("cedar", 1, "first")]),
        )
        assert outcome == [False] * 10 + [True] + [False] * 12
        assert [await store.read_events(f"table{number}") for number in range(10)] == [["one", "two"]] * 10
        assert await store.read_events("amber") == ["one", "two"]
        assert await store.read_events("birch") == await store.read_events("cedar") == ["first"]

    place.use(steps)


def test_one_of_many_concurrent_appends_gets_a_number(place: Place) -> None:
    async def steps(store: Store) -> None:
        for number in range(1, 11):
            outcome = await refused(*(store.append([batch("amber", number, f"{who}")]) for who in range(20)))
            assert outcome.count(False) == 1
            assert await store.read_events("amber", number - 1) == [f"{outcome.index(False)}"]

    place.use(steps)


def test_one_of_two_stores_at_the_same_place_gets_each_number(place: Place) -> None:
    async def steps(store: Store) -> None:
        other = await place.kind.open(place.where)
        try:
            winners = []
            for number in range(1, 101):
                calls = [store.append([batch("amber", number, "a")]), other.append([batch("amber", number, "b")])]
                outcome = await refused(*(calls if number % 2 else reversed(calls)))
                assert sorted(outcome) == [False, True]
                winners.append("ab"[outcome.index(False) ^ (number % 2 == 0)])
            assert await store.read_events("amber") == await other.read_events("amber") == winners
        finally:
            await other.close()

    place.use(steps)


@pytest.mark.slow
def test_one_of_two_processes_gets_each_number(persistent: PersistentPlace) -> None:
    rounds = 300
    with ExitStack() as stack:
        children = {name: stack.enter_context(persistent.child("race", name, f"{rounds}")) for name in "ab"}
        for child in children.values():
            assert line_of(child, "the other process to be ready") == "ready\n"
        for child in children.values():
            assert child.stdin
            child.stdin.write("go\n")
            child.stdin.flush()
        won = {name: json.loads(rest_of(child)[0]) for name, child in children.items()}
    assert sorted(won["a"] + won["b"]) == [*range(1, rounds + 1)]
    lines = persistent.use(lambda store: store.read_events("race"))
    assert lines == ["a" if number in won["a"] else "b" for number in range(1, rounds + 1)]


@pytest.mark.slow
def test_a_killed_process_loses_no_confirmed_event(persistent: PersistentPlace) -> None:
    with persistent.child("stream") as child:
        said = read_until_killed(child, 200, "the next event to be confirmed")
    confirmed = {code: int(number) for code, number in map(str.split, said)}
    assert len(confirmed) == TABLES

    async def look(store: Store) -> None:
        for code, number in confirmed.items():
            lines = await store.read_events(code)
            assert lines == [f"{sequence}" for sequence in range(1, len(lines) + 1)]
            assert len(lines) >= number
            assert len(lines) % 2 == 0, "events appended together are all there or none"
            await store.append([batch(code, len(lines) + 1, "goes on")])

    persistent.use(look)


def test_a_cancelled_append_disturbs_no_other(place: Place) -> None:
    async def steps(store: Store) -> None:
        calls = [asyncio.create_task(store.append([batch(f"table{number}", 1, "one")])) for number in range(10)]
        await asyncio.sleep(0)
        calls[3].cancel()
        await asyncio.sleep(0)
        calls[7].cancel()
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes].count(asyncio.CancelledError) == 2
        for number in {*range(10)} - {3, 7}:
            assert await store.read_events(f"table{number}") == ["one"]
        await store.append([batch("amber", 1, "one")])
        assert await store.read_events("amber") == ["one"]

    place.use(steps)


def test_tables_of_a_person_are_unfinished_ones_then_finished_by_end(place: Place) -> None:
    async def steps(store: Store) -> None:
        await store.append([batch("amber", 1, "one", updated_at=3.0, phase=Phase.OPEN, player_ids=("p-ann",))])
        await store.append([batch("birch", 1, "one", updated_at=1.0, phase=Phase.ENDED, player_ids=("p-bob", "p-ann"))])
        await store.append([batch("cedar", 1, "one", updated_at=2.0, player_ids=("p-bob",))])
        assert [table.code for table in await store.tables_of("p-ann")] == ["amber", "birch"]
        await store.append([batch("birch", 2, "two", updated_at=4.0, phase=Phase.ENDED, player_ids=("p-bob", "p-ann"))])
        assert [table.code for table in await store.tables_of("p-ann")] == ["amber", "birch"], "finished ones come last"
        await store.append([batch("elder", 1, "one", updated_at=3.5, player_ids=("p-ann",))])
        assert [table.code for table in await store.tables_of("p-ann")] == ["elder", "amber", "birch"]
        assert [table.code for table in await store.tables_of("p-ann", limit=1)] == ["elder"]
        await store.append([batch("amber", 2, "two", updated_at=5.0, player_ids=("p-cid",))])
        assert [table.code for table in await store.tables_of("p-ann")] == ["elder", "birch"]
        assert [table.code for table in await store.tables_of("p-cid")] == ["amber"]
        await store.append([batch("amber", 3, "three", updated_at=6.0, player_ids=())])
        assert await store.tables_of("p-cid") == await store.tables_of("") == []

    place.use(steps)


def test_a_summary_is_read_as_last_written(place: Place) -> None:
    async def steps(store: Store) -> None:
        await store.append([batch("amber", 1, "one", phase=Phase.OPEN, listed=True, updated_at=0.5)])
        last = batch(
            "amber", 2, "two", names=("Zoë", "", "李"), player_ids=("p-z", "p-ann"), edition="own", updated_at=1234567.125
        )
        await store.append([last])
        assert await store.tables_of("p-ann") == [last.summary]
        both = [batch("amber", 3, "three"), batch("amber", 4, "four", player_ids=("p-ann",), players=5)]
        await store.append(both)
        assert await store.tables_of("p-ann") == [both[-1].summary]
        assert await store.tables_of("p-z") == []

    place.use(steps)


def test_open_tables_are_those_on_offer_newest_first(place: Place) -> None:
    async def steps(store: Store) -> None:
        await store.append([batch("amber", 1, "one", updated_at=1.0, phase=Phase.OPEN, offered="p-ann")])
        await store.append([batch("birch", 1, "one", updated_at=3.0, phase=Phase.OPEN, offered="p-bé")])
        await store.append([batch("cedar", 1, "one", updated_at=4.0, phase=Phase.OPEN)])
        await store.append([batch("daisy", 1, "one", updated_at=5.0, phase=Phase.PLAYING, listed=True)])
        await store.append([batch("elder", 1, "one", updated_at=2.0, phase=Phase.OPEN, offered="p-ann")])
        assert [table.code for table in await store.open_tables()] == ["birch", "elder", "amber"]
        assert [table.code for table in await store.open_tables(limit=2)] == ["birch", "elder"]
        await store.append([batch("birch", 2, "two", updated_at=6.0, phase=Phase.PLAYING, listed=True)])
        assert [table.code for table in await store.open_tables()] == ["elder", "amber"]
        await store.append([batch("birch", 3, "three", updated_at=7.0, phase=Phase.OPEN, offered="p-bé")])
        (newest, *_) = await store.open_tables()
        assert newest == batch("birch", 3, "three", updated_at=7.0, phase=Phase.OPEN, offered="p-bé").summary

    place.use(steps)


def open_batch(code: str, person: str, host: str, updated_at: float) -> EventBatch:
    """The first event of an open table of one person, which is listed as that of a host."""
    return batch(code, 1, "one", phase=Phase.OPEN, player_ids=(person,), offered=host, updated_at=updated_at)


def test_tables_a_person_cannot_join_hide_none_they_can(place: Place) -> None:
    async def steps(store: Store) -> None:
        await store.append([open_batch("amber", "p-cid", "p-cid", 1.0)])
        for number in range(30):
            full = batch(f"full{number}", 1, "one", updated_at=10.0 + number, phase=Phase.OPEN, listed=True)
            await store.append([full, open_batch(f"own{number}", "p-me", f"p-{number}", 10.0 + number)])
        assert [table.code for table in await store.open_tables("p-me", limit=1)] == ["amber"]
        assert [table.code for table in await store.open_tables("p-me")] == ["amber"]

    place.use(steps)


def test_only_the_last_tables_of_each_host_are_listed(place: Place) -> None:
    async def steps(store: Store) -> None:
        for number in range(25):
            one = open_batch(f"one{number}", "p-me", "p-host", 10.0 + number)
            await store.append([one, open_batch(f"two{number}", "p-host", "p-host", 9.5 + number)])
        await store.append([open_batch("amber", "p-cid", "p-cid", 1.0)])
        assert [table.code for table in await store.open_tables(limit=3)] == ["one24", "two24", "amber"]
        listed = [table.code for table in await store.open_tables("p-me", limit=3)]
        assert listed == ["two24", "two23", "amber"], "the person's own tables do not count"
        await store.append([batch("two24", 2, "two", updated_at=99.0, phase=Phase.OPEN, player_ids=("p-host",))])
        assert [table.code for table in await store.open_tables("p-me")] == ["two23", "two22", "amber"], "nor do full ones"

    place.use(steps)


def test_an_analysis_is_stored_as_long_as_its_table(place: Place) -> None:
    async def keep(store: Store) -> None:
        await store.append([batch(code, 1, "one", phase=Phase.ENDED) for code in ("amber", "birch", "cedar")])
        assert await store.load_analysis("amber") is None
        await store.save_analysis("amber", "first words")
        await store.save_analysis("amber", "other words “二”\n")
        await store.save_analysis("birch", "words")
        assert await store.load_analysis("amber") == "other words “二”\n"
        assert await store.load_analysis("cedar") is None

    async def find_and_remove(store: Store) -> None:
        assert await store.load_analysis("amber") == "other words “二”\n"
        await store.remove("birch", 1)
        assert await store.load_analysis("birch") is None
        await store.append([batch("birch", 1, "one")])
        assert await store.load_analysis("birch") is None

    place.use(keep)
    place.use(find_and_remove)


def test_an_analysis_is_deleted_with_its_table(place: Place) -> None:
    async def steps(store: Store) -> None:
        own = {"phase": Phase.ENDED, "player_ids": ("p-ann",)}
        await store.append([batch("amber", 1, "one"), batch("birch", 1, "one", **own)])
        for code in ("amber", "birch"):
            await store.save_analysis(code, "words")
        assert await store.delete_solo_games("p-ann") == ("birch",)
        assert (await store.load_analysis("amber"), await store.load_analysis("birch")) == ("words", None)
        await sweep_everything(store)
        assert await store.load_analysis("amber") is None

    place.use(steps)


def test_an_analysis_without_a_table_is_not_stored(place: Place) -> None:
    async def steps(store: Store) -> None:
        await store.save_analysis("amber", "words")
        assert await store.load_analysis("amber") is None
        await store.append([batch("amber", 1, "one")])
        assert await store.load_analysis("amber") is None

    place.use(steps)
