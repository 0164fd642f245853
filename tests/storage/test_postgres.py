"""The PostgreSQL adapter, beyond the contract of stores."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from tamaya import MalformedError
from tamaya.rules import UnavailableError
from tamaya.storage import PostgresStore, errors, upgrade_postgres
from tamaya.storage.postgres import checked_url, writing_engine
from tamaya.storage.schema import metadata
from tests.contract.batches import batch
from tests.limits import WAIT
from tests.postgres import fresh_database
from tests.support.fakes import run


def use(step: Callable[[PostgresStore, str], Awaitable[None]]) -> None:
    async def steps() -> None:
        address = fresh_database()
        store = await PostgresStore.open(address)
        try:
            await asyncio.wait_for(step(store, address), WAIT)
        finally:
            await store.close()

    run(steps())


def test_the_migrations_lead_to_the_current_schema() -> None:
    address = fresh_database()
    upgrade_postgres(address)
    upgrade_postgres(address)
    engine = writing_engine(checked_url(address))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


@pytest.mark.parametrize("address", ["", "tables.sqlite", "sqlite:///tables.sqlite", "mysql://localhost/x", "postgresql"])
def test_only_addresses_of_postgresql_are_accepted(address: str) -> None:
    with pytest.raises(MalformedError) as refusal:
        checked_url(address)
    assert refusal.value.code == "bad_database"


def test_commits_are_durable_whatever_the_servers_default() -> None:
    address = fresh_database()
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {connection.info.dbname} SET synchronous_commit = off".encode())
    engine = writing_engine(checked_url(address))
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"
    engine.dispose()


def test_an_unconfirmed_commit_is_neither_repeated_nor_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(store: PostgresStore, address: str) -> None:
        await store.append([batch("amber", 1, "one")])
        dialect = store._writer._engine.dialect
        commit, failing = dialect.do_commit, iter([True])

        def lose_the_answer(raw: Any) -> None:
            commit(raw)
            if next(failing, False):
                raise psycopg.OperationalError("the connection is lost")

        monkeypatch.setattr(dialect, "do_commit", lose_the_answer)
        await store.append([batch("amber", 2, "two")])
        assert await store.read_events("amber") == ["one", "two"]
        assert next(failing, None) is None, "the confirmation was lost"

    use(steps)


def test_an_unreachable_database_raises_after_a_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(store: PostgresStore, address: str) -> None:
        monkeypatch.setattr(errors, "RETRY_TIMEOUT", 0.1)
        name = checked_url(address).database
        with psycopg.connect(fresh_database(), autocommit=True) as other:
            other.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
            other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
            with pytest.raises(UnavailableError):
                await store.append([batch("amber", 1, "one")])
            with pytest.raises(UnavailableError):
                await store.read_events("amber")
            other.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())
        await store.append([batch("amber", 1, "one")])
        assert await store.read_events("amber") == ["one"]

    use(steps)
