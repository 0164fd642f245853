"""The server under load: one process of its own, watched from outside."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from typing import IO, Self

from tamaya.i18n import LANGUAGES
from tamaya.web.options import Options, signing_key
from tamaya.web.people import People, Person

_MOVES = """SELECT code, count(*) FROM events WHERE line LIKE '%"event":"moved"%' GROUP BY code"""


class Server:
    """A real server on a free port, with its data in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._log = folder / "server.log"
        settings = {"TAMAYA_LIMITS": "false", "TAMAYA_WARM_UP": "false", "TAMAYA_ADDRESS": "", "TAMAYA_SECRET": ""}
        command = (sys.executable, "-m", "tamaya", "serve", "--port", "0", "--data", str(folder), "--no-open")
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=os.environ | settings)
        self.port = _read_port(self._process.stdout)
        self.pid = self._process.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """End it without a warning: what it has confirmed must be on disk even so."""
        self._process.kill()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()

    def cookies(self, groups: int, people: int) -> list[list[str]]:
        """Somebody for every seat, as the server would make them; the people of a table speak one language."""
        signed, languages = People(signing_key(Options(data=str(self._folder)))), list(LANGUAGES)
        return [
            [
                signed.cookie(Person(f"bench-{group}-{place}", f"Guest {place + 1}", languages[group % len(languages)]))
                for place in range(people)
            ]
            for group in range(groups)
        ]

    def moves(self) -> Counter[str]:
        """How many moves each table has on disk."""
        with closing(sqlite3.connect(self._folder / "tables.sqlite")) as database:
            return Counter(dict(database.execute(_MOVES)))

    def complaints(self) -> list[str]:
        """What the server had to say."""
        return self._log.read_text(errors="replace").splitlines()

    def seconds(self) -> float | None:
        """The processor time it has used, where the system tells."""
        with suppress(OSError):
            fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return None

    def peak(self) -> float | None:
        """The most memory it has used, in MiB, where the system tells."""
        with suppress(OSError):
            found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{self.pid}/status").read_text())
            return int(found[1]) / 1024 if found else None
        return None


def _read_port(output: IO[bytes] | None) -> int:
    assert output is not None
    for line in output:
        if found := re.search(rb"http://[^/]+:(\d+)/", line):
            return int(found[1])
    raise OSError("the server did not start")
