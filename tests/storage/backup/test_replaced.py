"""Restores over PostgreSQL: replaced rows are in a file first, or nothing changes."""

from __future__ import annotations

import stat
import time
from pathlib import Path

import psycopg
import pytest

from tamaya import IllegalError, MalformedError, TamayaError
from tamaya.storage import backup as backups
from tamaya.storage import postgres, upgrade_postgres
from tamaya.storage.backup import restoration
from tamaya.storage.backup.sqlite_files import lock_folder
from tests.postgres import fresh_database
from tests.programs import run_python
from tests.support.stores import dump, engine_of, fill, make_old, with_one_table


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup of a store with all kinds of data."""
    fill(tmp_path / "source.sqlite")
    made = backups.back_up(tmp_path / "source.sqlite", tmp_path / "backups")
    assert made
    return made.path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder for replaced data."""
    return tmp_path / "data"


def change(address: str, statement: str) -> None:
    """Execute statements on a database that Tamaya never would."""
    engine = engine_of(address)
    with engine.begin() as connection:
        connection.exec_driver_sql(statement)
    engine.dispose()


def test_replaced_rows_are_in_a_private_file_and_can_be_restored(backup: Path, folder: Path) -> None:
    address, other = fresh_database(), fresh_database()
    before = fill(address)
    aside = backups.restore(backup, address, replace=True, folder=folder)[1]
    assert aside
    assert (aside.name.startswith("tables.sqlite.before-restore-"), stat.S_IMODE(aside.stat().st_mode)) == (True, 0o600)
    assert list(folder.iterdir()) == [aside]
    assert (dump(address), dump(aside)) == (dump(backup), before)
    backups.restore(aside, other)
    assert dump(other) == before


def test_each_restore_creates_another_file(backup: Path, folder: Path) -> None:
    address = fresh_database()
    before = with_one_table(address)
    first = backups.restore(backup, address, replace=True, folder=folder)[1]
    second = backups.restore(backup, address, replace=True, folder=folder)[1]
    assert first
    assert second
    assert (dump(first), dump(second)) == (before, dump(backup))
    assert sorted(folder.iterdir()) == [first, second]


def test_an_empty_database_leaves_no_file(backup: Path, folder: Path) -> None:
    address = fresh_database()
    upgrade_postgres(address)
    change(address, "CREATE TABLE recipes (name VARCHAR)")
    assert backups.restore(backup, address, replace=True, folder=folder)[1] is None
    assert (dump(address), folder.exists()) == (dump(backup), False)


def test_a_damaged_database_can_be_replaced_and_is_kept_as_it_was(backup: Path, folder: Path) -> None:
    """The damage may be the reason for the restore."""
    address = fresh_database()
    fill(address)
    change(address, "DELETE FROM events WHERE code = 'odd' AND sequence = 2")
    before = dump(address)
    aside = backups.restore(backup, address, replace=True, folder=folder)[1]
    assert aside
    assert (dump(address), dump(aside)) == (dump(backup), before)


def test_an_older_database_is_kept_with_the_current_schema(backup: Path, folder: Path) -> None:
    address, twin = fresh_database(), fresh_database()
    make_old(address)
    make_old(twin)
    upgrade_postgres(twin)
    aside = backups.restore(backup, address, replace=True, folder=folder)[1]
    assert aside
    assert (dump(address), dump(aside)) == (dump(backup), dump(twin))


def refused(backup: Path, address: str, folder: Path) -> TamayaError:
    """The error of a restore that changes nothing."""
    before = dump(address)
    with pytest.raises(TamayaError) as refusal:
        backups.restore(backup, address, replace=True, folder=folder)
    assert dump(address) == before
    return refusal.value


def test_nothing_is_replaced_if_the_old_rows_cannot_be_kept(backup: Path, folder: Path) -> None:
    address = fresh_database()
    with_one_table(address)
    folder.write_text("in the way")
    problem = refused(backup, address, folder)
    assert isinstance(problem, MalformedError)
    assert str(problem).startswith(f"What is in the database cannot be kept in {folder}, so nothing was replaced. ")
    assert str(problem).endswith(f"A file cannot be used: {folder}: File exists")
    assert (problem.code, folder.read_text()) == ("bad_file", "in the way")


