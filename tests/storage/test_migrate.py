"""Migrations from an empty or older database to the current schema."""

from __future__ import annotations

import logging
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine, inspect

from tamaya import MalformedError
from tamaya.storage import SqliteStore, upgrade
from tamaya.storage.schema import metadata
from tamaya.table import SweepResult
from tests.contract.batches import PLAIN, SHORT_RETENTION, batch
from tests.support.fakes import run


def shape(path: Path) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        schema = connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
        return schema + connection.execute("SELECT version_num FROM alembic_version").fetchall()


def test_the_migrations_lead_to_the_current_schema(tmp_path: Path) -> None:
    upgrade(tmp_path / "tables.db")
    engine = create_engine(f"sqlite:///{tmp_path}/tables.db")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, metadata) == []
        found = inspect(connection)
        for table in metadata.tables.values():
            key = [column.name for column in table.primary_key]
            assert found.get_pk_constraint(table.name)["constrained_columns"] == key
    engine.dispose()


def test_migrating_again_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    upgrade(path)
    once = shape(path)
    upgrade(path)
    assert shape(path) == once


FIRST_DATABASE = """
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY);
INSERT INTO alembic_version VALUES ('0001');
CREATE TABLE events (code VARCHAR NOT NULL, sequence INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (code, sequence))
    WITHOUT ROWID;
CREATE TABLE tables (code VARCHAR NOT NULL PRIMARY KEY, phase VARCHAR NOT NULL, listed BOOLEAN NOT NULL,
    edition VARCHAR NOT NULL, players INTEGER NOT NULL, names JSON NOT NULL, people JSON NOT NULL, touched FLOAT NOT NULL);
CREATE INDEX tables_by_phase ON tables (phase, touched);
CREATE TABLE people (code VARCHAR NOT NULL REFERENCES tables (code) ON DELETE CASCADE, person VARCHAR NOT NULL,
    PRIMARY KEY (code, person)) WITHOUT ROWID;
CREATE INDEX people_by_person ON people (person);
INSERT INTO tables VALUES ('amber', 'playing', 0, 'french', 3, '["Ann", "Bé", ""]', '["p-ann", "p-bé"]', 1.5);
INSERT INTO events VALUES ('amber', 1, 'one'), ('amber', 2, 'two');
INSERT INTO people VALUES ('amber', 'p-ann'), ('amber', 'p-bé');
"""


def test_the_first_schema_is_upgraded_and_its_tables_go_on(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(FIRST_DATABASE)

    async def steps() -> None:
        store = await SqliteStore.open(path)
        assert await store.read_events("amber") == ["one", "two"]
        assert await store.tables_of("p-ann") == [replace(PLAIN, player_names=("", ""), bots=("", "", ""))]
        await store.append([batch("birch", 1, "one", updated_at=200.0)])
        assert await store.sweep(SHORT_RETENTION, 200.0) == SweepResult(200.0, marked=1)
        await store.append([batch("amber", 3, "three", updated_at=200.0)])
        assert await store.read_events("amber") == ["one", "two", "three"]
        await store.close()

    run(steps())


OPENED = """{"event":"opened","host":"p-ann","settings":{}}"""
FIFTH_DATABASE = """
INSERT INTO tables (code, phase, listed, edition, players, names, people, touched) VALUES
    ('amber', 'open', 1, 'french', 2, '["Ann", ""]', '["p-ann"]', 1.0),
    ('birch', 'open', 1, 'french', 2, '["Ann", "Bé"]', '["p-ann"]', 2.0),
    ('cedar', 'open', 0, 'french', 2, '["Ann", ""]', '["p-ann"]', 3.0),
    ('daisy', 'playing', 1, 'french', 2, '["Ann", ""]', '["p-ann"]', 4.0);
INSERT INTO events SELECT code, 1, '{opened}' FROM tables;
"""


def test_open_tables_are_listed_after_an_upgrade(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    upgrade(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(FIFTH_DATABASE.replace("{opened}", OPENED))
        connection.executescript("DROP INDEX tables_on_offer; ALTER TABLE tables DROP COLUMN offered")
        connection.executescript("DROP TABLE sessions; DROP TABLE links; DROP TABLE closings")
        connection.execute("UPDATE alembic_version SET version_num = '0005'")

    async def steps() -> None:
        store = await SqliteStore.open(path)
        assert [(table.code, table.offered) for table in await store.open_tables()] == [("amber", "p-ann")]
        await store.close()

    run(steps())


def test_several_threads_can_migrate_the_same_and_other_files_at_once(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number % 3}.db" for number in range(24)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(upgrade, paths))
    assert shape(paths[0]) == shape(paths[1]) == shape(paths[2])


def test_a_database_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    upgrade(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    before = shape(path)
    with pytest.raises(MalformedError) as refusal:
        run(SqliteStore.open(path))
    assert refusal.value.code == "newer_database"
    assert shape(path) == before


def test_migrating_does_not_change_logging(tmp_path: Path) -> None:
    root = logging.getLogger()
    before = (root.level, list(root.handlers), logging.getLogger("alembic").level, logging.getLogger(__name__).disabled)
    upgrade(tmp_path / "tables.db")
    after = (root.level, list(root.handlers), logging.getLogger("alembic").level, logging.getLogger(__name__).disabled)
    assert after == before
