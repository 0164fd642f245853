"""Restoring a backup, and moving to PostgreSQL; replaced data is kept under another name."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection, text
from sqlalchemy.exc import DatabaseError

from tamaya.rules import IllegalError, TamayaError, say
from tamaya.storage.backup.copy_rows import (
    Contents,
    ProgressCallback,
    contents,
    copy_and_compare,
    count_rows,
    has_content,
    no_progress,
    refuse_gaps,
)
from tamaya.storage.backup.sqlite_files import (
    as_connection,
    copy_file,
    delete_database,
    lock_folder,
    open_exclusively,
    open_file,
    refuse_damaged,
    refuse_foreign,
    sync_to_disk,
    upgraded_connection,
    write_rows,
)
from tamaya.storage.errors import as_user_errors, is_damage
from tamaya.storage.migrate import is_newest, upgrade_within
from tamaya.storage.postgres import APPLICATION_NAME, checked_url, writing_engine
from tamaya.storage.schema import metadata
from tamaya.storage.sqlite import upgrade

SQLITE_HEADER = b"SQLite format 3\0"
"""The first bytes of every SQLite file."""
DATABASE_FILE = "tables.sqlite"
"""The server's name of its SQLite file; data kept of PostgreSQL is named after it, too."""


class OldFile:
    """The file to be replaced, locked against other connections unless it is too damaged for that."""

    def __init__(self, path: Path, holding: ExitStack) -> None:
        self._path = path
        self._raw: sqlite3.Connection | None = None
        self.has_content = path.exists()
        if not self.has_content or _is_not_sqlite(path):
            return
        with ExitStack() as attempt:
            try:
                self._raw = attempt.enter_context(open_exclusively(path))
                with as_connection(self._raw) as connection:
                    self.has_content = has_content(connection)
            except (sqlite3.DatabaseError, DatabaseError) as problem:
                if not is_damage(problem):
                    raise
                self._raw = None
            else:
                holding.push(attempt.pop_all())

    def set_aside(self) -> Path | None:
        """Keep the content under another name; the old name stays until the new file replaces it."""
        if self._raw:
            self._raw.execute("PRAGMA journal_mode = DELETE")
        aside = dated_path(self._path, "before-restore") if self.has_content else None
        if aside:
            _link_or_copy(self._path, aside)
        # SQLite must not apply the journal of a damaged file to the new one.
        for suffix in ("-wal", "-shm"):
            journal = self._path.with_name(f"{self._path.name}{suffix}")
            if aside and journal.exists():
                _link_or_copy(journal, aside.with_name(f"{aside.name}{suffix}"))
            journal.unlink(missing_ok=True)
        return aside


def _is_not_sqlite(path: Path) -> bool:
    """Whether SQLite would take a file for a new or foreign one, and delete its journal when opening it."""
    with path.open("rb") as file:
        start = file.read(len(SQLITE_HEADER))
    return start != SQLITE_HEADER and (start != b"" or path.with_name(f"{path.name}-wal").exists())


def _link_or_copy(path: Path, name: Path) -> None:
    """Hard-link a file or, where that is not possible, copy it."""
    try:
        os.link(path, name)
    except OSError:
        shutil.copy2(path, name)
        sync_to_disk(name)


def unfinished_path(path: Path) -> Path:
    """The name of a file while it is being written."""
    return path.with_name(f"{path.name}.restoring")


def dated_path(path: Path, why: str) -> Path:
    """A unique name for a file that is moved out of the way."""
    return path.with_name(f"{path.name}.{why}-{datetime.fromtimestamp(time.time(), UTC):%Y-%m-%dT%H%M%S.%fZ}")


