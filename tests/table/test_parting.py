"""Deleting a game from one's own: it is gone if it was one's own alone, and the others keep it otherwise."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import pytest

from tamaya import IllegalError, MalformedError, TamayaError
from tamaya.record import native
from tamaya.storage import SqliteStore
from tamaya.table import Phase, Table, Tables, Watching, bring, commands
from tests.table.fakes import (
    ANN,
    BOB,
    CID,
    EVE,
    deal_of,
    decided,
    ended,
    plain_settings,
    play_to_the_end,
    run,
    sits,
    starts,
    tables_over,
    to_the_end,
    two_people,
)
from tests.table.memory_store import MemoryStore


async def is_unknown(tables: Tables, code: str) -> bool:
    """Whether a table cannot be found any more."""
    try:
        await tables.find(code)
    except MalformedError as problem:
        return problem.code == "unknown_table"
    return False


async def with_bots(tables: Tables) -> Table:
    """A game that Ann has played with bots, to its end."""
    bots = [partial(commands.seat_bot, person=ANN, seat=seat, bot="simple") for seat in (1, 2)]
    return await play_to_the_end(tables, await tables.open(plain_settings(3), ANN, "Ann", *bots, starts()))


def test_the_others_keep_their_game_with_the_names_as_they_were() -> None:
    async def steps() -> None:
        tables = tables_over(MemoryStore())
        table = await to_the_end(tables, await two_people(tables, watching=Watching.NOBODY))
        await tables.part(table.code, ANN)
        left = await tables.find(table.code)
        assert (left.names, left.people, left.seat_of(ANN), left.host) == (table.names, (BOB,), None, "")
        assert native.to_json(left.record()) == native.to_json(table.record())
        assert (left.may_look(ANN), left.may_look(BOB), left.may_look(EVE)) == (False, True, False), "Ann is a stranger now"
        assert await tables.store.ended_of(ANN) == []
        assert await tables.store.ended_of(BOB) == [table.code]
        with pytest.raises(IllegalError) as refusal:
            await tables.part(table.code, ANN)
        assert refusal.value.code == "not_yours"
        await tables.part(table.code, BOB)
        assert await is_unknown(tables, table.code)
        assert await tables.store.lines(table.code) == []

    run(steps())


def test_a_game_with_bots_is_gone_at_once() -> None:
    async def steps() -> None:
        tables = tables_over(MemoryStore())
        table = await with_bots(tables)
        await tables.part(table.code, ANN)
        assert await is_unknown(tables, table.code)
        with pytest.raises(MalformedError):
            await tables.part(table.code, ANN)
        with pytest.raises(MalformedError):
            await tables.change(table.code, partial(commands.speak, person=ANN, remark="thanks"))

    run(steps())


def test_a_game_from_elsewhere_belongs_to_whoever_brought_it() -> None:
    async def steps() -> None:
        tables = tables_over(MemoryStore())
        record = (await with_bots(tables)).record()
        table = await tables.begin(bring(record, BOB))
        assert await tables.store.ended_of(BOB) == [table.code]
        with pytest.raises(IllegalError):
            await tables.part(table.code, ANN)
        await tables.part(table.code, BOB)
        assert await is_unknown(tables, table.code)

    run(steps())


@pytest.mark.parametrize("person", [ANN, EVE, ""])
def test_a_game_that_goes_on_or_is_not_ones_own_is_not_deleted(person: str) -> None:
    async def steps() -> None:
        tables = tables_over(MemoryStore())
        waiting = await tables.open(plain_settings(2), ANN, "Ann")
        running = await two_people(tables)
        deal = partial(commands.start, person=CID, first=0, deal=partial(deal_of, 5))
        over = await to_the_end(tables, await tables.open(plain_settings(2), CID, "Cid", sits(BOB, "Bob"), deal))
        for table in (waiting, running, over):
            with pytest.raises(IllegalError) as refusal:
                await tables.part(table.code, person)
            own = person == ANN and table is not over
            assert refusal.value.code == ("game_not_over" if own else "not_yours")
            assert (await tables.find(table.code)).sequence == table.sequence

    run(steps())


def test_in_a_rematch_the_seat_of_somebody_who_deleted_the_game_is_free() -> None:
    table = ended(plain_settings(3))
    place = table.seat_of(ANN)
    table = decided(table, partial(commands.part, person=ANN))
    following = Table("b" * 10, commands.rematch(table, BOB, "b" * 10)[1])
    assert place is not None
    assert [seat.name for seat in following.seats if not seat.free] == [
        seat.name for seat in table.seats[1:] + table.seats[:1] if seat.name != table.seats[place].name
    ]


def test_everything_of_ones_own_is_deleted_and_what_goes_on_stays() -> None:
    async def steps() -> None:
        tables = tables_over(MemoryStore())
        alone, shared = await with_bots(tables), await to_the_end(tables, await two_people(tables))
        running = await two_people(tables)
        await tables.part_with_all(ANN)
        assert await is_unknown(tables, alone.code)
        assert (await tables.find(shared.code)).people == (BOB,)
        assert [listing.code for listing in await tables.store.tables_of(ANN)] == [running.code]
        await tables.part_with_all(ANN)
        assert [record async for record in tables.records_of(ANN)] == []
        assert [record.names async for record in tables.records_of(BOB)] == [shared.names]

    run(steps())


def test_another_process_that_has_the_table_finds_that_it_is_gone_or_changed(tmp_path: Path) -> None:
    async def steps() -> None:
        both = [tables_over(await SqliteStore.open(tmp_path / "tables.db"), seed) for seed in (1, 2)]
        alone, shared = await with_bots(both[0]), await to_the_end(both[0], await two_people(both[0]))
        for table in (alone, shared):
            assert (await both[1].find(table.code)).phase is Phase.ENDED
            await both[0].part(table.code, ANN)
        assert await is_unknown(both[1], alone.code)
        assert (await both[1].find(shared.code)).seat_of(ANN) is None
        for tables in both:
            await tables.close()

    run(steps())


def test_two_who_delete_a_game_at_once_in_two_processes_leave_nothing(tmp_path: Path) -> None:
    async def steps() -> None:
        both = [tables_over(await SqliteStore.open(tmp_path / "tables.db"), seed) for seed in (1, 2)]
        for _ in range(5):
            table = await to_the_end(both[0], await two_people(both[0]))
            await both[1].find(table.code)
            talking = both[1].change(table.code, partial(commands.speak, person=BOB, remark="thanks"))
            found = await asyncio.gather(
                both[0].part(table.code, ANN), both[1].part(table.code, BOB), talking, return_exceptions=True
            )
            assert not any(found[:2])
            assert isinstance(found[2], (Table, TamayaError))
            assert await both[0].store.lines(table.code) == []
            assert [await is_unknown(tables, table.code) for tables in both] == [True, True]
        for tables in both:
            await tables.close()

    run(steps())
