"""Backups: made during writes, complete or not at all, and limited in number."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tamaya import IllegalError, MalformedError
from tamaya.storage import backup
from tamaya.storage.backup import backups as making
from tamaya.storage.backup.sqlite_files import lock_folder
from tests.contract.place import PersistentPlace, read_until_killed
from tests.postgres import fresh_database
from tests.programs import line_of, run_python
from tests.support.stores import dump, engine_of, execute_on, fill, make_empty, make_old

NOON = datetime(2026, 11, 18, 12, 0, 0, tzinfo=UTC).timestamp()
DAY = 24 * 3600.0


def at(moment: float) -> Callable[[], float]:
    return lambda: moment


@pytest.fixture(params=["sqlite", "postgresql"])
def writers(request: pytest.FixtureRequest, tmp_path: Path) -> PersistentPlace:
    return PersistentPlace(request.param, tmp_path)


def source_of(place: PersistentPlace) -> Path | str:
    return Path(place.where) if place.name == "sqlite" else place.where


def lengths(path: Path) -> dict[str, int]:
    """The number of events of each table in a backup; fails if one is missing."""
    found = Counter[str]()
    with closing(sqlite3.connect(path)) as connection:
        for code, sequence, line in connection.execute("SELECT code, sequence, line FROM events ORDER BY code, sequence"):
            found[code] += 1
            assert (sequence, line) == (found[code], str(found[code]))
        listed = {code for (code,) in connection.execute("SELECT code FROM tables")}
    assert listed == set(found)
    return found


@pytest.mark.slow
def test_a_backup_during_writes_has_all_events_confirmed_before(writers: PersistentPlace, tmp_path: Path) -> None:
    folder, confirmed = tmp_path / "backups", Counter[str]()
    with writers.child("stream") as child:
        for _ in range(5):
            for _ in range(40):
                code, last = line_of(child, "an event to be confirmed").split()
                confirmed[code] = int(last)
            made = backup.back_up(source_of(writers), folder)
            assert made
            found = lengths(made.path)
            assert all(found[code] >= last for code, last in confirmed.items())
            assert all(number % 2 == 0 for number in found.values()), "events appended together are there together"
        assert child.poll() is None, "the writer went on"
        read_until_killed(child, 1, "the writer to go on")
    sizes = [sum(lengths(backup.path).values()) for backup in backup.backups_in(folder)]
    assert (len(sizes), sizes) == (5, sorted(sizes))


def test_a_backup_does_not_block_writers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Writes between any two of its steps neither fail it nor restart it."""
    monkeypatch.setattr("tamaya.storage.backup.sqlite_files.PAGES_PER_STEP", 1)
    file = tmp_path / "tables.sqlite"
    before, steps = fill(file), 0

    def write(_: float) -> None:
        nonlocal steps
        steps += 1
        execute_on(file, "PRAGMA busy_timeout = 0", f"UPDATE tables SET touched = {steps} WHERE code = 'odd'")

    made = backup.back_up(file, tmp_path / "backups", watch=write)
    assert made
    assert (steps > 10, dump(made.path)) == (True, before)


def test_backups_are_named_by_time_and_differ_within_a_second(tmp_path: Path) -> None:
    file, folder = make_empty(tmp_path / "tables.sqlite"), tmp_path / "backups"
    made = [backup.back_up(file, folder, clock=at(NOON + 0.7)) for _ in range(2)]
    assert [one.path.name for one in made if one] == ["tamaya-2026-11-18T120000Z.sqlite", "tamaya-2026-11-18T120001Z.sqlite"]
    assert backup.backups_in(folder) == made


def test_only_old_backups_are_deleted(tmp_path: Path) -> None:
    file, folder = make_empty(tmp_path / "tables.sqlite"), tmp_path / "backups"
    made = [backup.back_up(file, folder, key=f"key {day}", clock=at(NOON + day * DAY)) for day in range(4)]
    others = {
        "tables.sqlite",
        "tamaya-2026-11-18T120000Z.sqlite.gz",
        "my-tamaya-2020-01-01T000000Z.sqlite",
        "tamaya-2020-01-01.sqlite",
        "tamaya-2020-13-01T000000Z.sqlite",
        "tamaya-٢٠٢٠-01-01T000000Z.sqlite",
        "notes.key",
    }
    for name in others:
        folder.joinpath(name).write_text("somebody's")
    assert made[0]
    assert made[3]
    assert backup.delete_older(folder, 10, made[3]) == []
    assert backup.delete_older(folder, 2, made[3]) == made[:2]
    kept = {f"tamaya-2026-11-{day}T120000Z.{end}" for day in (20, 21) for end in ("sqlite", "key")}
    assert {path.name for path in folder.iterdir()} == others | kept


def test_a_wrong_clock_neither_skips_nor_deletes_a_backup(tmp_path: Path) -> None:
    file, folder = make_empty(tmp_path / "tables.sqlite"), tmp_path / "backups"
    ahead = backup.back_up(file, folder, clock=at(NOON + 365 * DAY))
    assert ahead
    assert backup.newest_backup(folder, NOON) is None
    made = backup.back_up(file, folder, unless_since=NOON - DAY, clock=at(NOON))
    assert made
    assert backup.delete_older(folder, 1, made) == []
    assert backup.newest_backup(folder, NOON + DAY) == made
    assert backup.newest_backup(folder, NOON + 400 * DAY) == ahead


