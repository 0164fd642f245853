"""Connections to a SQLite file: for reading, for writing, and for changing its schema.

None of them quotes what it writes in an error, because events hold decks.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

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
