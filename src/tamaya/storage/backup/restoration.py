"""What a restore replaces, kept under another name."""

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
    holds_something,
    no_progress,
    refuse_gaps,
)
from tamaya.storage.backup.sqlite_files import (
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
    write_rows,
)
from tamaya.storage.errors import in_words, is_damage
from tamaya.storage.migrate import is_newest, upgrade_within
from tamaya.storage.postgres import NAME, checked_url, writing_engine
from tamaya.storage.schema import metadata
from tamaya.storage.sqlite import upgrade

SQLITE = b"SQLite format 3\0"
"""How every SQLite file begins."""
FILE = "tables.sqlite"
"""What a server calls its SQLite file; what is kept of PostgreSQL is named after it, too."""


class OldFile:
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
                    self.holds_something = holds_something(connection)
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
        aside = dated(self._path, "before-restore") if self.holds_something else None
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


def unfinished(path: Path) -> Path:
    """What a file is called before it is whole."""
    return path.with_name(f"{path.name}.restoring")


def dated(path: Path, why: str) -> Path:
    """What a file is called once it is out of the way, and never twice the same."""
    return path.with_name(f"{path.name}.{why}-{datetime.fromtimestamp(time.time(), UTC):%Y-%m-%dT%H%M%S.%fZ}")


@contextmanager
def emptied(target: Connection, folder: Path, watch: ProgressCallback) -> Iterator[Path | None]:
    """Our tables without a row, after a file has all that was in them, to which nobody can add in between. Should the
    rest fail, nothing was replaced, and the file goes again."""
    every = ", ".join(map(target.dialect.identifier_preparer.format_table, metadata.sorted_tables))
    target.execute(text(f"LOCK TABLE {every} IN ACCESS EXCLUSIVE MODE"))
    with ExitStack() as undoing:
        aside = None
        if count_rows(target):
            aside = _keep_rows(target, folder, watch)
            undoing.callback(discard, aside)
        target.execute(text(f"TRUNCATE {every}"))
        yield aside
        undoing.pop_all()


def _keep_rows(source: Connection, folder: Path, watch: ProgressCallback) -> Path:
    """Everything in our tables as a file like that of a backup; whoever cannot have it is told that nothing was replaced."""
    new, aside = unfinished(folder / FILE), dated(folder / FILE, "before-restore")
    try:
        with in_words():
            folder.mkdir(parents=True, exist_ok=True)
            with only_one_in(folder):
                try:
                    write_rows(source, new, watch)
                    to_disk(new)
                    new.rename(aside)
                    to_disk(folder)
                finally:
                    discard(new)
    except TamayaError as problem:
        message = say(
            "What is in the database cannot be kept in {folder}, so nothing was replaced. {problem}",
            folder=str(folder),
            problem=problem.message,
        )
        raise type(problem)(problem.code, message) from None
    return aside


_UNHURRIED = text("SET LOCAL idle_in_transaction_session_timeout = '10min'")
"""PostgreSQL hears nothing from us while a large file is read again; of a server's connections it would end such a one."""
_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND application_name = :name AND pid <> pg_backend_pid()"
)


@in_words()
def restore(
    backup: Path,
    target: Path | str,
    *,
    replace: bool = False,
    folder: Path | None = None,
    watch: ProgressCallback = no_progress,
) -> tuple[Contents, Path | None]:
    """Put everything of a backup into a SQLite file, or into a PostgreSQL database at an address. What is there already is
    refused unless it is to be replaced. A file then stays beside the new one; what was in PostgreSQL is kept as a SQLite file
    in the folder, or else where the backup is. Returns what was restored, and where that file is."""
    with closing(open_file(backup, "ro")) as raw:
        if isinstance(target, Path):
            return _into_file(raw, target, replace, watch)
        with newest_rows_of(raw) as source:
            return _into_postgres(source, target, (folder or backup.parent) if replace else None, watch)


@in_words()
def move(
    source: Path, address: str, *, rename: bool = False, watch: ProgressCallback = no_progress
) -> tuple[Contents, Path | None]:
    """Put everything of a SQLite file into an empty PostgreSQL database. The file stays as it is, and is renamed if that is
    wanted. Returns what was moved, and the new name of the file."""
    with alone_with(source) as raw:
        with newest_rows_of(raw) as rows:
            moved, _ = _into_postgres(rows, address, None, watch)
        if not rename:
            return moved, None
        raw.execute("PRAGMA journal_mode = DELETE")
        renamed = dated(source, "moved")
        source.rename(renamed)
        to_disk(source.parent)
        return moved, renamed


def _into_file(raw: sqlite3.Connection, path: Path, replace: bool, watch: ProgressCallback) -> tuple[Contents, Path | None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = unfinished(path)
    with only_one_in(path.parent), ExitStack() as holding:
        old = OldFile(path, holding)
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


def _into_postgres(
    source: Connection, address: str, folder: Path | None, watch: ProgressCallback
) -> tuple[Contents, Path | None]:
    """What is there is replaced if there is a folder to keep it in. All is one transaction: if anything fails, the database is
    as it was."""

    def half(share: float) -> None:
        watch(share / 2)

    engine = writing_engine(checked_url(address))
    try:
        with engine.begin() as target:
            target.execute(_UNHURRIED)
            if target.scalar(_OTHERS, {"name": NAME}):
                message = say("The PostgreSQL database is in use; stop the server first.")
                raise IllegalError("database_in_use", message)
            if folder is None and holds_something(target):
                raise _not_empty("PostgreSQL")
            upgrade_within(target)
            with emptied(target, folder, half) if folder else nullcontext() as aside:
                restored = copy_and_compare(source, target, half if aside else watch)
                refuse_gaps(target)
        return restored, aside
    finally:
        engine.dispose()


def _not_empty(place: str) -> IllegalError:
    message = say("There is something in {place} already; nothing was changed.", place=place)
    return IllegalError("not_empty", message)
