"""Copies between databases of either kind are complete."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    insert,
    inspect,
    select,
    text,
)

from tamaya import MalformedError
from tamaya.storage import SqlStore
from tamaya.storage import backup as backups
from tamaya.storage.backup import copy_rows
from tamaya.storage.schema import events
from tests.contract.batches import batch
from tests.postgres import fresh_database
from tests.support.stores import Place, dump, engine_of, fill, make_old, use


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return tmp_path / "data" / "tables.sqlite" if request.param == "sqlite" else fresh_database()


@pytest.fixture(params=["sqlite", "postgresql"])
def other(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return tmp_path / "elsewhere" / "tables.sqlite" if request.param == "sqlite" else fresh_database()


def backed_up(place: Place, folder: Path) -> Path:
    made = backups.back_up(place, folder)
    assert made
    return made.path


async def goes_on(store: SqlStore) -> None:
    """A restored store accepts only the next event of a table."""
    await store.append([batch("odd", 5, "after the restore")])
    assert (await store.read_events("odd"))[4:] == ["after the restore"]


def test_a_restored_backup_is_complete_between_any_two_kinds(place: Place, other: Place, tmp_path: Path) -> None:
    before = fill(place)
    backup = backed_up(place, tmp_path / "backups")
    assert dump(place) == before, "a backup changes nothing"
    counts, aside = backups.restore(backup, other)
    assert dump(other) == before
    assert (aside, {name: count for name, (count, _) in counts.items()}) == (
        None,
        {name: len(of) for name, of in before.items()},
    )
    use(other, goes_on)


def test_moving_to_postgresql_and_back_loses_nothing(tmp_path: Path) -> None:
    file, address, back = tmp_path / "tables.sqlite", fresh_database(), tmp_path / "back.sqlite"
    before = fill(file)
    backups.move(file, address)
    assert dump(file) == dump(address) == before
    backups.restore(backed_up(address, tmp_path / "backups"), back)
    assert dump(back) == before
    use(back, goes_on)


def test_a_backup_is_one_file_that_only_its_owner_can_read(place: Place, tmp_path: Path) -> None:
    fill(place)
    backup = backed_up(place, tmp_path / "new" / "backups")
    assert list(backup.parent.iterdir()) == [backup]
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert stat.S_IMODE(backup.parent.stat().st_mode) == 0o700
    with closing(sqlite3.connect(backup)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",), "reading it creates no other files"


def test_copies_of_older_databases_are_upgraded_but_not_the_originals(other: Place, tmp_path: Path) -> None:
    old, kept = tmp_path / "old.sqlite", tmp_path / "kept.sqlite"
    make_old(old)
    backup = backed_up(old, tmp_path / "backups")
    bytes_before = backup.read_bytes()
    backups.restore(backup, other)
    found = dump(other)
    assert (len(found["tables"]), len(found["events"]), len(found["partners"])) == (1, 2, 2)
    assert backup.read_bytes() == bytes_before
    address = fresh_database()
    backups.move(old, address)
    backups.restore(backup, kept)
    assert dump(address) == dump(kept) == found
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0003",)


def test_moving_renames_the_file_only_on_request(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    before = fill(file)
    assert backups.move(file, fresh_database())[1] is None
    assert file.exists()
    renamed = backups.move(file, fresh_database(), rename=True)[1]
    assert renamed
    assert list(tmp_path.iterdir()) == [renamed]
    assert dump(renamed) == before


def test_a_differing_copy_is_noticed_and_rolled_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, address = tmp_path / "tables.sqlite", fresh_database()
    fill(file)

    def spoil(target: Connection, table: Table) -> None:
        if table.name == "tables":
            target.execute(text("UPDATE tables SET players = players + 1 WHERE code = 'odd'"))

    monkeypatch.setattr(copy_rows, "_advance_sequence", spoil)
    with pytest.raises(MalformedError, match=r"differs .* tables") as refusal:
        backups.move(file, address)
    assert refusal.value.code == "copy_differs"
    engine = engine_of(address)
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == [], "not even the schema"
    engine.dispose()


def test_autoincrement_columns_continue_after_the_last_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No table has such a column today, but one added later will work."""
    later = MetaData()
    events.to_metadata(later)
    parents = Table("parents", later, Column("number", Integer, primary_key=True), Column("data", LargeBinary))
    Table("children", later, Column("name", String, primary_key=True), Column("of", ForeignKey("parents.number")))
    monkeypatch.setattr(copy_rows, "metadata", later)
    source, target = engine_of(tmp_path / "later.sqlite"), engine_of(fresh_database())
    for engine in (source, target):
        later.create_all(engine)
    with source.begin() as here, target.begin() as there:
        here.execute(insert(parents), [{"number": number, "data": bytes([0, number])} for number in (3, 5)])
        here.execute(insert(later.tables["children"]), {"name": "one", "of": 5})
        copy_rows.copy_and_compare(here, there)
        there.execute(insert(parents), {"data": b""})
        assert list(there.scalars(select(parents.c.number).order_by(parents.c.number))) == [3, 5, 6]
    for engine in (source, target):
        engine.dispose()


def test_a_large_table_is_never_entirely_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copy_rows, "CHUNK_SIZE", 10)
    file, address = tmp_path / "tables.sqlite", fresh_database()
    before = fill(file)
    largest = 0
    chunks = copy_rows._chunks

    def watched(connection: Connection, table: Table) -> Iterator[Sequence[Any]]:
        nonlocal largest
        for chunk in chunks(connection, table):
            largest = max(largest, len(chunk))
            yield chunk

    monkeypatch.setattr(copy_rows, "_chunks", watched)
    backups.move(file, address)
    backups.restore(backed_up(address, tmp_path / "backups"), tmp_path / "back.sqlite")
    assert (largest, dump(tmp_path / "back.sqlite")) == (10, before)


def test_the_reported_progress_adds_up_to_one(place: Place, tmp_path: Path) -> None:
    fill(place)
    shares: list[float] = []
    backups.back_up(place, tmp_path / "backups", watch=shares.append)
    assert sum(shares) == pytest.approx(1)
    assert min(shares) >= 0
