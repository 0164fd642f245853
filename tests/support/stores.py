"""Stores in every database, filled with all kinds of data."""

from __future__ import annotations

import atexit
import shutil
import sqlite3
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from typing import Any

from alembic import command
from sqlalchemy import Boolean, Column, Engine, Float, Integer, LargeBinary, create_engine, insert, select

from tamaya.storage import PostgresStore, SqliteStore, SqlStore, migrate, upgrade
from tamaya.storage.postgres import checked_url
from tamaya.storage.schema import metadata
from tamaya.storage.sqlite import migration_engine, writing_engine
from tamaya.table import Phase, commands
from tests.contract.batches import SHORT_RETENTION, batch
from tests.support.fakes import ANN, plain_settings, play_to_the_end, run, tables_over, two_people

Place = Path | str
"""A SQLite file, or the address of a PostgreSQL database."""
Dump = dict[str, list[str]]


def use(place: Place, *steps: Callable[[SqlStore], Awaitable[None]]) -> None:
    """Open a store and run steps with it."""

    async def every() -> None:
        store: SqlStore = await (SqliteStore.open(place) if isinstance(place, Path) else PostgresStore.open(place))
        try:
            for step in steps:
                await step(store)
        finally:
            await store.close()

    run(every())


async def play(store: SqlStore) -> None:
    """Create finished games with bots, an unfinished one, and an empty table."""
    tables = tables_over(store, seed=11)
    for bots in (1, 2):
        seats = [partial(commands.seat_bot, person=ANN, seat=seat, bot="simple") for seat in range(1, bots + 1)]
        table = await tables.create(plain_settings(bots + 1), ANN, "Ann", *seats)
        table = await tables.update(table.code, lambda now: commands.start(now, ANN, 0, tables.runtime.deal))
        await play_to_the_end(tables, table)
        await store.save_analysis(table.code, '{"moves": "ünïcødé 花火 \\" \\\\ \\n"}')
    await two_people(tables)
    await tables.create(plain_settings(4), ANN, "Añn 李")
    await tables.close()


async def add_oddities(store: SqlStore) -> None:
    """Add what no short game creates: a mark, and texts and numbers that are hard to store."""
    await store.append([batch("odd", 1, "", "'; DROP TABLE events; --", "🎆\t\r\n", "x" * 100_000, updated_at=0.1 + 0.2)])
    await store.append([batch("old", 1, "one", phase=Phase.OPEN, updated_at=1e-9, names=("", "\\", "%s"), player_ids=())])
    await store.append([batch("new", 1, "one", updated_at=90.0)])
    assert (await store.sweep(SHORT_RETENTION, 90.0)).marked == 1


def fill(place: Place) -> Dump:
    """Fill every table of a new store; returns a dump."""
    if not isinstance(place, Path):
        return _fill(place)
    file, found = _full_file()
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(file, place)
    return found


@cache
def _full_file() -> tuple[Path, Dump]:
    folder = Path(tempfile.mkdtemp(prefix="tamaya-full-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder / "tables.sqlite", _fill(folder / "tables.sqlite")


def _fill(place: Place) -> Dump:
    use(place, play)
    use(place, add_oddities)
    engine = engine_of(place)
    with engine.begin() as connection:
        for table in metadata.sorted_tables:
            if connection.execute(select(table).limit(1)).first() is None:
                connection.execute(insert(table), {column.key: _anything(column) for column in table.columns})
    engine.dispose()
    found = dump(place)
    assert all(found.values()), "every table of the schema has rows"
    return found


def _anything(column: Column[Any]) -> object:
    samples = {Boolean: True, Float: 1.25, Integer: 7, LargeBinary: b"\0\xff"}
    return next((sample for kind, sample in samples.items() if isinstance(column.type, kind)), "odd")


def engine_of(place: Place) -> Engine:
    return writing_engine(place) if isinstance(place, Path) else create_engine(checked_url(place))


def dump(place: Place) -> Dump:
    """Every row of every table."""
    engine = engine_of(place)
    with engine.connect() as connection:
        found = {
            name: sorted(repr(tuple(row)) for row in connection.execute(select(table)))
            for name, table in metadata.tables.items()
        }
    engine.dispose()
    return found


def execute_on(path: Path, *statements: str) -> None:
    """Execute statements on a SQLite file that Tamaya never would."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def make_empty(place: Path) -> Path:
    """Create a store without data."""
    upgrade(place)
    return place


def make_old(place: Place) -> None:
    """Create a store of an older schema, without results of games, with one table."""
    engine = migration_engine(place) if isinstance(place, Path) else engine_of(place)
    with engine.begin() as connection:
        config = migrate._config()
        config.attributes["connection"] = connection
        command.upgrade(config, "0003")
        for statement in (
            "INSERT INTO tables VALUES"
            " ('amber', 'playing', false, 'french', 2, '[\"Ann\", \"Bé\"]', '[\"p-ann\"]', 1.5, NULL, NULL)",
            "INSERT INTO events VALUES ('amber', 1, '{\"event\":\"one\"}'), ('amber', 2, '{\"event\":\"two\"}')",
            "INSERT INTO people VALUES ('amber', 'p-ann')",
        ):
            connection.exec_driver_sql(statement)
    engine.dispose()


async def one_table(store: SqlStore) -> None:
    """Append a table with two events."""
    await store.append([batch("kept", 1, "one", "two")])


def with_one_table(place: Place) -> Dump:
    """Create a store with one table; returns a dump."""
    use(place, one_table)
    return dump(place)


def use_sqlite(path: Path, step: Callable[[SqliteStore], Awaitable[None]]) -> None:
    """Open the store in a file and run a step with it."""

    async def steps() -> None:
        store = await SqliteStore.open(path)
        try:
            await step(store)
        finally:
            await store.close()

    run(steps())


UNLIMITED = 2**30


def allow_pages(store: SqliteStore, pages: int) -> None:
    """Limit the file to this many pages, or its current size if larger; SQLite then reports a full disk."""
    with store._writer._engine.connect() as connection:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")


def overwrite_a_page(path: Path) -> None:
    """Overwrite the second page of a closed database."""
    content = bytearray(path.read_bytes())
    page = int.from_bytes(content[16:18], "big")
    assert len(content) > 2 * page
    content[page : 2 * page] = b"\xa5" * page
    path.write_bytes(content)
