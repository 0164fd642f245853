"""SQLite files as a whole: copied while others write, locked, and checked."""

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
from tamaya.storage.sqlite import PATIENCE, changing_engine, upgrade

PAGES = 2000
"""So many pages are copied before the next word on how far it is."""
BESIDE = ("", "-journal", "-wal", "-shm")
"""How the names of the files end that belong to a database."""
ALONE = 1.0
"""Seconds to wait for others to let go of a file."""


def open_file(path: Path, mode: str = "rw") -> sqlite3.Connection:
    """A connection to a file that is there, which begins no transaction by itself."""
    if not path.is_file():
        raise MalformedError("no_file", say("There is no file {name}.", name=str(path)))
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, timeout=PATIENCE, isolation_level=None)


@contextmanager
def alone_with(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a file that nobody else is connected to, nor can be before this ends: refused while a server runs."""
    with closing(open_file(path)) as raw:
        raw.execute(f"PRAGMA busy_timeout = {ALONE * 1000:.0f}")
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
    """Everything that a database holds at this moment, as one file for its owner alone. Nobody who writes to it waits."""
    new_file(path)
    left = 1.0

    def progress(_: int, remaining: int, total: int) -> None:
        nonlocal left
        now_left = remaining / max(1, total)
        watch(left - now_left)
        left = now_left

    with closing(sqlite3.connect(path, isolation_level=None)) as target:
        # All is read in one transaction: without it, every write of somebody else would have the copy begin again.
        source.execute("BEGIN")
        source.execute("SELECT 1 FROM sqlite_master").fetchone()
        source.backup(target, pages=PAGES, progress=progress)
        source.execute("ROLLBACK")
        target.execute("PRAGMA journal_mode = DELETE")


def write_rows(source: Connection, path: Path, watch: ProgressCallback = no_progress) -> None:
    """Everything that a PostgreSQL database with the schema of today holds, as one SQLite file for its owner alone: sound, and
    compared row by row. What was amiss in the database is so in the file."""
    new_file(path)
    upgrade(path)
    engine = changing_engine(path)
    try:
        with engine.begin() as target:
            copy_and_compare(source, target, watch)
    finally:
        engine.dispose()
    with closing(open_file(path)) as raw, rows_of(raw) as connection:
        raw.execute("PRAGMA journal_mode = DELETE")
        refuse_unsound(connection)


def new_file(path: Path) -> None:
    """An empty file for its owner alone, instead of what a program left there that was killed."""
    discard(path)
    os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))


def discard(path: Path) -> None:
    """Delete a file and what SQLite keeps beside it."""
    for beside in BESIDE:
        path.with_name(f"{path.name}{beside}").unlink(missing_ok=True)


@contextmanager
def rows_of(raw: sqlite3.Connection) -> Iterator[Connection]:
    """The same connection for SQL that runs on any database."""
    engine = create_engine("sqlite://", creator=lambda: raw, poolclass=StaticPool, hide_parameters=True)
    with engine.connect() as connection:
        yield connection


@contextmanager
def newest_rows_of(raw: sqlite3.Connection) -> Iterator[Connection]:
    """The rows of a file by the schema of today: those of a copy where its own is older. The file is not changed."""
    with rows_of(raw) as connection:
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
        with closing(open_file(copy)) as upgraded, rows_of(upgraded) as connection:
            refuse_damaged(connection)
            yield connection


def refuse_foreign(connection: Connection) -> None:
    """Refuse a database that is not one of ours."""
    if not {"alembic_version", "events", "tables"} <= set(inspect(connection).get_table_names()):
        raise MalformedError("foreign_database", say("This is not a Tamaya database."))


def refuse_damaged(connection: Connection) -> None:
    """Refuse a SQLite database that is not whole."""
    refuse_unsound(connection)
    refuse_gaps(connection)


def refuse_unsound(connection: Connection) -> None:
    """Refuse a SQLite database that cannot be read to the end, or in which rows refer to others that are not there."""
    sound = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar() == "ok"
    if not sound or connection.exec_driver_sql("PRAGMA foreign_key_check").first():
        raise MalformedError("damaged_database", say("The database is damaged."))


def to_disk(path: Path) -> None:
    """Let a file, or the names in a folder, survive a crash of the machine."""
    with suppress(PermissionError):  # some systems let nobody open a folder
        place = os.open(path, os.O_RDONLY)
        try:
            os.fsync(place)
        finally:
            os.close(place)


@contextmanager
def only_one_in(folder: Path) -> Iterator[None]:
    """Let nobody else write backups, or restore one, in the same folder: what somebody left unfinished may then be deleted."""
    try:
        import fcntl
    except ImportError:  # a system without such locks
        yield
        return
    place = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = say("Another backup is being written or restored in {folder}; wait until it is done.", folder=str(folder))
            raise IllegalError("backup_running", message) from None
        yield
    finally:
        os.close(place)
