"""The real server under test: SQLite with one process, or PostgreSQL with two."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Iterable
from contextlib import ExitStack, closing
from pathlib import Path

import psycopg
from sqlalchemy import make_url

from tests import postgres
from tests.faults.proc import command_of, parent_of, processes_of
from tests.limits import within
from tests.programs import Program, line_of, start_python, wait_until

WORKERS = 2
SETTINGS = {"LC_ALL": "C", "TAMAYA_BOT_PAUSE": "0", "TAMAYA_WARM_UP": "false", "PYTHONUNBUFFERED": "1"}
SELECT_EVENTS = "SELECT code, sequence, line FROM events ORDER BY code, sequence"
STOP_TIMEOUT = 30.0
"""Seconds within which a server ends after a signal or after its supervisor."""


class Server:
    """A server that can be killed and restarted at the same port, and events to one file."""

    def __init__(self, folder: Path, database: str = "", *, limits: bool = False, program: str = "tamaya", **more: str) -> None:
        self.folder, self.database, self.port = folder, database, 0
        self._log = folder.parent / "server.log"
        self._settings = {**SETTINGS, "TAMAYA_LIMITS": str(limits).lower(), **more}
        self._program = program
        self._process: Program | None = None
        self._running = ExitStack()

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._running.close()

    @property
    def group(self) -> int:
        """The id of its process group."""
        assert self._process
        return self._process.pid

    def start(self) -> None:
        """Start the server, after the first time at the same port."""
        command = ["-m", self._program, "serve", "--port", str(self.port), "--no-open", "--data", str(self.folder)]
        if self.database:
            command += ["--database", self.database, "--workers", str(WORKERS)]
        with self._log.open("a") as log:
            self._process = self._running.enter_context(start_python(*command, errors=log, variables=self._settings))
        first = line_of(self._process, "the server to say its address").split()
        assert first, f"the server did not start:\n{self.log()[-2000:]}"
        self.port = int(first[-1].rstrip("/").rpartition(":")[2])

    def serving(self) -> list[int]:
        """The processes that serve requests."""
        others = [pid for pid in processes_of(self.group) if parent_of(pid) == self.group and "spawn_main" in command_of(pid)]
        return others if self.database else [self.group]

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop or kill the server, whose child processes must end by themselves."""
        assert self._process
        self._process.send_signal(how)
        with within(STOP_TIMEOUT, "the server to end"):
            self._process.wait()
        wait_until(lambda: not processes_of(self.group), "all that the server started to end", limit=STOP_TIMEOUT)
        self._running.close()

    def kill_all(self) -> None:
        """Kill all its processes at once."""
        os.killpg(self.group, signal.SIGKILL)
        self.end(signal.SIGKILL)

    def log(self) -> str:
        """Its log since the first start."""
        return self._log.read_text(errors="replace")

    def events(self) -> dict[str, list[str]]:
        """The events of every table in the database, with their numbers."""
        if self.database:
            with psycopg.connect(self.database) as connection:
                return _by_table(connection.execute(SELECT_EVENTS).fetchall())
        with closing(sqlite3.connect(self.folder / "tables.sqlite")) as file:
            return _by_table(file.execute(SELECT_EVENTS).fetchall())

    def cut_connections(self) -> int:
        """Cut every connection to the database; returns how many there were."""
        name = make_url(self.database).database
        cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = %s"
        with psycopg.connect(postgres.server().get_uri(), autocommit=True) as connection:
            found = connection.execute(cut, (name,)).fetchone()
        return int(found[0]) if found else 0


def _by_table(rows: Iterable[tuple[str, int, str]]) -> dict[str, list[str]]:
    events: dict[str, list[str]] = {}
    for code, sequence, line in rows:
        events.setdefault(code, []).append(line)
        assert len(events[code]) == sequence, f"an event of table {code} is missing or there twice: number {sequence}"
    return events
