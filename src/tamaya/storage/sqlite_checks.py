"""Health of a SQLite file: intact, still at its path, and with room on its disk.

SQLite itself goes on writing to a file that was deleted or replaced; what it confirms then is lost with the process.
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
CHECK_TIMEOUT = 5.0
"""Seconds for which opening a store waits for the integrity check (one per gigabyte in memory, or as long as the disk takes to
read it). A longer check goes on in the background, and the server is not ready until it is done."""
MIN_FREE_BYTES = 16 * 1024 * 1024
MIN_FREE_FILES = 16
LOG_INTERVAL = 60.0
PROGRESS_STEPS = 10_000
"""SQLite calls the progress handler every so often, in steps of its virtual machine."""
LOST_FILE = "the database file was deleted or replaced: put it back, or restart the server to use what is there now"
FAILURE_WORDS = {
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
"""SQLite's result codes for faults of the file or the machine, and the metric label of each."""


class DamagedError(MalformedError):
    """The database is corrupt, which only the server's host can repair."""

    def __init__(self, path: Path) -> None:
        message = say("The database {file} is damaged; put a backup in its place. Nothing was changed.", file=str(path))
        super().__init__("damaged_database", message)


def check_integrity(path: Path, seconds: float | None = None, stopped: Callable[[], bool] = lambda: False) -> bool:
    """Check a file, if it exists, for at most `seconds` (default: `CHECK_TIMEOUT`); whether that was enough. Raises
    `DamagedError` if it is corrupt."""
    if not path.exists():
        return True
    deadline = time.monotonic() + (CHECK_TIMEOUT if seconds is None else seconds)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.set_progress_handler(lambda: stopped() or time.monotonic() > deadline, PROGRESS_STEPS)
        try:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.DatabaseError as problem:
            if _code(problem) == sqlite3.SQLITE_INTERRUPT:
                return False
            if FAILURE_WORDS.get(_code(problem)) == "damaged":
                raise DamagedError(path) from None
            raise
    if found != ("ok",):
        raise DamagedError(path)
    return True


class DatabaseFile:
    """The file of an open store: notices when it is lost or corrupt, and turns its faults into `UnavailableError`."""

    def __init__(self, path: Path, meter: Metrics = NO_METRICS) -> None:
        self._path, self._wal, self._meter = path, path.with_name(f"{path.name}-wal"), meter
        self._opened = _identity(path)
        self._opened_wal: tuple[int, int] | None = None
        self._is_damaged = False
        self._last_failure, self._logged_at = "", 0.0
        self._closing = threading.Event()
        self._background_check: asyncio.Future[None] | None = None

    @property
    def is_lost(self) -> bool:
        """Whether the file or its write-ahead log was deleted or replaced."""
        if self._opened is None or _identity(self._path) != self._opened:
            return True
        return self._opened_wal is not None and _identity(self._wal) != self._opened_wal

    def check(self) -> None:
        """Raise `UnavailableError` if writes would be lost. Two calls of `stat`, cheap enough for every commit."""
        if self._is_damaged or self.is_lost:
            self._report("damaged" if self._is_damaged else "lost")
            raise UnavailableError

    def problems(self) -> list[str]:
        """The problems of file and disk that can be seen without writing."""
        found = {
            LOST_FILE: self.is_lost,
            "the database is damaged: restore a backup": self._is_damaged,
            "the database is still being checked": self._background_check is not None and not self._background_check.done(),
            "the disk is almost full": self._free_bytes() < MIN_FREE_BYTES,
            "the disk has no room for more files": self._free_files() < MIN_FREE_FILES,
        }
        return [problem for problem, is_so in found.items() if is_so]

    def _free_bytes(self) -> float:
        try:
            return shutil.disk_usage(self._path.parent).free
        except OSError:
            return 0

    def _free_files(self) -> float:
        """Free inodes; some file systems do not count them."""
        try:
            disk = os.statvfs(self._path.parent)
        except (AttributeError, OSError):
            return MIN_FREE_FILES
        return disk.f_favail if disk.f_files else MIN_FREE_FILES

    def watch_wal(self, writing: Engine) -> None:
        """Remember the identity of the write-ahead log, which exists from the first commit until its connection closes."""
        event.listen(writing, "commit", self._remember_wal)

    def _remember_wal(self, _: Connection) -> None:
        if self._opened_wal is None:
            self._opened_wal = _identity(self._wal)

    def translate_errors(self, engine: Engine) -> None:
        """Raise faults of file and machine on this engine as `UnavailableError`."""
        event.listen(engine, "handle_error", self._translate)

    def _translate(self, context: ExceptionContext) -> UnavailableError | None:
        failure = FAILURE_WORDS.get(_code(context.original_exception)) or ("lost" if self.is_lost else "")
        if not failure:
            return None
        self._report(failure)
        return UnavailableError()

    def _report(self, failure: str) -> None:
        """Count a failure and log it, a repeated one once per `LOG_INTERVAL`, so that the log does not fill the disk too."""
        self._meter.count("database_error", failure)
        now = time.monotonic()
        if failure != self._last_failure or now > self._logged_at + LOG_INTERVAL:
            self._last_failure, self._logged_at = failure, now
            logger.error("database unavailable: %s", failure)

    def check_in_background(self) -> None:
        """Check the whole file while it is in use; if it is corrupt, refuse further writes."""
        self._background_check = asyncio.get_running_loop().run_in_executor(None, self._check_all)

    def _check_all(self) -> None:
        try:
            check_integrity(self._path, float("inf"), self._closing.is_set)
        except DamagedError:
            self._is_damaged = True
            self._report("damaged")
        except sqlite3.Error as problem:
            logger.error("integrity check failed: %s", type(problem).__name__)

    async def close(self) -> None:
        """Stop the background check."""
        self._closing.set()
        if self._background_check:
            await self._background_check


def _code(problem: BaseException) -> int:
    """The primary result code of a SQLite error."""
    return int(getattr(problem, "sqlite_errorcode", 0) or 0) & 0xFF


def _identity(path: Path) -> tuple[int, int] | None:
    """Device and inode of the file at a path, if it exists."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
