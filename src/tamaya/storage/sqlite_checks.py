"""Whether a SQLite file can be relied on: it is sound, it is still the file at its path, and its disk has room.

SQLite itself goes on writing into a file that somebody has deleted or replaced: what it confirms then is gone with the process.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import ExceptionContext

from tamaya.rules import MalformedError, UnavailableError, say
from tamaya.table.telemetry import NO_METRICS, Metrics

logger = logging.getLogger(__name__)
EXAMINING = 5.0
"""The seconds for which opening waits while the file is looked through (a gigabyte in memory takes one, from a disk as long as
reading it takes); after that the server begins, and is not ready until all of it has been looked at."""
LEAST_SPACE = 16 * 1024 * 1024
LEAST_FILES = 16
SAID_AGAIN = 60.0
OFTEN = 10_000
"""After how many of its steps SQLite asks whether it should go on."""
LOST = "the database file was deleted or replaced: put it back, or restart the server to use what is there now"
FAILURES = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "readonly",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
    sqlite3.SQLITE_IOERR: "disk",
    sqlite3.SQLITE_CANTOPEN: "disk",
    sqlite3.SQLITE_PERM: "disk",
    sqlite3.SQLITE_BUSY: "busy",
    sqlite3.SQLITE_LOCKED: "busy",
    sqlite3.SQLITE_NOMEM: "memory",
}
"""What SQLite says when the fault lies with the file or the machine, and in which word it is counted."""


class DamagedError(MalformedError):
    """A database that is not to be written to; only its host can do something about it."""

    def __init__(self, path: Path) -> None:
        message = say("The database {file} is damaged; put a backup in its place. Nothing was changed.", file=str(path))
        super().__init__("damaged_database", message)


def check_integrity(path: Path, seconds: float | None = None, stopped: Callable[[], bool] = lambda: False) -> bool:
    """Look through a file, if there is one, for so many seconds (`EXAMINING`); whether that was enough. `DamagedError` if it is
    damaged."""
    if not path.exists():
        return True
    until = time.monotonic() + (EXAMINING if seconds is None else seconds)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.set_progress_handler(lambda: stopped() or time.monotonic() > until, OFTEN)
        try:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.DatabaseError as problem:
            if _code(problem) == sqlite3.SQLITE_INTERRUPT:
                return False
            if FAILURES.get(_code(problem)) == "damaged":
                raise DamagedError(path) from None
            raise
    if found != ("ok",):
        raise DamagedError(path)
    return True


class DatabaseFile:
    """A database file that a store has open: notices when it is lost, and calls the faults of the machine by one name."""

    def __init__(self, path: Path, meter: Metrics = NO_METRICS) -> None:
        self._path, self._log, self._meter = path, path.with_name(f"{path.name}-wal"), meter
        self._opened = _identity(path)
        self._opened_log: tuple[int, int] | None = None
        self._is_damaged = False
        self._failing, self._said = "", 0.0
        self._closing = threading.Event()
        self._examination: asyncio.Future[None] | None = None

    @property
    def is_lost(self) -> bool:
        """Whether the file, or the log in which SQLite keeps what was written last, was deleted or replaced."""
        if self._opened is None or _identity(self._path) != self._opened:
            return True
        return self._opened_log is not None and _identity(self._log) != self._opened_log

    def check(self) -> None:
        """Refuse to go on where what is written would be lost; two looks at a folder, so it can be asked at every commit."""
        if self._is_damaged or self.is_lost:
            self._fails("damaged" if self._is_damaged else "lost")
            raise UnavailableError

    def problems(self) -> list[str]:
        """What a look at file and disk says, without writing anything."""
        found = {
            LOST: self.is_lost,
            "the database is damaged: restore a backup": self._is_damaged,
            "the database is still being looked through": self._examination is not None and not self._examination.done(),
            "the disk is almost full": self._space() < LEAST_SPACE,
            "the disk has no room for more files": self._files() < LEAST_FILES,
        }
        return [problem for problem, is_so in found.items() if is_so]

    def _space(self) -> float:
        try:
            return shutil.disk_usage(self._path.parent).free
        except OSError:
            return 0

    def _files(self) -> float:
        """How many files the disk has room for; some systems do not count them."""
        try:
            disk = os.statvfs(self._path.parent)
        except (AttributeError, OSError):
            return LEAST_FILES
        return disk.f_favail if disk.f_files else LEAST_FILES

    def watch_log(self, writing: Engine) -> None:
        """Remember which log is written to: it is there from the first transaction on, as long as its connection is open."""
        event.listen(writing, "commit", self._remember_log)

    def _remember_log(self, _: Connection) -> None:
        if self._opened_log is None:
            self._opened_log = _identity(self._log)

    def translate_errors(self, engine: Engine) -> None:
        """Let faults of file and machine be `UnavailableError`s, whatever was being done; others stay what they are."""
        event.listen(engine, "handle_error", self._translated)

    def _translated(self, context: ExceptionContext) -> UnavailableError | None:
        failure = FAILURES.get(_code(context.original_exception)) or ("lost" if self.is_lost else "")
        if not failure:
            return None
        self._fails(failure)
        return UnavailableError()

    def _fails(self, failure: str) -> None:
        """Count it; the log says the same once a minute, so that it does not fill the disk, too."""
        self._meter.count("database_error", failure)
        now = time.monotonic()
        if failure != self._failing or now > self._said + SAID_AGAIN:
            self._failing, self._said = failure, now
            logger.error("the database cannot keep anything: %s", failure)

    def examine_in_background(self) -> None:
        """Look through the whole file while it is used already; if it is damaged, nothing more is written to it."""
        self._examination = asyncio.get_running_loop().run_in_executor(None, self._examine)

    def _examine(self) -> None:
        try:
            check_integrity(self._path, float("inf"), self._closing.is_set)
        except DamagedError:
            self._is_damaged = True
            self._fails("damaged")
        except sqlite3.Error as problem:
            logger.error("the database could not be looked through: %s", type(problem).__name__)

    async def close(self) -> None:
        """Stop looking through the file."""
        self._closing.set()
        if self._examination:
            await self._examination


def _code(problem: BaseException) -> int:
    """SQLite's number of a problem, without its finer shades."""
    return int(getattr(problem, "sqlite_errorcode", 0) or 0) & 0xFF


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file lies at a path, whatever its name; nothing if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
