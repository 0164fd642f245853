"""Schema upgrades, safe while other processes upgrade the same database."""

from __future__ import annotations

from functools import cache
from threading import Lock

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from tamaya.rules import MalformedError, say

MIGRATION_LOCK = 0x7461_6D61_7961
"""The advisory lock in PostgreSQL that lets one process at a time change the schema; the bytes spell \"tamaya\"."""

# Alembic keeps the running migration in a global, so a process can run only one at a time.
_process_lock = Lock()


def upgrade_locked(engine: Engine) -> None:
    """Upgrade a SQLite database in one transaction, whose lock makes other processes wait."""
    with _process_lock, engine.begin() as connection:
        _upgrade(connection)


def upgrade_through(engine: Engine) -> None:
    """Upgrade a PostgreSQL database, or create its schema."""
    with engine.begin() as connection:
        upgrade_within(connection)


def upgrade_within(connection: Connection) -> None:
    """Upgrade a PostgreSQL database within a transaction."""
    with _process_lock:
        connection.execute(text("SELECT pg_advisory_xact_lock(:upgrading)"), {"upgrading": MIGRATION_LOCK})
        _upgrade(connection)


def is_newest(connection: Connection) -> bool:
    """Whether a database has the current schema and not an older one; a newer one is refused."""
    return _refuse_newer(connection)


def _upgrade(connection: Connection) -> None:
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
    """All revisions and the heads, cached because reading them imports every migration."""
    scripts = ScriptDirectory.from_config(_config())
    return frozenset(script.revision for script in scripts.walk_revisions()), tuple(scripts.get_heads())


def _refuse_newer(connection: Connection) -> bool:
    """Refuse a schema newer than this version; whether it is the current one."""
    found = MigrationContext.configure(connection).get_current_heads()
    known, newest = _revisions()
    if not known.issuperset(found):
        raise MalformedError("newer_database", say("The database was written by a newer version of Tamaya; update Tamaya."))
    return tuple(found) == newest
