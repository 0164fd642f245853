"""Tables in one SQLite file, and the engines that read, write and migrate it."""

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

PATIENCE = 10.0
"""Seconds to wait for another process that is writing to the same file."""

READERS = 4
"""Connections that are kept for reading."""


def reading_engine(path: Path) -> AsyncEngine:
    """Each statement sees what was committed before it began, and waits for nobody."""
    return create_async_engine(
        URL.create("sqlite+aiosqlite", database=str(path)),
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
        skip_autocommit_rollback=True,
        pool_size=READERS,
        connect_args={"timeout": PATIENCE},
    )


def changing_engine(path: Path) -> Engine:
    """Each transaction begins with the right to write, so that nothing it has read can change before it commits.

    Foreign keys are not enforced, because a migration that rebuilds a table would empty those that refer to it.
    """
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        hide_parameters=True,
        pool_size=1,
        connect_args={"isolation_level": None, "timeout": PATIENCE},
    )
    event.listen(engine, "begin", _lock)
    return engine


def writing_engine(path: Path) -> Engine:
    """As for changing, and every commit reaches the disk before it is confirmed. What is deleted is overwritten."""
    engine = changing_engine(path)
    event.listen(engine, "connect", _make_durable)
    return engine


def _lock(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _make_durable(connection: DBAPIConnection, _: object) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA secure_delete = ON")
    cursor.close()


def upgrade(path: Path) -> None:
    """Create the database or bring it up to date. A file that a newer Tamaya has changed is refused and left alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # The log of a running game says who holds which card: the file is for its owner alone.
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    _write_ahead(path)
    engine = changing_engine(path)
    try:
        upgrade_locked(engine)
    finally:
        engine.dispose()


def _write_ahead(path: Path) -> None:
    """Let readers go on while somebody writes. The setting stays with the file; SQLite does not wait for a lock to change it,
    so this does."""
    patient_until = time.monotonic() + PATIENCE
    with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as connection:
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as problem:
                if problem.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > patient_until:
                    raise
                time.sleep(0.01)


class SqliteStore(SqlStore):
    """The events of all tables in one file."""

    def __init__(self, reading: AsyncEngine, writing: Engine, file: DatabaseFile, meter: Metrics = NO_METRICS) -> None:
        super().__init__(reading, writing, meter, file.check)
        self._file = file
        file.translate_errors(reading.sync_engine)
        file.translate_errors(writing)
        file.watch_log(writing)

    @classmethod
    async def open(cls, path: str | os.PathLike[str], meter: Metrics = NO_METRICS) -> Self:
        """Open the store in that file, after creating it or bringing it up to date. Close it when it is no longer needed.
        One that is damaged is refused; a large one is looked through in the background."""
        file = Path(path)
        is_sound = await asyncio.to_thread(check_integrity, file)
        await asyncio.to_thread(upgrade, file)
        opened = DatabaseFile(file, meter)
        if not is_sound:
            opened.examine_in_background()
        return cls(reading_engine(file), writing_engine(file), opened, meter)

    async def probe(self) -> Sequence[str]:
        """What keeps the file from keeping anything; one that is lost is not written to."""
        problems = await asyncio.to_thread(self._file.problems)
        return problems if self._file.is_lost else [*problems, *await super().probe()]

    async def close(self) -> None:
        """Finish writing, then close the file."""
        await self._file.close()
        await super().close()
