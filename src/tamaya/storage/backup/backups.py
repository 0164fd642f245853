"""Backups of a running server: each is one complete SQLite file, whatever database the server uses."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import func, select

from tamaya.rules import MalformedError, say
from tamaya.storage.backup.copy_rows import ProgressCallback, no_progress, refuse_gaps
from tamaya.storage.backup.sqlite_files import (
    as_connection,
    copy_file,
    create_private_file,
    delete_database,
    lock_folder,
    open_file,
    refuse_damaged,
    refuse_foreign,
    sync_to_disk,
    write_rows,
)
from tamaya.storage.errors import as_user_errors
from tamaya.storage.migrate import is_newest
from tamaya.storage.postgres import snapshot
from tamaya.storage.schema import events, tables

UNFINISHED_NAME = "tamaya-unfinished.sqlite"
"""The name of a backup while it is being written."""
KEY_SUFFIX = ".key"
"""The suffix of the file with the cookie key of a backup."""

_NAME_FORMAT = "tamaya-%Y-%m-%dT%H%M%SZ.sqlite"
_NAME_PATTERN = re.compile(r"tamaya-\d{4}-\d\d-\d\dT\d{6}Z\.sqlite", re.ASCII)


@dataclass(frozen=True, order=True)
class Backup:
    """A complete backup: when it was made, in Unix time, and its file."""

    made: float
    path: Path


def backups_in(folder: Path) -> list[Backup]:
    """The backups in a folder, the newest last, by the times in their names: a copied file has another date."""
    found = []
    with suppress(FileNotFoundError):
        for path in folder.iterdir():
            if _NAME_PATTERN.fullmatch(path.name):
                with suppress(ValueError):
                    found.append(Backup(datetime.strptime(path.name, _NAME_FORMAT).replace(tzinfo=UTC).timestamp(), path))
    return sorted(found)


def newest_backup(folder: Path, now: float | None = None) -> Backup | None:
    """The newest backup in a folder, if any; backups that a wrong clock dated in the future do not count."""
    today = time.time() if now is None else now
    return next((backup for backup in reversed(backups_in(folder)) if backup.made <= today + 1), None)


@as_user_errors()
def back_up(
    source: Path | str,
    folder: Path,
    *,
    key: str | None = None,
    unless_since: float | None = None,
    clock: Callable[[], float] = time.time,
    watch: ProgressCallback = no_progress,
) -> Backup | None:
    """Back up a SQLite file, or the PostgreSQL database at an address, to a new file in a folder, and the key that signs
    cookies beside it if one is given. Does nothing if the newest backup was made after `unless_since`."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with lock_folder(folder):
        newest = newest_backup(folder, clock())
        if newest and unless_since is not None and newest.made > unless_since:
            return None
        unfinished = folder / UNFINISHED_NAME
        try:
            if isinstance(source, Path):
                _copy_sqlite(source, unfinished, watch)
            else:
                _copy_postgres(source, unfinished, watch)
            sync_to_disk(unfinished)
            return _finish(unfinished, key, clock())
        finally:
            delete_database(unfinished)


def delete_older(folder: Path, keep: int, made: Backup) -> list[Backup]:
    """Delete all backups in a folder but the `keep` newest and the one just made; returns those deleted."""
    older = [backup for backup in backups_in(folder)[:-keep] if backup != made]
    for backup in older:
        backup.path.unlink(missing_ok=True)
        backup.path.with_suffix(KEY_SUFFIX).unlink(missing_ok=True)
    return older


def write_key(key: str, path: Path) -> None:
    """Write the key that signs cookies to a file that only its owner can read, atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.unfinished")
    create_private_file(unfinished)
    unfinished.write_text(key)
    sync_to_disk(unfinished)
    unfinished.replace(path)
    sync_to_disk(path.parent)


def read_key(backup: Path) -> str:
    """Read the key beside a backup."""
    path = backup.with_suffix(KEY_SUFFIX)
    if not path.is_file():
        raise MalformedError("no_file", say("There is no file {name}.", name=str(path)))
    return path.read_text()


def count_backup(backup: Backup) -> tuple[int, int]:
    """The number of tables and of events in a backup."""
    with closing(open_file(backup.path, "ro")) as raw, as_connection(raw) as connection:
        found = [connection.scalar(select(func.count()).select_from(table)) or 0 for table in (tables, events)]
    return found[0], found[1]


def _copy_sqlite(source: Path, path: Path, watch: ProgressCallback) -> None:
    with closing(open_file(source)) as raw:
        raw.execute("PRAGMA query_only = ON")
        copy_file(raw, path, watch)
    with closing(open_file(path)) as copied, as_connection(copied) as connection:
        refuse_foreign(connection)
        is_newest(connection)
        refuse_damaged(connection)


def _copy_postgres(address: str, path: Path, watch: ProgressCallback) -> None:
    with snapshot(address) as source:
        refuse_foreign(source)
        if not is_newest(source):
            message = say("The database is from an older version of Tamaya; start the server once to bring it up to date.")
            raise MalformedError("older_database", message)
        write_rows(source, path, watch)
    with closing(open_file(path)) as raw, as_connection(raw) as copied:
        refuse_gaps(copied)


def _finish(unfinished: Path, key: str | None, now: float) -> Backup:
    """Give a complete backup its name: the current second or, if that is taken, the next free one."""
    made = float(int(now))
    while (path := unfinished.with_name(datetime.fromtimestamp(made, UTC).strftime(_NAME_FORMAT))).exists():
        made += 1
    if key is not None:
        write_key(key, path.with_suffix(KEY_SUFFIX))
    unfinished.rename(path)
    sync_to_disk(path.parent)
    return Backup(made, path)
