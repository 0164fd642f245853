"""Tables in a PostgreSQL database: for as many server processes as one likes, on as many machines.

Nothing here quotes what it writes in an error, because events hold decks.
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

READERS = 8
"""Connections that a process keeps for reading."""
PATIENCE = 10
"""Seconds to wait for somebody else's lock."""
NAME = "tamaya"
"""What our connections are called in PostgreSQL; by it a restore sees that a server runs."""
LINE: dict[str, Any] = {
    "application_name": NAME,
    "connect_timeout": 5,
    "keepalives_idle": 30,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""How soon a line is given up at whose other end nobody is any more."""
DURABLE = f"""SELECT set_config('synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'on'), false),
    set_config('lock_timeout', '{PATIENCE}s', false), set_config('idle_in_transaction_session_timeout', '{PATIENCE}s', false)"""
"""What every connection that writes begins with."""


class PostgresStore(SqlStore):
    """The events of all tables in one database."""

    @classmethod
    async def open(cls, address: str, meter: Metrics = NO_METRICS) -> Self:
        """Open the store at an address such as ``postgresql://user@host/name``, after building it or bringing it up to date.
        Close it when it is no longer needed."""
        url = checked_url(address)
        await asyncio.to_thread(upgrade_postgres, address)
        return cls(reading_engine(url), writing_engine(url), meter)


def upgrade_postgres(address: str) -> None:
    """Build the schema in the database at an address, or bring it up to date."""
    engine = writing_engine(checked_url(address))
    try:
        upgrade_through(engine)
    finally:
        engine.dispose()


def checked_url(address: str) -> URL:
    """The address of a database, for the driver that we use; refused unless it is one of PostgreSQL."""
    try:
        url = make_url(address)
    except ArgumentError:
        url = URL.create("unknown")
    misread = "@" in (url.host or "")  # of a password in which it is not written as %40
    if misread or url.get_backend_name() not in ("postgresql", "postgres"):
        message = say("The database must be a PostgreSQL address like {example}.", example="postgresql://user@host/name")
        raise MalformedError("bad_database", message)
    require("psycopg", "postgresql")
    return url.set(drivername="postgresql+psycopg")


def address_for_drivers(address: str) -> str:
    """The same address as libpq reads it, with all that our connections have in common, for those who speak to PostgreSQL
    without a store."""
    line = {name: str(value) for name, value in LINE.items()}
    return checked_url(address).update_query_dict(line).set(drivername="postgresql").render_as_string(hide_password=False)


def reading_engine(url: URL) -> AsyncEngine:
    """Each statement sees what was committed before it began, and waits for nobody."""
    return create_async_engine(
        url,
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
        skip_autocommit_rollback=True,
        pool_size=READERS,
        max_overflow=0,
        pool_timeout=PATIENCE,
        connect_args=LINE,
    )


def writing_engine(url: URL) -> Engine:
    """Every commit reaches the disk before it is confirmed, whatever the server's own setting is."""
    engine = create_engine(url, hide_parameters=True, pool_size=1, max_overflow=1, connect_args=LINE)
    event.listen(engine, "connect", _make_durable)
    return engine


@contextmanager
def snapshot(address: str) -> Iterator[Connection]:
    """Everything in the database at an address as it is at this moment, for as long as somebody reads. Nobody waits for
    them."""
    engine = create_engine(
        checked_url(address), isolation_level="REPEATABLE READ", hide_parameters=True, pool_size=1, connect_args=LINE
    )
    try:
        with engine.connect() as connection:
            yield connection.execution_options(postgresql_readonly=True)
    finally:
        engine.dispose()


def _make_durable(connection: DBAPIConnection, _: object) -> None:
    cursor = connection.cursor()
    cursor.execute(DURABLE)
    cursor.close()
    connection.commit()
