"""What a restore replaces, kept under another name."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection, text
from sqlalchemy.exc import DatabaseError

from tamaya.rules import TamayaError, say
from tamaya.storage.copies.files import alone_with, discard, only_one_in, rows_of, to_disk, write_rows
from tamaya.storage.copies.rows import Watch, count_rows, holds_something
from tamaya.storage.problems import in_words, is_damage
from tamaya.storage.schema import metadata

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
def emptied(target: Connection, folder: Path, watch: Watch) -> Iterator[Path | None]:
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


def _keep_rows(source: Connection, folder: Path, watch: Watch) -> Path:
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
