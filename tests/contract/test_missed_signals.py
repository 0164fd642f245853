"""Stores and buses together: a signal only says that there is something to read, so the next read makes up for a missed one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from tamaya.bus import LocalBus
from tamaya.bus.postgres import PostgresBus
from tamaya.table import Bus, Store, Table, TableService, cache, commands
from tests.contract.batches import batch
from tests.contract.buses import wait_for_news
from tests.contract.place import Place
from tests.support.fakes import ANN, BOB, InlineExecutor, game_of, run, standing, steady_chance, two_people

SETTINGS = [("memory", "local"), ("sqlite", "local"), ("postgresql", "local"), ("postgresql", "postgresql")]
MISSED = 3


@asynccontextmanager
async def services(place: Place, bus: str) -> AsyncIterator[tuple[TableService, TableService]]:
    """The services where a table is played and watched: two, or a single one with a bus within one process."""
    buses: list[Bus] = [LocalBus()] if bus == "local" else [await PostgresBus.open(place.where) for _ in range(2)]
    stores = [await place.kind.open(place.where) for _ in buses]
    opened = [
        TableService(store, bus, InlineExecutor(), runtime=steady_chance(seed))
        for seed, (store, bus) in enumerate(zip(stores, buses, strict=True))
    ]
    try:
        yield opened[0], opened[-1]
    finally:
        for tables in opened:
            await tables.bus.close()
            await tables.close()


async def move(tables: TableService, table: Table) -> Table:
    """Take the first legal action for the player whose turn it is."""
    person, text = (ANN, BOB)[table.turn % 2], str(game_of(table).legal_actions()[0])
    return await tables.update(table.code, partial(commands.move, person=person, text=text, turn=table.turn))


async def swallow(code: str, sequence: int) -> None:
    """A signal that is lost."""


def test_a_confirmed_event_is_in_the_next_read_of_another_store(place: Place) -> None:
    async def steps(store: Store) -> None:
        other = await place.kind.open(place.where)
        try:
            for number in range(1, 30, 2):
                await store.append([batch("amber", number, f"{number}", f"{number + 1}")])
                assert await other.last_sequence("amber") == number + 1
                assert await other.read_events("amber", number - 1) == [f"{number}", f"{number + 1}"]
        finally:
            await other.close()

    place.use(steps)


@pytest.mark.parametrize(("kind", "bus"), SETTINGS)
def test_a_spectator_without_signals_sees_everything_on_the_next_load(
    kind: str, bus: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "STALE_AFTER", 0.0)

    async def steps() -> None:
        async with services(Place(kind, tmp_path), bus) as (here, there):
            table = await two_people(here)
            watched = await there.refresh(table.code, 0)
            monkeypatch.setattr(here.bus, "publish", swallow)
            for _ in range(MISSED):
                table = await move(here, table)
            assert table.sequence == watched.sequence + MISSED
            assert standing(await there.refresh(table.code, watched.sequence)) == standing(table)
            assert standing(await there.get(table.code)) == standing(table)

    run(steps())


@pytest.mark.parametrize(("kind", "bus"), SETTINGS)
def test_the_next_signal_makes_up_for_missed_ones(kind: str, bus: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps() -> None:
        async with services(Place(kind, tmp_path), bus) as (here, there):
            table = await two_people(here)
            watched = await there.refresh(table.code, 0)
            with there.bus.subscribe(table.code) as listener, monkeypatch.context() as patch:
                patch.setattr(here.bus, "publish", swallow)
                for _ in range(MISSED):
                    table = await move(here, table)
                patch.undo()
                table = await move(here, table)
                await wait_for_news(listener, table.sequence)
                seen = await there.refresh(table.code, watched.sequence + MISSED + 1)
                assert standing(seen) == standing(table)

    run(steps())


@pytest.mark.parametrize(("kind", "bus"), SETTINGS)
def test_a_command_without_a_signal_decides_on_the_current_table(
    kind: str, bus: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def steps() -> None:
        async with services(Place(kind, tmp_path), bus) as (here, there):
            table = await two_people(here)
            await there.refresh(table.code, 0)
            for tables in (here, there):
                monkeypatch.setattr(tables.bus, "publish", swallow)
            for turn in range(2 * MISSED):
                table = await move((here, there)[turn % 2], await (here, there)[turn % 2].get(table.code))
            assert standing(await here.get(table.code)) == standing(table)
            assert len(await there.store.read_events(table.code)) == table.sequence

    run(steps())
