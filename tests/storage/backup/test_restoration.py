"""Restores: all or nothing, never over existing data without `replace`, and never from a damaged backup."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tamaya import IllegalError, MalformedError
from tamaya.storage import SqlStore
from tamaya.storage import backup as backups
from tests.contract.batches import batch
from tests.postgres import fresh_database
from tests.programs import run_python
from tests.support.stores import Place, dump, engine_of, execute_on, fill, make_empty, one_table, use, with_one_table


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return tmp_path / "target" / "tables.sqlite" if request.param == "sqlite" else fresh_database()


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup of a store with all kinds of data."""
    fill(tmp_path / "source.sqlite")
    made = backups.back_up(tmp_path / "source.sqlite", tmp_path / "backups")
    assert made
    return made.path


def files_beside(place: Place) -> list[str]:
    return sorted(path.name for path in place.parent.iterdir()) if isinstance(place, Path) else []


def test_existing_data_is_not_overwritten(target: Place, backup: Path) -> None:
    before = with_one_table(target)
    with pytest.raises(IllegalError) as refusal:
        backups.restore(backup, target)
    assert (refusal.value.code, dump(target)) == ("not_empty", before)
    assert files_beside(target) in ([], ["tables.sqlite"])


def test_existing_data_is_replaced_on_request_and_kept_in_a_file(target: Place, backup: Path) -> None:
    before = with_one_table(target)
    aside = backups.restore(backup, target, replace=True)[1]
    assert aside
    assert (dump(target), dump(aside)) == (dump(backup), before)
    assert files_beside(target) in ([], ["tables.sqlite", aside.name])


def test_a_store_without_data_can_be_restored_to(target: Place, backup: Path) -> None:
    use(target)
    assert backups.restore(backup, target)[1] is None
    assert dump(target) == dump(backup)
    assert files_beside(target) in ([], ["tables.sqlite"])


def test_tables_of_another_program_are_left_alone(target: Place, backup: Path) -> None:
    if isinstance(target, Path):
        target.parent.mkdir()
    engine = engine_of(target)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE recipes (name VARCHAR)")
        connection.exec_driver_sql("INSERT INTO recipes VALUES ('soup')")
    with pytest.raises(IllegalError) as refusal:
        backups.restore(backup, target)
    assert refusal.value.code == "not_empty"
    with engine.begin() as connection:
        assert connection.exec_driver_sql("SELECT name FROM recipes").scalar() == "soup"
    engine.dispose()


