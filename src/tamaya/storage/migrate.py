"""Bring a database to the schema that the code expects, even if another process is doing the same at this moment."""

from __future__ import annotations

from functools import cache
from threading import Lock

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from tamaya.rules import MalformedError, say

UPGRADING = 0x7461_6D61_7961
"""The number of the lock in PostgreSQL that lets one process at a time change the schema; it spells the name of the house."""

# Alembic keeps the running migration in a global, so a process can do only one at a time.
_alone = Lock()


def upgrade_locked(engine: Engine) -> None:
    """Bring a database to the newest schema in one transaction. A second process that finds it old waits for the lock."""
    with _alone, engine.begin() as connection:
        _to_newest(connection)


def upgrade_through(engine: Engine) -> None:
    """Bring a PostgreSQL database, empty or ours, to the newest schema."""
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
    return _refuse_newer(connection)


def _to_newest(connection: Connection) -> None:
    if not _refuse_newer(connection):
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", "tamaya.storage:migrations")
    config.set_main_option("path_separator", "os")
    return config


@cache
def _revisions() -> tuple[frozenset[str], tuple[str, ...]]:
    """All revisions, and the newest of them. Reading them imports every migration, so it is done once."""
    scripts = ScriptDirectory.from_config(_config())
    return frozenset(script.revision for script in scripts.walk_revisions()), tuple(scripts.get_heads())


def _refuse_newer(connection: Connection) -> bool:
    """Refuse a schema that only a newer Tamaya knows; return whether it is the newest of those known here."""
    found = MigrationContext.configure(connection).get_current_heads()
    known, newest = _revisions()
    if not known.issuperset(found):
        raise MalformedError("newer_database", say("The database was written by a newer version of Tamaya; update Tamaya."))
    return tuple(found) == newest
