"""Backups while the server runs: each is one SQLite file with everything in it, whatever database the server has."""

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
    copy_file,
    discard,
    new_file,
    only_one_in,
    open_file,
    refuse_damaged,
    refuse_foreign,
    rows_of,
    to_disk,
    write_rows,
)
from tamaya.storage.errors import in_words
from tamaya.storage.migrate import is_newest
from tamaya.storage.postgres import snapshot
from tamaya.storage.schema import events, tables

UNFINISHED = "tamaya-unfinished.sqlite"
"""What a backup is called before it is whole."""
KEY = ".key"
"""How the name of the file ends that holds the key of a backup."""

_NAME = "tamaya-%Y-%m-%dT%H%M%SZ.sqlite"
_NAMES = re.compile(r"tamaya-\d{4}-\d\d-\d\dT\d{6}Z\.sqlite", re.ASCII)


@dataclass(frozen=True, order=True)
class Backup:
    """One that is whole: when it was made, in seconds, and where it lies."""

    made: float
    path: Path


def backups_in(folder: Path) -> list[Backup]:
    """The backups in a folder, the newest last, by their names: a copied file has another date."""
    found = []
    with suppress(FileNotFoundError):
        for path in folder.iterdir():
            if _NAMES.fullmatch(path.name):
                with suppress(ValueError):
                    found.append(Backup(datetime.strptime(path.name, _NAME).replace(tzinfo=UTC).timestamp(), path))
    return sorted(found)


def newest_backup(folder: Path, now: float | None = None) -> Backup | None:
    """The newest backup in a folder, or nothing; those that a wrong clock has dated in the future do not count. Whoever watches
    a server asks this how old it is."""
    today = time.time() if now is None else now
    return next((backup for backup in reversed(backups_in(folder)) if backup.made <= today + 1), None)


@in_words()
def back_up(
    source: Path | str,
    folder: Path,
    *,
    key: str | None = None,
    unless_since: float | None = None,
    clock: Callable[[], float] = time.time,
    watch: ProgressCallback = no_progress,
) -> Backup | None:
    """Write everything in a SQLite file, or in a PostgreSQL database at an address, to a new file in a folder, and the key that
    signs cookies beside it if one is given. Does nothing if there is a backup made after `unless_since`."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with only_one_in(folder):
        newest = newest_backup(folder, clock())
        if newest and unless_since is not None and newest.made > unless_since:
            return None
        unfinished = folder / UNFINISHED
        try:
            if isinstance(source, Path):
                _copy_sqlite(source, unfinished, watch)
            else:
                _copy_postgres(source, unfinished, watch)
            to_disk(unfinished)
            return _finish(unfinished, key, clock())
        finally:
            discard(unfinished)


def delete_older(folder: Path, keep: int, made: Backup) -> list[Backup]:
    """Delete the backups in a folder but for so many of the newest and the one just made; nothing else is touched."""
    older = [backup for backup in backups_in(folder)[:-keep] if backup != made]
    for backup in older:
        backup.path.unlink(missing_ok=True)
        backup.path.with_suffix(KEY).unlink(missing_ok=True)
    return older


def write_key(key: str, path: Path) -> None:
    """Keep a key that signs cookies in a file for its owner alone, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.unfinished")
    new_file(unfinished)
    unfinished.write_text(key)
    to_disk(unfinished)
    unfinished.replace(path)
    to_disk(path.parent)


def read_key(backup: Path) -> str:
    """The key beside a backup."""
    path = backup.with_suffix(KEY)
    if not path.is_file():
        raise MalformedError("no_file", say("There is no file {name}.", name=str(path)))
    return path.read_text()


def count_backup(backup: Backup) -> tuple[int, int]:
    """How many tables and how many events a backup has."""
    with closing(open_file(backup.path, "ro")) as raw, rows_of(raw) as connection:
        found = [connection.scalar(select(func.count()).select_from(table)) or 0 for table in (tables, events)]
    return found[0], found[1]


def _copy_sqlite(source: Path, path: Path, watch: ProgressCallback) -> None:
    with closing(open_file(source)) as raw:
        raw.execute("PRAGMA query_only = ON")
        copy_file(raw, path, watch)
    with closing(open_file(path)) as copied, rows_of(copied) as connection:
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
    with closing(open_file(path)) as raw, rows_of(raw) as copied:
        refuse_gaps(copied)


def _finish(unfinished: Path, key: str | None, now: float) -> Backup:
    """Give a whole backup its name: that of this second or, if there is one already, of the next that is free."""
    made = float(int(now))
    while (path := unfinished.with_name(datetime.fromtimestamp(made, UTC).strftime(_NAME))).exists():
        made += 1
    if key is not None:
        write_key(key, path.with_suffix(KEY))
    unfinished.rename(path)
    to_disk(path.parent)
    return Backup(made, path)
