"""The PostgreSQL adapter of the store, for any number of server processes on any number of machines.

Errors never quote parameters, because events contain decks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from tamaya.rules import MalformedError, say
from tamaya.rules.errors import require
from tamaya.storage.migrate import upgrade_through
from tamaya.storage.sql_store import SqlStore
from tamaya.table.telemetry import NO_METRICS, Metrics

POOL_SIZE = 8
"""Connections for reading, per process."""
LOCK_TIMEOUT = 10
"""Seconds to wait for a lock or a free connection."""
APPLICATION_NAME = "tamaya"
"""The `application_name` of connections, by which a restore sees that a server is running."""
CONNECTION_OPTIONS: dict[str, Any] = {
    "application_name": APPLICATION_NAME,
    "connect_timeout": 5,
    "keepalives_idle": 30,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""Options of all connections, so that a dead peer is noticed soon."""
DURABLE_SETTINGS = f"""SELECT
    set_config('synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'on'), false),
    set_config('lock_timeout', '{LOCK_TIMEOUT}s', false),
    set_config('idle_in_transaction_session_timeout', '{LOCK_TIMEOUT}s', false)"""
"""Executed on every connection that writes."""


class PostgresStore(SqlStore):
    """Stores everything in a PostgreSQL database."""

    @classmethod
    async def open(cls, address: str, meter: Metrics = NO_METRICS) -> Self:
        """Open the store at an address such as ``postgresql://user@host/name``, after creating or upgrading its schema."""
        url = checked_url(address)
        await asyncio.to_thread(upgrade_postgres, address)
        return cls(reading_engine(url), writing_engine(url), meter)


def upgrade_postgres(address: str) -> None:
    """Create or upgrade the schema of the database at an address."""
    engine = writing_engine(checked_url(address))
    try:
        upgrade_through(engine)
    finally:
        engine.dispose()


def checked_url(address: str) -> URL:
    """The address as a URL for psycopg; refused unless it is one of PostgreSQL."""
    try:
        url = make_url(address)
    except ArgumentError:
        url = URL.create("unknown")
    misread = "@" in (url.host or "")  # an @ in a password must be written as %40
    if misread or url.get_backend_name() not in ("postgresql", "postgres"):
        message = say("The database must be a PostgreSQL address like {example}.", example="postgresql://user@host/name")
        raise MalformedError("bad_database", message)
    require("psycopg", "postgresql")
    return url.set(drivername="postgresql+psycopg")


def address_for_drivers(address: str) -> str:
    """The address with `CONNECTION_OPTIONS` in libpq's syntax, for connections outside a store."""
    options = {name: str(value) for name, value in CONNECTION_OPTIONS.items()}
    return checked_url(address).update_query_dict(options).set(drivername="postgresql").render_as_string(hide_password=False)


def reading_engine(url: URL) -> AsyncEngine:
    """An engine whose statements see what was committed before, and wait for no lock."""
    return create_async_engine(
        url,
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
        skip_autocommit_rollback=True,
        pool_size=POOL_SIZE,
        max_overflow=0,
        pool_timeout=LOCK_TIMEOUT,
        connect_args=CONNECTION_OPTIONS,
    )


def writing_engine(url: URL) -> Engine:
    """An engine whose commits are on disk before they are confirmed, whatever the server's default."""
    engine = create_engine(url, hide_parameters=True, pool_size=1, max_overflow=1, connect_args=CONNECTION_OPTIONS)
    event.listen(engine, "connect", _make_durable)
    return engine


@contextmanager
def snapshot(address: str) -> Iterator[Connection]:
    """A read-only connection that sees the database as it is now, and blocks no writers."""
    engine = create_engine(
        checked_url(address),
        isolation_level="REPEATABLE READ",
        hide_parameters=True,
        pool_size=1,
        connect_args=CONNECTION_OPTIONS,
    )
    try:
        with engine.connect() as connection:
            yield connection.execution_options(postgresql_readonly=True)
    finally:
        engine.dispose()


def _make_durable(connection: DBAPIConnection, _: object) -> None:
    cursor = connection.cursor()
    cursor.execute(DURABLE_SETTINGS)
    cursor.close()
    connection.commit()
