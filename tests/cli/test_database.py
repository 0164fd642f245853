"""``tamaya backup``, ``restore`` and ``migrate``: output and options."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamaya.cli import tamaya as command_line
from tamaya.storage import backup
from tests.postgres import fresh_database
from tests.support.stores import dump, execute_on, fill

WORDS = {"LC_ALL": "en_GB.UTF-8"}


def do(*arguments: str, **environment: str) -> Result:
    return CliRunner(env={**WORDS, **environment}).invoke(command_line, arguments, catch_exceptions=False)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The data folder of a host."""
    folder = tmp_path / "data"
    fill(folder / "tables.sqlite")
    (folder / "key").write_text("the key")
    return folder


def backups(folder: Path) -> list[Path]:
    return [backup.path for backup in backup.backups_in(folder)]


def test_a_host_backs_up_and_restores_elsewhere(data: Path, tmp_path: Path) -> None:
    made = do("backup", "--data", str(data), "--to", str(tmp_path / "backups"))
    (backup,) = backups(tmp_path / "backups")
    held = dump(data / "tables.sqlite")
    counts = f"tables: {len(held['tables'])}, events: {len(held['events'])}."
    assert (made.exit_code, made.output) == (0, f"The backup is {backup}; {counts}\n")
    restored = do("restore", str(backup), "--data", str(tmp_path / "drill"))
    assert (restored.exit_code, restored.output) == (0, f"{backup} was restored; {counts}\n")
    assert dump(tmp_path / "drill" / "tables.sqlite") == held
    assert [path.name for path in (tmp_path / "drill").iterdir()] == ["tables.sqlite"], "the key stays where it is"


def test_settings_come_from_the_environment_and_from_a_file(data: Path, tmp_path: Path) -> None:
    assert do("backup", TAMAYA_DATA=str(data), TAMAYA_BACKUP_TO=str(tmp_path / "one")).exit_code == 0
    settings = tmp_path / "settings.toml"
    settings.write_text(f'data = "{data}"\nbackup_to = "{tmp_path / "two"}"\nport = 80\n')
    assert do("backup", "--config", str(settings)).exit_code == 0
    assert len(backups(tmp_path / "one")) == len(backups(tmp_path / "two")) == 1


def test_migrate_moves_all_tables_to_postgresql_and_lists_them(data: Path) -> None:
    address, held = fresh_database(), dump(data / "tables.sqlite")
    done = do("migrate", "--data", str(data), TAMAYA_DATABASE=address)
    rows = [line.split() for line in done.output.splitlines()[: len(held)]]
    assert (done.exit_code, dict(rows)) == (0, {name: str(len(of)) for name, of in held.items()})
    assert "read back and compared" in done.output
    assert "the same data folder" in done.output, "whose key keeps everybody signed in"
    assert dump(address) == dump(data / "tables.sqlite") == held
    again = do("migrate", "--data", str(data), "--database", address)
    assert (again.exit_code, "There is something in PostgreSQL already; nothing was changed." in again.output) == (2, True)


def test_restore_saves_the_replaced_postgresql_tables_in_the_data_folder(data: Path, tmp_path: Path) -> None:
    address, here = fresh_database(), tmp_path / "here"
    before = fill(address)
    do("backup", "--data", str(data), "--to", str(tmp_path / "backups"))
    chosen = [str(*backups(tmp_path / "backups")), "--data", str(here), "--database", address]
    refused = do("restore", *chosen)
    assert (refused.exit_code, here.exists(), dump(address)) == (2, False, before)
    done = do("restore", *chosen, "--replace")
    (old,) = here.iterdir()
    assert (done.exit_code, done.output.splitlines()[1:]) == (0, [f"What was there before is in {old}."])
    assert old.name.startswith("tables.sqlite.before-restore-")
    assert (dump(address), dump(old)) == (dump(data / "tables.sqlite"), before)


def test_restore_keeps_postgresql_tables_that_it_cannot_save(data: Path, tmp_path: Path) -> None:
    address, here = fresh_database(), tmp_path / "here"
    before = fill(address)
    here.touch()
    do("backup", "--data", str(data), "--to", str(tmp_path / "backups"))
    done = do("restore", str(*backups(tmp_path / "backups")), "--data", str(here), "--database", address, "--replace")
    assert (done.exit_code, dump(address)) == (2, before)
    assert f"cannot be kept in {here}, so nothing was replaced. A file cannot be used: " in done.output


def test_migrate_can_rename_the_sqlite_file(data: Path) -> None:
    held = dump(data / "tables.sqlite")
    done = do("migrate", "--data", str(data), "--database", fresh_database(), "--rename")
    (old,) = [path for path in data.iterdir() if path.name != "key"]
    assert (done.exit_code, f"What was there before is in {old}." in done.output, dump(old)) == (0, True, held)
    assert old.name.startswith("tables.sqlite.moved-")


