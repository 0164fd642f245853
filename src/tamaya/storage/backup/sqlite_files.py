"""Whole SQLite files: copying them during writes, locking and checking them."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Connection, StaticPool, create_engine, inspect

from tamaya.rules import IllegalError, MalformedError, say
from tamaya.storage.backup.copy_rows import ProgressCallback, copy_and_compare, no_progress, refuse_gaps
from tamaya.storage.migrate import is_newest
from tamaya.storage.sqlite import BUSY_TIMEOUT, migration_engine, upgrade

PAGES_PER_STEP = 2000
"""Pages copied between two progress reports."""
FILE_SUFFIXES = ("", "-journal", "-wal", "-shm")
"""Suffixes of the files that belong to a database."""
EXCLUSIVE_TIMEOUT = 1.0
"""Seconds to wait for other connections to a file to close."""


def open_file(path: Path, mode: str = "rw") -> sqlite3.Connection:
    """Connect to an existing file; the connection begins no transaction by itself."""
    if not path.is_file():
        raise MalformedError("no_file", say("There is no file {name}.", name=str(path)))
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, timeout=BUSY_TIMEOUT, isolation_level=None)


@contextmanager
def open_exclusively(path: Path) -> Iterator[sqlite3.Connection]:
    """Connect to a file and lock out all other connections; refused while a server runs."""
    with closing(open_file(path)) as raw:
        raw.execute(f"PRAGMA busy_timeout = {EXCLUSIVE_TIMEOUT * 1000:.0f}")
        raw.execute("PRAGMA locking_mode = EXCLUSIVE")
        try:
            raw.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            message = say("{file} is in use; stop the server first.", file=str(path))
            raise IllegalError("database_in_use", message) from None
        raw.execute("COMMIT")
        yield raw


def copy_file(source: sqlite3.Connection, path: Path, watch: ProgressCallback = no_progress) -> None:
    """Copy a database as it is now to a file that only its owner can read, without blocking writers."""
    create_private_file(path)
    left = 1.0

    def progress(_: int, remaining: int, total: int) -> None:
        nonlocal left
        now_left = remaining / max(1, total)
        watch(left - now_left)
        left = now_left

    with closing(sqlite3.connect(path, isolation_level=None)) as target:
        # Without one transaction around it, every write of another process would restart the copy.
        source.execute("BEGIN")
        source.execute("SELECT 1 FROM sqlite_master").fetchone()
        source.backup(target, pages=PAGES_PER_STEP, progress=progress)
        source.execute("ROLLBACK")
        target.execute("PRAGMA journal_mode = DELETE")


def write_rows(source: Connection, path: Path, watch: ProgressCallback = no_progress) -> None:
    """Copy all rows of a PostgreSQL database with the current schema to a SQLite file that only its owner can read, and compare
    them. Inconsistent rows are copied as they are."""
    create_private_file(path)
    upgrade(path)
    engine = migration_engine(path)
    try:
        with engine.begin() as target:
            copy_and_compare(source, target, watch)
    finally:
        engine.dispose()
    with closing(open_file(path)) as raw, as_connection(raw) as connection:
        raw.execute("PRAGMA journal_mode = DELETE")
        refuse_unreadable(connection)


def create_private_file(path: Path) -> None:
    """Create an empty file that only its owner can read, in place of what a killed process left there."""
    delete_database(path)
    os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))


def delete_database(path: Path) -> None:
    """Delete a database file and its journals."""
    for suffix in FILE_SUFFIXES:
        path.with_name(f"{path.name}{suffix}").unlink(missing_ok=True)


@contextmanager
def as_connection(raw: sqlite3.Connection) -> Iterator[Connection]:
    """Wrap a raw connection for SQLAlchemy."""
    engine = create_engine("sqlite://", creator=lambda: raw, poolclass=StaticPool, hide_parameters=True)
    with engine.connect() as connection:
        yield connection


@contextmanager
def upgraded_connection(raw: sqlite3.Connection) -> Iterator[Connection]:
    """Connect to a file, or to an upgraded copy if its schema is older. The file is not changed."""
    with as_connection(raw) as connection:
        refuse_foreign(connection)
        if is_newest(connection):
            raw.execute("BEGIN")
            refuse_damaged(connection)
            yield connection
            return
    with TemporaryDirectory(prefix="tamaya-") as folder:
        copy = Path(folder, "tables.sqlite")
        copy_file(raw, copy)
        upgrade(copy)
        with closing(open_file(copy)) as upgraded, as_connection(upgraded) as connection:
            refuse_damaged(connection)
            yield connection


def refuse_foreign(connection: Connection) -> None:
    """Refuse a database without Tamaya's tables."""
    if not {"alembic_version", "events", "tables"} <= set(inspect(connection).get_table_names()):
        raise MalformedError("foreign_database", say("This is not a Tamaya database."))


def refuse_damaged(connection: Connection) -> None:
    """Refuse a SQLite database that is corrupt or lacks events."""
    refuse_unreadable(connection)
    refuse_gaps(connection)


def refuse_unreadable(connection: Connection) -> None:
    """Refuse a SQLite database that fails the integrity check or has dangling foreign keys."""
    sound = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar() == "ok"
    if not sound or connection.exec_driver_sql("PRAGMA foreign_key_check").first():
        raise MalformedError("damaged_database", say("The database is damaged."))


def sync_to_disk(path: Path) -> None:
    """Flush a file, or the names in a folder, so that they survive a crash of the machine."""
    with suppress(PermissionError):  # some systems cannot open a folder
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Lock a folder against other backups and restores; unfinished files in it can then be deleted."""
    try:
        import fcntl
    except ImportError:  # a system without such locks
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = say("Another backup is being written or restored in {folder}; wait until it is done.", folder=str(folder))
            raise IllegalError("backup_running", message) from None
        yield
    finally:
        os.close(descriptor)
