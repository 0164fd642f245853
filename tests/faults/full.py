"""A disk that is full for a while: a small one filled with ballast if the system allows mounting it; otherwise a limit on the
size of the server's files, or a trigger in PostgreSQL that fails every event as a full disk does."""

from __future__ import annotations

import os
import pwd
import resource
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

import psycopg

from tests import postgres
from tests.faults.server import Server
from tests.programs import run_python

SIZES = {"sqlite": "16m", "postgresql": "48m"}
SMALLEST = 4096
_FULL = """
CREATE FUNCTION is_full() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON events EXECUTE FUNCTION is_full()
"""
_FREE = "DROP TRIGGER full_disk ON events; DROP FUNCTION is_full"


class Disk(Protocol):
    """Where a server stores its data."""

    def fill(self, server: Server) -> None:
        """Fill it."""

    def free(self, server: Server) -> None:
        """Free space again."""


class SmallDisk:
    """A small disk in memory, mounted as the data folder."""

    def __init__(self, place: Path) -> None:
        self._ballast = place / "ballast"

    def fill(self, server: Server) -> None:
        with self._ballast.open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(4096))

    def free(self, server: Server) -> None:
        self._ballast.unlink()


class SmallFiles:
    """A limit on the file size of the server's processes."""

    def fill(self, server: Server) -> None:
        self._limit(server, SMALLEST)

    def free(self, server: Server) -> None:
        self._limit(server, resource.RLIM_INFINITY)

    def _limit(self, server: Server, most: int) -> None:
        for process in server.serving():
            resource.prlimit(process, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


class NoRoomForEvents:
    """A PostgreSQL database without room for events."""

    def fill(self, server: Server) -> None:
        self._tell(server, _FULL)

    def free(self, server: Server) -> None:
        self._tell(server, _FREE)

    def _tell(self, server: Server, words: str) -> None:
        with psycopg.connect(server.database, autocommit=True) as connection:
            connection.execute(words.encode())


def can_mount() -> bool:
    """Whether the system allows mounting a disk."""
    with tempfile.TemporaryDirectory() as folder:
        return _mount(Path(folder), "1m") and _unmount(Path(folder))


def _mount(folder: Path, size: str) -> bool:
    try:
        done = run_python("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder), program="mount")
    except OSError:
        return False
    return done.returncode == 0


def _unmount(folder: Path) -> bool:
    return run_python(str(folder), program="umount").returncode == 0


@contextmanager
def small_disk(database: str) -> Iterator[Path]:
    """A small disk that PostgreSQL can write to."""
    folder = Path(tempfile.mkdtemp(prefix="tamaya-disk-"))
    folder.chmod(0o755)
    assert _mount(folder, SIZES[database])
    try:
        yield folder
    finally:
        assert _unmount(folder)
        shutil.rmtree(folder)


@contextmanager
def database_on(disk: Path) -> Iterator[str]:
    """The address of a new database on this disk."""
    space = disk / "space"
    space.mkdir()
    if user := postgres.server().system_user:
        os.chown(space, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
    with psycopg.connect(postgres.server().get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE TABLESPACE small LOCATION '{space}'".encode())
        connection.execute("CREATE DATABASE on_small TABLESPACE small")
    try:
        yield str(postgres.server().get_uri(database="on_small"))
    finally:
        with psycopg.connect(postgres.server().get_uri(), autocommit=True) as connection:
            connection.execute("DROP DATABASE on_small WITH (FORCE)")
            connection.execute("DROP TABLESPACE small")