def test_the_key_is_in_the_backup_only_on_request(data: Path, tmp_path: Path) -> None:
    """The key allows signing in as any player, so a backup must not leak it by accident."""
    folder, drill = tmp_path / "backups", tmp_path / "drill"
    assert do("backup", "--data", str(data), "--to", str(folder)).exit_code == 0
    assert not list(folder.glob("*.key"))
    assert all(b"the key" not in path.read_bytes() for path in folder.iterdir())
    assert do("backup", "--data", str(data), "--to", str(folder), "--with-key", "--keep", "1").exit_code == 0
    (backup,), (key,) = folder.glob("*.sqlite"), folder.glob("*.key")
    assert (key.read_text(), stat.S_IMODE(key.stat().st_mode)) == ("the key", 0o600)
    assert do("restore", str(backup), "--data", str(drill), "--with-key").exit_code == 0
    assert ((drill / "key").read_text(), stat.S_IMODE((drill / "key").stat().st_mode)) == ("the key", 0o600)


def test_a_different_key_is_not_overwritten(data: Path, tmp_path: Path) -> None:
    folder, drill = tmp_path / "backups", tmp_path / "drill"
    do("backup", "--data", str(data), "--to", str(folder), "--with-key")
    drill.mkdir()
    (drill / "key").write_text("another key")
    refused = do("restore", str(*backups(folder)), "--data", str(drill), "--with-key")
    assert (refused.exit_code, "There is a different key" in refused.output) == (2, True)
    assert ([path.name for path in drill.iterdir()], (drill / "key").read_text()) == (["key"], "another key")
    assert do("restore", str(*backups(folder)), "--data", str(drill), "--with-key", "--replace").exit_code == 0
    assert (drill / "key").read_text() == "the key"


def test_restoring_the_key_requires_a_backup_of_it(data: Path, tmp_path: Path) -> None:
    do("backup", "--data", str(data), "--to", str(tmp_path / "backups"))
    refused = do("restore", str(*backups(tmp_path / "backups")), "--data", str(tmp_path / "drill"), "--with-key")
    assert (refused.exit_code, "There is no file" in refused.output, (tmp_path / "drill").exists()) == (2, True, False)


def test_keep_deletes_older_backups_and_every_skips_recent_ones(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    for day in (1, 2, 3):
        (folder / f"tamaya-2020-01-0{day}T000000Z.sqlite").touch()
    done = do("backup", "--data", str(data), "--to", str(folder), "--keep", "2", "--every", "24")
    assert (done.exit_code, "2 older backups were deleted." in done.output) == (0, True)
    assert len(backups(folder)) == 2
    soon = do("backup", "--data", str(data), "--to", str(folder), "--keep", "1", "--every", "24")
    assert (soon.exit_code, len(backups(folder))) == (0, 2)
    assert soon.output == "The newest backup is recent enough; no new one was made.\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("backup", "--data", "DATA"), "Name the folder for the backup with --to."),
        (("backup", "--data", "DATA", "--to", "x", "--keep", "0"), "--keep"),
        (("backup", "--data", "DATA", "--to", "x", "--every", "soon"), "--every is a number of hours, not “soon”."),
        (("backup", "--data", "DATA", "--to", "x", "--every", "nan"), "--every is a number of hours, not “nan”."),
        (("backup", "--data", "nowhere", "--to", "x"), "There is no file nowhere/tables.sqlite."),
        (("backup", "--data", "nowhere", "--to", "x", "--with-key"), "There is no key in the folder nowhere."),
        (("backup", "--data", "DATA", "--to", "DATA/key"), "A file cannot be used: "),
        (("restore", "missing.sqlite"), "There is no file missing.sqlite."),
        (("restore", "DATA/key", "--data", "other"), "This is not a database, or it is damaged."),
        (("restore", "DATA/tables.sqlite", "--data", "DATA"), "There is something in "),
        (("migrate", "--data", "DATA"), "Name the PostgreSQL database to move to with --database."),
        (("migrate", "--data", "nowhere", "--database", "postgresql://127.0.0.1:1/x"), "There is no file"),
        (("migrate", "--data", "DATA", "--database", "postgresql://127.0.0.1:1/x"), "The PostgreSQL database cannot be used: "),
        (("migrate", "--data", "DATA", "--database", "mysql://x"), "TAMAYA_DATABASE cannot be"),
    ],
)
def test_invalid_arguments_are_refused_and_change_nothing(
    arguments: tuple[str, ...], words: str, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = dump(data / "tables.sqlite")
    done = do(*(argument.replace("DATA", str(data)) for argument in arguments))
    assert (done.exit_code, words in done.output) == (2, True), done.output
    assert dump(data / "tables.sqlite") == before
    assert [path.name for path in tmp_path.rglob("*.sqlite")] == ["tables.sqlite"]


def test_an_error_while_copying_quotes_no_game(data: Path) -> None:
    execute_on(data / "tables.sqlite", "UPDATE tables SET players = 5000000000, names = '[\"R1 G3\"]'")
    done = do("migrate", "--data", str(data), "--database", fresh_database())
    assert done.exit_code == 2
    assert "The PostgreSQL database cannot be used: " in done.output
    assert "R1" not in done.output