def test_a_copy_that_differs_replaces_nothing(backup: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    address = fresh_database()
    with_one_table(address)
    monkeypatch.setattr("tamaya.storage.backup.copy_rows.insert", lambda table: table.delete())
    problem = refused(backup, address, folder)
    assert (problem.code, list(folder.iterdir())) == ("copy_differs", [])
    assert "so nothing was replaced. The copy differs from the original" in str(problem)


def test_a_folder_with_a_running_backup_is_refused(backup: Path, folder: Path) -> None:
    address = fresh_database()
    with_one_table(address)
    folder.mkdir()
    with lock_folder(folder):
        problem = refused(backup, address, folder)
    assert (type(problem), problem.code, list(folder.iterdir())) == (IllegalError, "backup_running", [])


def test_the_file_is_deleted_if_the_restore_fails(backup: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database still has all of its rows."""
    address, found = fresh_database(), list[Path]()
    with_one_table(address)

    def fail(*_: object) -> None:
        found.extend(folder.iterdir())
        raise OSError("no more")

    monkeypatch.setattr(restoration, "refuse_gaps", fail)
    problem = refused(backup, address, folder)
    assert (problem.code, len(found), list(folder.iterdir())) == ("bad_file", 1, [])


def test_no_write_is_possible_between_copying_and_replacing(backup: Path, folder: Path) -> None:
    address, tries = fresh_database(), 0
    with_one_table(address)

    def write(_: float) -> None:
        nonlocal tries
        tries += 1
        with psycopg.connect(address) as connection, pytest.raises(psycopg.errors.LockNotAvailable):
            connection.execute("LOCK TABLE events IN ROW EXCLUSIVE MODE NOWAIT")

    backups.restore(backup, address, replace=True, folder=folder, watch=write)
    assert tries > 3


def test_postgresql_does_not_time_out_while_files_are_read(backup: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large file takes longer than the usual timeout."""
    address, shares = fresh_database(), list[float]()
    before = with_one_table(address)
    hasty = postgres.DURABLE_SETTINGS.replace(
        "'idle_in_transaction_session_timeout', '10s'", "'idle_in_transaction_session_timeout', '50ms'"
    )
    assert hasty != postgres.DURABLE_SETTINGS
    monkeypatch.setattr(postgres, "DURABLE_SETTINGS", hasty)

    def dawdle(share: float) -> None:
        shares.append(share)
        time.sleep(0.2 if len(shares) in (1, 20) else 0)

    aside = backups.restore(backup, address, replace=True, folder=folder, watch=dawdle)[1]
    assert aside
    assert (dump(address), dump(aside)) == (dump(backup), before)
    assert sum(shares) == pytest.approx(1)
    assert len(shares) > 20


KILLED = """
import os, signal, sys
from pathlib import Path
from tamaya.storage.backup import copy_rows, restoration, sqlite_files

def kill(*_):
    os.kill(os.getpid(), signal.SIGKILL)

room, name = sys.argv[1].split(".")
setattr({"sqlite_files": sqlite_files, "restoration": restoration, "copy_rows": copy_rows}[room], name, kill)
restoration.restore(Path(sys.argv[2]), sys.argv[3], replace=True, folder=Path(sys.argv[4]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "moment",
    [
        "copy_rows._advance_sequence",
        "copy_rows.contents",
        "sqlite_files.refuse_unreadable",
        "restoration.sync_to_disk",
        "restoration.copy_and_compare",
        "restoration.refuse_gaps",
    ],
)
def test_a_restore_killed_at_any_moment_leaves_the_old_database(moment: str, backup: Path, folder: Path) -> None:
    address = fresh_database()
    before = with_one_table(address)
    assert run_python("-c", KILLED, moment, str(backup), address, str(folder)).returncode == -9
    assert dump(address) == before
    backups.restore(backup, address, replace=True, folder=folder)
    assert dump(address) == dump(backup)
    kept = list(folder.iterdir())
    assert [dump(path) for path in kept] == [before] * len(kept), "nothing partial is left"


FULL = """
import resource, sys
sys.dont_write_bytecode = True  # the limit would cut it short, for every program after this one
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
from tamaya.cli import main
sys.argv = ["tamaya", "restore", *sys.argv[1:], "--replace", "--lang", "en"]
main()
"""


@pytest.mark.slow
def test_a_full_disk_leaves_the_old_database(backup: Path, folder: Path) -> None:
    address = fresh_database()
    before = fill(address)
    done = run_python("-c", FULL, str(backup), "--database", address, "--data", str(folder))
    assert (done.returncode, dump(address), list(folder.iterdir())) == (2, before, []), done.stderr
    assert f"cannot be kept in {folder}, so nothing was replaced. A file cannot be used: " in done.stderr
    assert "Traceback" not in done.stderr