def test_no_backup_is_made_if_the_newest_is_recent_enough(tmp_path: Path) -> None:
    file, folder = make_empty(tmp_path / "tables.sqlite"), tmp_path / "backups"
    first = backup.back_up(file, folder, unless_since=NOON - DAY, clock=at(NOON))
    assert first
    assert backup.back_up(file, folder, unless_since=NOON - 1, clock=at(NOON + DAY - 1)) is None
    assert backup.back_up(file, folder, unless_since=NOON, clock=at(NOON + DAY))
    assert len(backup.backups_in(folder)) == 2


def test_a_second_backup_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    file, folder = make_empty(tmp_path / "tables.sqlite"), tmp_path / "backups"
    folder.mkdir()
    with lock_folder(folder), pytest.raises(IllegalError) as refusal:
        backup.back_up(file, folder)
    assert (refusal.value.code, list(folder.iterdir())) == ("backup_running", [])


def test_an_empty_folder_has_no_newest_backup(tmp_path: Path) -> None:
    assert backup.newest_backup(tmp_path) is None
    assert backup.newest_backup(tmp_path / "nowhere") is None


def test_the_unfinished_file_of_a_killed_backup_is_replaced_by_the_next(tmp_path: Path) -> None:
    file, folder = make_empty(tmp_path / "tables.sqlite"), tmp_path / "backups"
    folder.mkdir()
    for end in ("", "-journal", "-wal"):
        folder.joinpath(f"{making.UNFINISHED_NAME}{end}").write_text("half")
    assert backup.backups_in(folder) == []
    made = backup.back_up(file, folder)
    assert made
    assert list(folder.iterdir()) == [made.path]


FULL = """
import resource, sys
sys.dont_write_bytecode = True  # the limit would cut it short, for every program after this one
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
from tamaya.cli import main
sys.argv = ["tamaya", "backup", *sys.argv[1:], "--lang", "en"]
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_full_disk_is_reported_and_leaves_no_partial_backup(kind: str, tmp_path: Path) -> None:
    place = tmp_path / "data" / "tables.sqlite" if kind == "sqlite" else fresh_database()
    fill(place)
    chosen = ["--data", str(tmp_path / "data")] if isinstance(place, Path) else ["--database", place]
    done = run_python("-c", FULL, *chosen, "--to", str(tmp_path / "backups"))
    assert (done.returncode, done.stdout) == (2, "")
    assert re.search(r"^A file cannot be used: .*(full|I/O)", done.stderr), done.stderr
    assert "Traceback" not in done.stderr
    assert list((tmp_path / "backups").iterdir()) == []


def break_page(file: Path) -> None:
    """Overwrite the middle of a file, as a bad disk might."""
    content = bytearray(file.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 3000] = b"\xff" * 3000
    file.write_bytes(content)


def skip_event(file: Path) -> None:
    execute_on(file, "DELETE FROM events WHERE code = 'odd' AND sequence = 2")


def become_newer(file: Path) -> None:
    execute_on(file, "UPDATE alembic_version SET version_num = '9999'")


def become_foreign(file: Path) -> None:
    file.unlink()
    execute_on(file, "CREATE TABLE recipes (name)", "CREATE TABLE alembic_version (version_num)")


def become_text(file: Path) -> None:
    file.write_text("not a database at all" * 100)


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (break_page, "damaged_database"),
        (skip_event, "events_missing"),
        (become_newer, "newer_database"),
        (become_foreign, "foreign_database"),
        (become_text, "damaged_database"),
        (Path.unlink, "no_file"),
    ],
)
def test_a_damaged_source_is_reported_and_not_backed_up(spoil: Callable[[Path], None], code: str, tmp_path: Path) -> None:
    file, folder = tmp_path / "tables.sqlite", tmp_path / "backups"
    fill(file)
    good = backup.back_up(file, folder)
    assert good
    spoil(file)
    with pytest.raises(MalformedError) as refusal:
        backup.back_up(file, folder)
    assert (refusal.value.code, list(folder.iterdir())) == (code, [good.path])


def test_an_older_postgresql_database_must_be_upgraded_first(tmp_path: Path) -> None:
    address = fresh_database()
    engine = engine_of(address)
    make_old(tmp_path / "old.sqlite")
    backup.move(tmp_path / "old.sqlite", address)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0004'")
    engine.dispose()
    with pytest.raises(MalformedError) as refusal:
        backup.back_up(address, tmp_path / "backups")
    assert refusal.value.code == "older_database"
    assert list((tmp_path / "backups").iterdir()) == []


def test_an_unreachable_database_is_reported_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(MalformedError) as refusal:
        backup.back_up("postgresql://me:hush-hush@127.0.0.1:1/tamaya", tmp_path / "backups")
    assert refusal.value.code == "bad_database"
    assert "hush-hush" not in str(refusal.value)