def cut_short(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def break_page(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 3000] = b"\xff" * 3000
    file.write_bytes(content)


def become_empty(file: Path) -> None:
    os.truncate(file, 0)


def become_text(file: Path) -> None:
    file.write_text("not a database at all" * 100)


def become_newer(file: Path) -> None:
    execute_on(file, "UPDATE alembic_version SET version_num = '9999'")


def become_foreign(file: Path) -> None:
    file.unlink()
    execute_on(file, "CREATE TABLE recipes (name)")


def skip_event(file: Path) -> None:
    execute_on(file, "DELETE FROM events WHERE code = 'odd' AND sequence = 2")


def lose_table(file: Path) -> None:
    execute_on(file, "DELETE FROM tables WHERE code = (SELECT code FROM people)")


SPOILT: dict[Callable[[Path], None], str] = {
    cut_short: "damaged_database",
    break_page: "damaged_database",
    become_empty: "foreign_database",
    become_text: "damaged_database",
    become_newer: "newer_database",
    become_foreign: "foreign_database",
    skip_event: "events_missing",
    lose_table: "damaged_database",
    Path.unlink: "no_file",
}


@pytest.mark.parametrize("spoil", SPOILT)
def test_a_damaged_backup_is_refused_and_nothing_changes(spoil: Callable[[Path], None], target: Place, backup: Path) -> None:
    before = with_one_table(target)
    spoil(backup)
    with pytest.raises(MalformedError) as refusal:
        backups.restore(backup, target, replace=True)
    assert (refusal.value.code, dump(target)) == (SPOILT[spoil], before)
    assert files_beside(target) in ([], ["tables.sqlite"])
    use(target, goes_on)


async def goes_on(store: SqlStore) -> None:
    await store.append([batch("kept", 3, "three")])


def test_restoring_is_refused_while_a_server_runs(target: Place, backup: Path, tmp_path: Path) -> None:
    async def restore_beside(store: SqlStore) -> None:
        await one_table(store)
        with pytest.raises(IllegalError) as refusal:
            backups.restore(backup, target, replace=True)
        assert refusal.value.code == "database_in_use"
        assert await store.read_events("kept") == ["one", "two"]
        await goes_on(store)

    use(target, restore_beside)


def test_moving_is_refused_while_a_server_runs(tmp_path: Path) -> None:
    file, address = tmp_path / "tables.sqlite", fresh_database()

    async def move_beside(store: SqlStore) -> None:
        await one_table(store)
        with pytest.raises(IllegalError) as refusal:
            backups.move(file, address)
        assert refusal.value.code == "database_in_use"
        await goes_on(store)

    use(file, move_beside)


def test_moving_is_refused_unless_the_target_is_empty(tmp_path: Path) -> None:
    file, address = tmp_path / "tables.sqlite", fresh_database()
    fill(file)
    before = with_one_table(address)
    with pytest.raises(IllegalError) as refusal:
        backups.move(file, address)
    assert (refusal.value.code, dump(address)) == ("not_empty", before)


def test_a_damaged_file_is_replaced_and_its_journal_not_reused(tmp_path: Path, backup: Path) -> None:
    """A server was killed and left its journal, then the disk damaged the file."""
    target = tmp_path / "target" / "tables.sqlite"
    target.parent.mkdir()

    async def copy_under_way(store: SqlStore) -> None:
        await one_table(store)
        for end in ("", "-wal"):
            shutil.copy(f"{tmp_path}/other.sqlite{end}", f"{target}{end}")

    use(tmp_path / "other.sqlite", copy_under_way)
    journal = Path(f"{target}-wal").read_bytes()
    become_text(target)
    with pytest.raises(IllegalError):
        backups.restore(backup, target)
    aside = backups.restore(backup, target, replace=True)[1]
    assert aside
    assert dump(target) == dump(backup)
    assert Path(f"{aside}-wal").read_bytes() == journal
    assert aside.read_text().startswith("not a database")


def test_the_journal_of_a_killed_server_is_kept_and_moved(tmp_path: Path, backup: Path) -> None:
    """Its last writes are only in the journal."""
    target, address = tmp_path / "target" / "tables.sqlite", fresh_database()
    target.parent.mkdir()

    async def copy_under_way(store: SqlStore) -> None:
        await one_table(store)
        for end in ("", "-wal"):
            shutil.copy(f"{tmp_path}/other.sqlite{end}", f"{target}{end}")

    use(tmp_path / "other.sqlite", copy_under_way)
    backups.move(target, address)
    aside = backups.restore(backup, target, replace=True)[1]
    assert aside
    assert dump(aside) == dump(address) == dump(tmp_path / "other.sqlite")


KILLED = """
import os, signal, sys
from pathlib import Path
from tamaya.storage.backup import restoration

def kill(*_):
    os.kill(os.getpid(), signal.SIGKILL)

room, name = sys.argv[1].split(".")
setattr({"restoration": restoration, "os": os}[room], name, kill)
restoration.restore(Path(sys.argv[2]), Path(sys.argv[3]), replace=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "moment", ["restoration.upgrade", "restoration.refuse_damaged", "restoration._link_or_copy", "os.replace"]
)
def test_a_restore_killed_at_any_moment_leaves_the_old_file(moment: str, tmp_path: Path, backup: Path) -> None:
    target = tmp_path / "target" / "tables.sqlite"
    before = with_one_table(target)
    assert run_python("-c", KILLED, moment, str(backup), str(target)).returncode == -9
    assert dump(target) == before
    use(target, goes_on)
    backups.restore(backup, target, replace=True)
    assert dump(target) == dump(backup)
    assert not [name for name in files_beside(target) if "restoring" in name], "nothing partial is left"


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, backup: Path) -> None:
    target = tmp_path / "target" / "tables.sqlite"
    before = with_one_table(target)
    script = """
import resource, sys
sys.dont_write_bytecode = True  # the limit would cut it short, for every program after this one
resource.setrlimit(resource.RLIMIT_FSIZE, (80_000, 80_000))
from tamaya.cli import main
sys.argv = ["tamaya", "restore", *sys.argv[1:], "--replace", "--lang", "en"]
main()
"""
    done = run_python("-c", script, str(backup), "--data", str(target.parent))
    assert (done.returncode, "A file cannot be used: " in done.stderr, dump(target)) == (2, True, before), done.stderr
    assert files_beside(target) == ["tables.sqlite"]


def test_an_empty_file_can_be_restored_to(tmp_path: Path, backup: Path) -> None:
    target = tmp_path / "tables.sqlite"
    target.touch()
    backups.restore(backup, target)
    assert dump(target) == dump(backup)
    assert dump(make_empty(tmp_path / "empty.sqlite")) != dump(target)