@contextmanager
def empty_tables(target: Connection, folder: Path, watch: ProgressCallback) -> Iterator[Path | None]:
    """Lock and empty the tables of a PostgreSQL database, after copying their rows to a file; yields its path, or None if there
    were none. The file is deleted if the rest fails."""
    names = ", ".join(map(target.dialect.identifier_preparer.format_table, metadata.sorted_tables))
    target.execute(text(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE"))
    with ExitStack() as undoing:
        aside = None
        if count_rows(target):
            aside = _keep_rows(target, folder, watch)
            undoing.callback(delete_database, aside)
        target.execute(text(f"TRUNCATE {names}"))
        yield aside
        undoing.pop_all()


def _keep_rows(source: Connection, folder: Path, watch: ProgressCallback) -> Path:
    """Write the tables of a PostgreSQL database to a file like a backup's; an error says that nothing was replaced."""
    new, aside = unfinished_path(folder / DATABASE_FILE), dated_path(folder / DATABASE_FILE, "before-restore")
    try:
        with as_user_errors():
            folder.mkdir(parents=True, exist_ok=True)
            with lock_folder(folder):
                try:
                    write_rows(source, new, watch)
                    sync_to_disk(new)
                    new.rename(aside)
                    sync_to_disk(folder)
                finally:
                    delete_database(new)
    except TamayaError as problem:
        message = say(
            "What is in the database cannot be kept in {folder}, so nothing was replaced. {problem}",
            folder=str(folder),
            problem=problem.message,
        )
        raise type(problem)(problem.code, message) from None
    return aside


_ALLOW_IDLING = text("SET LOCAL idle_in_transaction_session_timeout = '10min'")
"""The connection is idle while a large file is read again; with the settings of other connections it would be closed."""
_COUNT_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND application_name = :name AND pid <> pg_backend_pid()"
)


@as_user_errors()
def restore(
    backup: Path,
    target: Path | str,
    *,
    replace: bool = False,
    folder: Path | None = None,
    watch: ProgressCallback = no_progress,
) -> tuple[Contents, Path | None]:
    """Restore a backup to a SQLite file, or to the PostgreSQL database at an address.

    Existing data is refused unless `replace` is set. A replaced file stays beside the new one; replaced rows of PostgreSQL are
    kept as a SQLite file in the folder, by default that of the backup. Returns the contents restored and the path of that file.
    """
    with closing(open_file(backup, "ro")) as raw:
        if isinstance(target, Path):
            return _into_file(raw, target, replace, watch)
        with upgraded_connection(raw) as source:
            return _into_postgres(source, target, (folder or backup.parent) if replace else None, watch)


@as_user_errors()
def move(
    source: Path, address: str, *, rename: bool = False, watch: ProgressCallback = no_progress
) -> tuple[Contents, Path | None]:
    """Copy a SQLite file to an empty PostgreSQL database, and rename the file if `rename` is set. Returns the contents
    copied, and the new name of the file."""
    with open_exclusively(source) as raw:
        with upgraded_connection(raw) as rows:
            moved, _ = _into_postgres(rows, address, None, watch)
        if not rename:
            return moved, None
        raw.execute("PRAGMA journal_mode = DELETE")
        renamed = dated_path(source, "moved")
        source.rename(renamed)
        sync_to_disk(source.parent)
        return moved, renamed


def _into_file(raw: sqlite3.Connection, path: Path, replace: bool, watch: ProgressCallback) -> tuple[Contents, Path | None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = unfinished_path(path)
    with lock_folder(path.parent), ExitStack() as holding:
        old = OldFile(path, holding)
        if old.has_content and not replace:
            raise _not_empty(str(path))
        try:
            copy_file(raw, new, watch)
            with closing(open_file(new)) as copied, as_connection(copied) as connection:
                refuse_foreign(connection)
                is_newest(connection)
            upgrade(new)
            with closing(open_file(new)) as copied, as_connection(copied) as connection:
                refuse_damaged(connection)
                restored = contents(connection)
            sync_to_disk(new)
            aside = old.set_aside()
            os.replace(new, path)
            sync_to_disk(path.parent)
        finally:
            delete_database(new)
    return restored, aside


def _into_postgres(
    source: Connection, address: str, folder: Path | None, watch: ProgressCallback
) -> tuple[Contents, Path | None]:
    """Restore to PostgreSQL in one transaction; existing rows are replaced only if there is a folder to keep them in."""

    def watch_half(share: float) -> None:
        watch(share / 2)

    engine = writing_engine(checked_url(address))
    try:
        with engine.begin() as target:
            target.execute(_ALLOW_IDLING)
            if target.scalar(_COUNT_OTHERS, {"name": APPLICATION_NAME}):
                message = say("The PostgreSQL database is in use; stop the server first.")
                raise IllegalError("database_in_use", message)
            if folder is None and has_content(target):
                raise _not_empty("PostgreSQL")
            upgrade_within(target)
            with empty_tables(target, folder, watch_half) if folder else nullcontext() as aside:
                restored = copy_and_compare(source, target, watch_half if aside else watch)
                refuse_gaps(target)
        return restored, aside
    finally:
        engine.dispose()


def _not_empty(place: str) -> IllegalError:
    message = say("There is something in {place} already; nothing was changed.", place=place)
    return IllegalError("not_empty", message)
