"""The SQLite adapter of the store, and the engines that read, write and migrate its file."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Self

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from tamaya.storage.migrate import upgrade_locked
from tamaya.storage.sql_store import SqlStore
from tamaya.storage.sqlite_checks import DatabaseFile, check_integrity
from tamaya.table.telemetry import NO_METRICS, Metrics

BUSY_TIMEOUT = 10.0
"""Seconds to wait for another process's write lock."""

POOL_SIZE = 4
"""Connections for reading."""


def reading_engine(path: Path) -> AsyncEngine:
    """An engine whose statements see what was committed before, and wait for no lock."""
    return create_async_engine(
        URL.create("sqlite+aiosqlite", database=str(path)),
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
        skip_autocommit_rollback=True,
        pool_size=POOL_SIZE,
        connect_args={"timeout": BUSY_TIMEOUT},
    )


def migration_engine(path: Path) -> Engine:
    """An engine whose transactions take the write lock at once, so that what they read stays true until they commit.

    Foreign keys are not enforced, because a migration that rebuilds a table would empty those that refer to it.
    """
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        hide_parameters=True,
        pool_size=1,
        connect_args={"isolation_level": None, "timeout": BUSY_TIMEOUT},
    )
    event.listen(engine, "begin", _begin_immediate)
    return engine


def writing_engine(path: Path) -> Engine:
    """A `migration_engine` with foreign keys whose commits are on disk when confirmed; deleted data is overwritten."""
    engine = migration_engine(path)
    event.listen(engine, "connect", _make_durable)
    return engine


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _make_durable(connection: DBAPIConnection, _: object) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA secure_delete = ON")
    cursor.close()


def upgrade(path: Path) -> None:
    """Create or upgrade a database file. One of a newer version is refused and left alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Only the owner may read the file: the events of a running game say who holds which card.
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    _enable_wal(path)
    engine = migration_engine(path)
    try:
        upgrade_locked(engine)
    finally:
        engine.dispose()


def _enable_wal(path: Path) -> None:
    """Enable write-ahead logging, which is stored in the file. SQLite does not wait for a lock to change it, so this does."""
    deadline = time.monotonic() + BUSY_TIMEOUT
    with closing(sqlite3.connect(path, timeout=BUSY_TIMEOUT, isolation_level=None)) as connection:
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as problem:
                if problem.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)


class SqliteStore(SqlStore):
    """Stores everything in one SQLite file."""

    def __init__(self, reading: AsyncEngine, writing: Engine, file: DatabaseFile, meter: Metrics = NO_METRICS) -> None:
        super().__init__(reading, writing, meter, file.check)
        self._file = file
        file.translate_errors(reading.sync_engine)
        file.translate_errors(writing)
        file.watch_wal(writing)

    @classmethod
    async def open(cls, path: str | os.PathLike[str], meter: Metrics = NO_METRICS) -> Self:
        """Open the store in a file, after creating or upgrading it. A damaged file is refused; a large one is checked in the
        background."""
        file = Path(path)
        is_sound = await asyncio.to_thread(check_integrity, file)
        await asyncio.to_thread(upgrade, file)
        opened = DatabaseFile(file, meter)
        if not is_sound:
            opened.check_in_background()
        return cls(reading_engine(file), writing_engine(file), opened, meter)

    async def probe(self) -> Sequence[str]:
        """Problems of the file and of writing to it, unless it is lost."""
        problems = await asyncio.to_thread(self._file.problems)
        return problems if self._file.is_lost else [*problems, *await super().probe()]

    async def close(self) -> None:
        """Finish pending writes, then close the file."""
        await self._file.close()
        await super().close()
