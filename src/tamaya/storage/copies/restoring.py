"""Everything in a database from a backup, or from another database: all of it or nothing, and never over what is there unless
that is wanted."""

from __future__ import annotations

import os
import sqlite3
from contextlib import ExitStack, closing, nullcontext
from pathlib import Path

from sqlalchemy import Connection, text

from tamaya.rules import IllegalError, say
from tamaya.storage.copies.asides import OldFile, dated, emptied, unfinished
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
from tamaya.storage.copies.rows import (
    Contents,
    Watch,
    contents,
    copy_and_compare,
    holds_something,
    refuse_gaps,
    unwatched,
)
from tamaya.storage.migrate import is_newest, upgrade, upgrade_within
from tamaya.storage.postgres import NAME, checked_url, writing_engine
from tamaya.storage.problems import in_words

_UNHURRIED = text("SET LOCAL idle_in_transaction_session_timeout = '10min'")
"""PostgreSQL hears nothing from us while a large file is read again; of a server's connections it would end such a one."""
_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND application_name = :name AND pid <> pg_backend_pid()"
)


@in_words()
def restore(
    backup: Path, target: Path | str, *, replace: bool = False, folder: Path | None = None, watch: Watch = unwatched
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
def move(source: Path, address: str, *, rename: bool = False, watch: Watch = unwatched) -> tuple[Contents, Path | None]:
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


def _into_file(raw: sqlite3.Connection, path: Path, replace: bool, watch: Watch) -> tuple[Contents, Path | None]:
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


def _into_postgres(source: Connection, address: str, folder: Path | None, watch: Watch) -> tuple[Contents, Path | None]:
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
