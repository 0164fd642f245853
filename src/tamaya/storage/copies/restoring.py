"""Everything in a database from a backup, or from another database: all of it or nothing, and never over what is there unless
that is wanted."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection, inspect, select, text
from sqlalchemy.exc import DatabaseError

from tamaya.rules import IllegalError, say
from tamaya.storage.copies.files import (
    alone_with,
    copy_file,
    discard,
    newest_rows_of,
    only_one_in,
    open_file,
    refuse_damaged,
    refuse_foreign,
    rows_of,
    to_disk,
)
from tamaya.storage.copies.rows import Contents, Watch, contents, copy_and_compare, unwatched
from tamaya.storage.migrate import is_newest, upgrade, upgrade_within
from tamaya.storage.postgres import NAME, checked_url, writing_engine
from tamaya.storage.problems import in_words, is_damage
from tamaya.storage.schema import metadata

SQLITE = b"SQLite format 3\0"
"""How every SQLite file begins."""

_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND application_name = :name AND pid <> pg_backend_pid()"
)


@in_words()
def restore(
    backup: Path, target: Path | str, *, replace: bool = False, watch: Watch = unwatched
) -> tuple[Contents, Path | None]:
    """Put everything of a backup into a SQLite file, or into a PostgreSQL database at an address. What is there already is
    refused unless it is to be replaced; a file then stays beside the new one. Returns what was restored, and where the old
    file is."""
    with closing(open_file(backup, "ro")) as raw:
        if isinstance(target, Path):
            return _into_file(raw, target, replace, watch)
        with newest_rows_of(raw) as source:
            return _into_postgres(source, target, replace, watch), None


@in_words()
def move(source: Path, address: str, *, rename: bool = False, watch: Watch = unwatched) -> tuple[Contents, Path | None]:
    """Put everything of a SQLite file into an empty PostgreSQL database. The file stays as it is, and is renamed if that is
    wanted. Returns what was moved, and the new name of the file."""
    with alone_with(source) as raw:
        with newest_rows_of(raw) as rows:
            moved = _into_postgres(rows, address, False, watch)
        if not rename:
            return moved, None
        raw.execute("PRAGMA journal_mode = DELETE")
        renamed = _dated(source, "moved")
        source.rename(renamed)
        to_disk(source.parent)
        return moved, renamed


def _into_file(raw: sqlite3.Connection, path: Path, replace: bool, watch: Watch) -> tuple[Contents, Path | None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.restoring")
    with only_one_in(path.parent), ExitStack() as holding:
        old = _OldFile(path, holding)
        if old.holds_something and not replace:
            raise _not_empty(str(path))
        try:
            copy_file(raw, new, watch)
            with closing(open_file(new)) as copied, rows_of(copied) as connection:
                refuse_foreign(connection)
                is_newest(connection)
            upgrade(new)
            with closing(open_file(new)) as copied, rows_of(copied) as connection:
                refuse_damaged(connection)
                restored = contents(connection)
            to_disk(new)
            aside = old.set_aside()
            os.replace(new, path)
            to_disk(path.parent)
        finally:
            discard(new)
    return restored, aside


class _OldFile:
    """The file that is to be replaced: nobody else can be connected to it meanwhile, unless it is too damaged for that."""

    def __init__(self, path: Path, holding: ExitStack) -> None:
        self._path = path
        self._raw: sqlite3.Connection | None = None
        self.holds_something = path.exists()
        if not self.holds_something or _is_no_database(path):
            return
        with ExitStack() as attempt:
            try:
                self._raw = attempt.enter_context(alone_with(path))
                with rows_of(self._raw) as connection:
                    self.holds_something = _holds_something(connection)
            except (sqlite3.DatabaseError, DatabaseError) as problem:
                if not is_damage(problem):
                    raise
                self._raw = None
            else:
                holding.push(attempt.pop_all())

    def set_aside(self) -> Path | None:
        """Keep what it holds under another name; its own is left until another file takes it."""
        if self._raw:
            self._raw.execute("PRAGMA journal_mode = DELETE")
        aside = _dated(self._path, "before-restore") if self.holds_something else None
        if aside:
            _keep_as(self._path, aside)
        # A damaged file can have a journal, which must never be taken for one of the new file.
        for beside in ("-wal", "-shm"):
            journal = self._path.with_name(f"{self._path.name}{beside}")
            if aside and journal.exists():
                _keep_as(journal, aside.with_name(f"{aside.name}{beside}"))
            journal.unlink(missing_ok=True)
        return aside


def _is_no_database(path: Path) -> bool:
    """Whether SQLite would take a file for a new or foreign one, and delete the journal beside it at the first look."""
    with path.open("rb") as file:
        start = file.read(len(SQLITE))
    return start != SQLITE and (start != b"" or path.with_name(f"{path.name}-wal").exists())


def _keep_as(path: Path, name: Path) -> None:
    """Give a file a second name or, where that cannot be done, make a copy."""
    try:
        os.link(path, name)
    except OSError:
        shutil.copy2(path, name)
        to_disk(name)


def _dated(path: Path, why: str) -> Path:
    return path.with_name(f"{path.name}.{why}-{datetime.fromtimestamp(time.time(), UTC):%Y-%m-%dT%H%M%S.%fZ}")


def _into_postgres(source: Connection, address: str, replace: bool, watch: Watch) -> Contents:
    engine = writing_engine(checked_url(address))
    try:
        with engine.begin() as target:
            if target.scalar(_OTHERS, {"name": NAME}):
                message = say("The PostgreSQL database is in use; stop the server first.")
                raise IllegalError("database_in_use", message)
            if not replace and _holds_something(target):
                raise _not_empty("PostgreSQL")
            upgrade_within(target)
            if replace:
                names = map(target.dialect.identifier_preparer.format_table, metadata.sorted_tables)
                target.execute(text(f"TRUNCATE {', '.join(names)}"))
            return copy_and_compare(source, target, watch)
    finally:
        engine.dispose()


def _holds_something(connection: Connection) -> bool:
    """Whether there is anything in a database but our own tables without a row."""
    names = set(inspect(connection).get_table_names()) - {"alembic_version"}
    ours = [table for name, table in metadata.tables.items() if name in names]
    return len(names) > len(ours) or any(connection.execute(select(1).select_from(table).limit(1)).first() for table in ours)


def _not_empty(place: str) -> IllegalError:
    message = say("There is something in {place} already; nothing was changed.", place=place)
    return IllegalError("not_empty", message)
