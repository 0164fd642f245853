"""Bring a database to the schema that the code expects, even if another process is doing the same at this moment."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from threading import Lock

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from tamaya.rules import MalformedError, say
from tamaya.storage.engines import PATIENCE, changing_engine

UPGRADING = 0x7461_6D61_7961
"""The number of the lock in PostgreSQL that lets one process at a time change the schema; it spells the name of the house."""

# Alembic keeps the running migration in a global, so a process can do only one at a time.
_alone = Lock()


def upgrade(path: Path) -> None:
    """Create the database or bring it up to date. A file that a newer Tamaya has changed is refused and left alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # The log of a running game says who holds which card: the file is for its owner alone.
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    _write_ahead(path)
    engine = changing_engine(path)
    try:
        # Of two processes that find an old database, the second waits here and finds it up to date.
        with _alone, engine.begin() as connection:
            _to_newest(connection)
    finally:
        engine.dispose()


def upgrade_through(engine: Engine) -> None:
    """The same for a PostgreSQL database, empty or ours, by an engine that writes to it."""
    with engine.begin() as connection:
        upgrade_within(connection)


def upgrade_within(connection: Connection) -> None:
    """The same for a PostgreSQL database, as a part of a transaction that does more."""
    with _alone:
        connection.execute(text("SELECT pg_advisory_xact_lock(:upgrading)"), {"upgrading": UPGRADING})
        _to_newest(connection)


def is_newest(connection: Connection) -> bool:
    """Whether a database has the schema that the code expects, and not an older one; one that a newer Tamaya has changed is
    refused."""
    return _refuse_newer(connection, _scripts(connection)[1])


def _write_ahead(path: Path) -> None:
    """Let readers go on while somebody writes. The setting stays with the file; SQLite does not wait for a lock to change it,
    so this does."""
    patient_until = time.monotonic() + PATIENCE
    with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as connection:
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as problem:
                if problem.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > patient_until:
                    raise
                time.sleep(0.01)


def _to_newest(connection: Connection) -> None:
    config, scripts = _scripts(connection)
    _refuse_newer(connection, scripts)
    command.upgrade(config, "head")


def _scripts(connection: Connection) -> tuple[Config, ScriptDirectory]:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "tamaya.storage:migrations")
    config.set_main_option("path_separator", "os")
    return config, ScriptDirectory.from_config(config)


def _refuse_newer(connection: Connection, scripts: ScriptDirectory) -> bool:
    """Refuse a schema that only a newer Tamaya knows; says whether it is the newest of those known here."""
    found = MigrationContext.configure(connection).get_current_heads()
    if not {script.revision for script in scripts.walk_revisions()}.issuperset(found):
        raise MalformedError("newer_database", say("The database was written by a newer version of Tamaya; update Tamaya."))
    return tuple(found) == tuple(scripts.get_heads())
