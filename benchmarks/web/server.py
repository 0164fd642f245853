"""The server under load: one process or several, observed from outside."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from typing import IO, Self

from benchmarks.web.processes import command_of, with_children
from tamaya.i18n import LANGUAGES
from tamaya.web.http.cookies import CookieSigner, Profile
from tamaya.web.options import ServerOptions, signing_key

_MOVES = """SELECT code, count(*) FROM events WHERE line LIKE '%"event":"moved"%' GROUP BY code"""
_SPAWNED = "spawn_main"


class MeasuredServer:
    """A real server on a free port, with its data in `folder` or in a PostgreSQL database.

    If it is `sticky`, each of its processes has a port of its own, so that the client can send all of a table to one of them,
    as a proxy can. `checkout` runs the server of another checkout.
    """

    def __init__(
        self, folder: Path, database: str = "", workers: int = 1, sticky: bool = False, checkout: Path | None = None
    ) -> None:
        self._folder, self._database, self._workers = folder, database, 1 if sticky else workers
        self._log = folder / "server.log"
        settings = {"TAMAYA_LIMITS": "false", "TAMAYA_WARM_UP": "false", "TAMAYA_ADDRESS": "", "TAMAYA_SECRET": ""}
        self._settings = settings | {"TAMAYA_DATABASE": database, "TAMAYA_WORKERS": str(self._workers)}
        if checkout:
            self._settings["PYTHONPATH"] = str(checkout / "src")
        self._started = list[subprocess.Popen[bytes]]()
        self.ports = [self._start() for _ in range(workers if sticky else 1)]

    def _start(self) -> int:
        command = (sys.executable, "-m", "tamaya", "serve", "--port", "0", "--data", str(self._folder), "--no-open")
        with self._log.open("ab") as log:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=os.environ | self._settings)
        self._started.append(process)
        return _read_port(process.stdout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def processes(self) -> list[int]:
        """All its processes; a parent comes before its children."""
        return [one for process in self._started if process.poll() is None for one in with_children(process.pid)]

    @property
    def workers(self) -> list[int]:
        """The processes that serve requests, without the parent of several that share one port."""
        if self._workers == 1:
            return [process.pid for process in self._started]
        return [one for one in self.processes if _SPAWNED in command_of(one)]

    def kill(self) -> None:
        """Kill all processes: what was confirmed must be in the database even so."""
        for process in self.processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        for started in self._started:
            started.wait()
            if started.stdout:
                started.stdout.close()

    def cookies(self, groups: int, people: int) -> list[list[str]]:
        """Signed cookies for every seat, as the server would make them; the players of a table share a language."""
        signed, languages = CookieSigner(signing_key(ServerOptions(data=str(self._folder)))), list(LANGUAGES)
        return [
            [
                signed.serialize(Profile(f"bench-{group}-{place}", f"Guest {place + 1}", languages[group % len(languages)]))
                for place in range(people)
            ]
            for group in range(groups)
        ]

    def moves(self) -> Counter[str]:
        """The number of moves of each table in the database."""
        if self._database:
            import psycopg

            with psycopg.connect(self._database) as connection:
                return Counter(dict(connection.execute(_MOVES)))
        with closing(sqlite3.connect(self._folder / "tables.sqlite")) as database:
            return Counter(dict(database.execute(_MOVES)))

    def log_lines(self) -> list[str]:
        """The lines of the server's log."""
        return self._log.read_text(errors="replace").splitlines()


def _read_port(output: IO[bytes] | None) -> int:
    assert output is not None
    for line in output:
        if found := re.search(rb"http://[^/]+:(\d+)/", line):
            return int(found[1])
    raise OSError("the server did not start")
