"""The SQLite adapter, beyond the contract of stores."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from anyio import create_task_group
from sqlalchemy import Engine, event
from sqlalchemy.exc import DBAPIError

from tamaya.rules import UnavailableError
from tamaya.storage import SqliteStore, sqlite
from tamaya.storage.backup.sqlite_files import open_exclusively
from tests.contract.batches import batch
from tests.support.stores import use_sqlite


@contextmanager
def counted_commits() -> Iterator[list[object]]:
    commits: list[object] = []

    def count(connection: object) -> None:
        commits.append(connection)

    event.listen(Engine, "commit", count)
    try:
        yield commits
    finally:
        event.remove(Engine, "commit", count)


def test_only_the_owner_can_read_the_file_and_its_journals(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "tables.db"

    async def steps(store: SqliteStore) -> None:
        await store.append([batch("amber", 1, "secret")])
        files = sorted(path.parent.iterdir())
        assert [file.name for file in files] == ["tables.db", "tables.db-shm", "tables.db-wal"]
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}

    use_sqlite(path, steps)
    assert [file.name for file in path.parent.iterdir()] == ["tables.db"]


@pytest.mark.parametrize("name", ["a table.db", "50%.db", "what?mode=memory#x.db", "bühne 花火.db", "file:x"])
def test_any_file_name_works(tmp_path: Path, name: str) -> None:
    async def steps(store: SqliteStore) -> None:
        await store.append([batch("amber", 1, "one")])
        assert await store.read_events("amber") == ["one"]

    use_sqlite(tmp_path / name, steps)
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_writes_are_durable_and_do_not_block_reads(tmp_path: Path) -> None:
    async def nothing(_: SqliteStore) -> None: ...

    use_sqlite(tmp_path / "tables.db", nothing)
    engine = sqlite.writing_engine(tmp_path / "tables.db")
    with engine.begin() as connection:
        full, on = 2, 1
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == full
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == on
        assert connection.exec_driver_sql("PRAGMA secure_delete").scalar() == on, "deleted data is overwritten"
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar() == sqlite.BUSY_TIMEOUT * 1000
    engine.dispose()


def test_pending_appends_are_committed_together(tmp_path: Path) -> None:
    async def steps(store: SqliteStore) -> None:
        with counted_commits() as commits:
            await asyncio.gather(*(store.append([batch(f"table{number}", 1, "one")]) for number in range(100)))
            assert len(commits) == 1
            for number in range(3):
                await store.append([batch(f"table{number}", 2, "two")])
            assert len(commits) == 4

    use_sqlite(tmp_path / "tables.db", steps)


def test_a_failed_group_fails_as_a_whole_and_the_next_is_written(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"

    async def steps(store: SqliteStore) -> None:
        with closing(sqlite3.connect(path)) as saboteur:
            saboteur.execute(
                "CREATE TRIGGER sabotage BEFORE INSERT ON events WHEN new.line = 'bad' BEGIN SELECT RAISE(FAIL, 'full'); END"
            )
        lines = ["good"] * 5 + ["bad"] + ["good"] * 5
        calls = [store.append([batch(f"table{number}", 1, line)]) for number, line in enumerate(lines)]
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(outcome, DBAPIError) for outcome in outcomes)
        assert await store.tables_of("p-ann") == []
        assert [await store.read_events(f"table{number}") for number in range(11)] == [[]] * 11
        await store.append([batch("table0", 1, "good")])
        assert await store.read_events("table0") == ["good"]

    use_sqlite(path, steps)


def test_a_failed_write_does_not_affect_a_pending_one(tmp_path: Path) -> None:
    async def steps(store: SqliteStore) -> None:
        broken = batch("amber", 1, "one", players=object())
        failing = asyncio.create_task(store.append([broken]))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await store.append([batch("birch", 1, "one")])
        with pytest.raises(DBAPIError):
            await failing
        assert await store.read_events("birch") == ["one"]
        assert await store.read_events("amber") == []

    use_sqlite(tmp_path / "tables.db", steps)


def test_a_file_locked_by_another_process_is_an_error_and_heals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tables.db"
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT", 0.01)

    async def steps(store: SqliteStore) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(UnavailableError):
                await store.append([batch("amber", 1, "one")])
            assert await store.read_events("amber") == []
        await store.append([batch("amber", 1, "one")])
        assert await store.read_events("amber") == ["one"]

    use_sqlite(path, steps)


def test_a_closed_store_refuses_appends_and_can_be_closed_again(tmp_path: Path) -> None:
    async def steps(store: SqliteStore) -> None:
        await store.close()
        with pytest.raises(RuntimeError):
            await store.append([batch("amber", 1, "one")])

    use_sqlite(tmp_path / "tables.db", steps)


@pytest.mark.parametrize("steps_before_closing", range(0, 60, 6))
def test_closing_releases_the_file_even_during_a_read(tmp_path: Path, steps_before_closing: int) -> None:
    async def steps(store: SqliteStore) -> None:
        await store.append([batch("amber", 1, "one")])
        readers = [asyncio.create_task(store.read_events("amber")) for _ in range(20)]
        for _ in range(steps_before_closing):
            await asyncio.sleep(0)
        for reader in readers:
            reader.cancel()
        await store.close()
        with open_exclusively(tmp_path / "tables.db") as alone:
            assert alone.execute("SELECT line FROM events").fetchall() == [("one",)]

    use_sqlite(tmp_path / "tables.db", steps)


def test_database_errors_do_not_quote_the_data(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"

    async def steps(store: SqliteStore) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(FAIL, 'no room'); END")
        with pytest.raises(DBAPIError, match="no room") as problem:
            await store.append([batch("amber", 1, "the deck is R1 G3")])
        assert "R1" not in str(problem.value)

    use_sqlite(path, steps)


def test_a_cancelled_read_breaks_no_connection(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def steps(store: SqliteStore) -> None:
        await store.append([batch("one", 1, "a")])
        for steps_before_leaving in range(30):
            async with create_task_group() as readers:
                readers.start_soon(store.read_events, "one")
                readers.start_soon(store.finished_codes, "p-ann")
                for _ in range(steps_before_leaving):
                    await asyncio.sleep(0)
                readers.cancel_scope.cancel()
            assert await store.read_events("one") == ["a"]

    use_sqlite(tmp_path / "tables.db", steps)
    assert caplog.text == ""
