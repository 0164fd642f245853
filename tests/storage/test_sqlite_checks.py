"""Lost, full and damaged databases are noticed, and no write to them is confirmed."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from tamaya.rules import UnavailableError
from tamaya.storage import SqliteStore, sqlite_checks
from tamaya.table import ConflictError
from tests.contract.batches import batch
from tests.support.fakes import run
from tests.support.stores import UNLIMITED, allow_pages, overwrite_a_page, use_sqlite


def disk(f_files: int, f_favail: int) -> SimpleNamespace:
    """A disk with much free space and this many free inodes."""
    return SimpleNamespace(f_files=f_files, f_favail=f_favail, f_bavail=10**6, f_bfree=10**6, f_blocks=10**6, f_frsize=4096)


async def fill(store: SqliteStore, games: int = 30) -> None:
    await store.append([batch(f"table{number}", 1, "x" * 500) for number in range(games)])


def test_a_probe_of_a_working_store_finds_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    async def steps(store: SqliteStore) -> None:
        await store.append([batch("amber", 1, "one")])
        assert list(await store.probe()) == []
        with closing(sqlite3.connect(tmp_path / "tables.db")) as other:
            assert other.execute("SELECT code FROM events").fetchall() == [("amber",)]

    use_sqlite(tmp_path / "tables.db", steps)


def lose(path: Path) -> None:
    path.unlink()


def replace(path: Path) -> None:
    copy = path.with_name("copy")
    shutil.copy(path, copy)
    os.replace(copy, path)


def lose_log(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


def lose_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


@pytest.mark.parametrize("how", [lose, replace, lose_log, lose_folder])
def test_no_write_to_a_removed_file_is_confirmed(tmp_path: Path, how: Callable[[Path], None]) -> None:
    path = tmp_path / "data" / "tables.db"

    async def steps(store: SqliteStore) -> None:
        await store.append([batch("amber", 1, "one")])
        how(path)
        with pytest.raises(UnavailableError):
            await store.append([batch("amber", 2, "two")])
        for change in (store.remove("amber", 1), store.delete_solo_games("p-ann"), store.save_analysis("amber", "text")):
            with pytest.raises(UnavailableError):
                await change
        assert sqlite_checks.LOST_FILE in await store.probe()

    use_sqlite(path, steps)


def test_a_file_removed_during_a_write_is_noticed_before_confirming(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"

    async def steps(store: SqliteStore) -> None:
        await store.append([batch("amber", 1, "one")])
        looks: list[None] = []
        check = store._writer._check

        def lose_after_the_first_look() -> None:
            check()
            if not looks:
                lose(path)
            looks.append(None)

        store._writer._check = lose_after_the_first_look
        with pytest.raises(UnavailableError):
            await store.append([batch("amber", 2, "two")])

    use_sqlite(path, steps)


def test_a_write_ahead_log_removed_by_another_program_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"

    async def steps(store: SqliteStore) -> None:
        with closing(sqlite3.connect(path)) as other:
            other.execute("SELECT count(*) FROM events").fetchone()
            assert path.with_name("tables.db-wal").exists()
            assert not store._file.is_lost
        await store.append([batch("amber", 1, "one")])
        assert list(await store.probe()) == []

    use_sqlite(path, steps)


def test_a_file_put_back_is_used_again(tmp_path: Path) -> None:
    path, away = tmp_path / "tables.db", tmp_path / "away.db"

    async def steps(store: SqliteStore) -> None:
        await store.append([batch("amber", 1, "one")])
        path.rename(away)
        with pytest.raises(UnavailableError):
            await store.append([batch("amber", 2, "two")])
        away.rename(path)
        await store.append([batch("amber", 2, "two")])
        with pytest.raises(ConflictError):
            await store.append([batch("amber", 2, "again")])
        assert await store.read_events("amber") == ["one", "two"]
        assert list(await store.probe()) == []

    use_sqlite(path, steps)


def test_a_full_disk_fails_the_whole_group_and_heals(tmp_path: Path) -> None:
    async def steps(store: SqliteStore) -> None:
        await fill(store)
        allow_pages(store, 1)
        large = [store.append([batch(f"large{number}", 1, "y" * 5000)]) for number in range(10)]
        outcomes = await asyncio.gather(*large, return_exceptions=True)
        assert all(isinstance(outcome, UnavailableError) for outcome in outcomes)
        assert [await store.last_sequence(f"large{number}") for number in range(10)] == [0] * 10
        assert list(await store.probe()) == ["the database cannot be written"]
        assert await store.read_events("table3") == ["x" * 500], "stored events can be read"
        allow_pages(store, UNLIMITED)
        assert list(await store.probe()) == []
        await store.append([batch("large0", 1, "y" * 5000)])
        assert await store.last_sequence("large0") == 1

    use_sqlite(tmp_path / "tables.db", steps)


def test_a_nearly_full_disk_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(store: SqliteStore) -> None:
        with monkeypatch.context() as changed:
            changed.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=sqlite_checks.MIN_FREE_BYTES - 1))
            assert list(await store.probe()) == ["the disk is almost full"]
            await store.append([batch("amber", 1, "one")])
        with monkeypatch.context() as changed:
            changed.setattr(os, "statvfs", lambda _: disk(f_files=1000, f_favail=3))
            assert list(await store.probe()) == ["the disk has no room for more files"]
            changed.setattr(os, "statvfs", lambda _: disk(f_files=0, f_favail=0))
            assert list(await store.probe()) == [], "this file system does not count inodes"

    use_sqlite(tmp_path / "tables.db", steps)


def test_a_damaged_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    use_sqlite(path, fill)
    overwrite_a_page(path)
    before = path.read_bytes()
    with pytest.raises(sqlite_checks.DamagedError, match="put a backup in its place"):
        run(SqliteStore.open(path))
    assert path.read_bytes() == before


def test_a_large_file_is_checked_in_the_background(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tables.db"
    use_sqlite(path, fill)
    monkeypatch.setattr(sqlite_checks, "PROGRESS_STEPS", 1)
    monkeypatch.setattr(sqlite_checks, "CHECK_TIMEOUT", -1.0)

    async def steps(store: SqliteStore) -> None:
        await store.append([batch("amber", 1, "one")])
        assert store._file._background_check is not None
        await store._file._background_check
        assert list(await store.probe()) == []

    use_sqlite(path, steps)


def test_a_large_file_is_not_ready_until_it_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tables.db"
    use_sqlite(path, fill)

    async def steps(store: SqliteStore) -> None:
        store._file._background_check = asyncio.get_running_loop().create_future()
        assert list(await store.probe()) == ["the database is still being checked"]
        store._file._background_check.set_result(None)
        assert list(await store.probe()) == []

    use_sqlite(path, steps)


def test_a_large_file_found_damaged_refuses_further_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(store: SqliteStore) -> None:
        await store.append([batch("amber", 1, "one")])

        def find_damage(path: Path, *_: object) -> bool:
            raise sqlite_checks.DamagedError(path)

        monkeypatch.setattr(sqlite_checks, "check_integrity", find_damage)
        store._file.check_in_background()
        assert store._file._background_check is not None
        await store._file._background_check
        with pytest.raises(UnavailableError):
            await store.append([batch("amber", 2, "two")])
        assert "the database is damaged: restore a backup" in await store.probe()

    use_sqlite(tmp_path / "tables.db", steps)


def test_the_background_check_ends_with_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tables.db"
    use_sqlite(path, fill)
    monkeypatch.setattr(sqlite_checks, "PROGRESS_STEPS", 1)
    assert sqlite_checks.check_integrity(path, float("inf"), lambda: True) is False
    assert sqlite_checks.check_integrity(path, float("inf"), lambda: False) is True
