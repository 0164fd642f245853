"""Scheduled backups: their times, failures, and several processes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from tamaya.storage import backup
from tamaya.web.ops.backups import HOUR, MAX_SLEEP, RETRY_DELAY, make_backup, run_backups
from tamaya.web.options import ServerOptions
from tests.postgres import fresh_database
from tests.programs import wait_until
from tests.support.client import with_app
from tests.support.fakes import run
from tests.support.servers import RealServer
from tests.support.stores import dump, fill, make_empty

START = 1_800_000_000.0


class FakeClock:
    """A clock that advances only during sleep, and cancels after N hours."""

    def __init__(self, options: ServerOptions, hours: float, problems: Sequence[str] = ()) -> None:
        self.options, self.now, self.end = options, START, START + hours * HOUR
        self.problems = list(problems)
        self.made: list[float] = []
        self.sleeps: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        self.now += seconds
        if self.now >= self.end:
            raise asyncio.CancelledError

    async def make(self, options: ServerOptions) -> str:
        if self.problems and (problem := self.problems.pop(0)):
            return problem
        made = backup.back_up(Path(options.data, "tables.sqlite"), Path(options.backup_to), clock=lambda: self.now)
        assert made
        self.made.append((made.made - START) / HOUR)
        return ""

    def run(self) -> None:
        with pytest.raises(asyncio.CancelledError):
            run(run_backups(self.options, self.make, lambda: self.now, self.sleep))


@pytest.fixture
def options(tmp_path: Path) -> ServerOptions:
    make_empty(tmp_path / "data" / "tables.sqlite")
    return ServerOptions(data=str(tmp_path / "data"), backup_to=str(tmp_path / "backups"), backup_every=24, backup_keep=3)


def test_the_first_backup_is_made_at_once_and_others_when_due(options: ServerOptions) -> None:
    clock = FakeClock(options, 80)
    clock.run()
    assert clock.made == pytest.approx([0, 24, 48, 72], abs=0.1)
    assert max(clock.sleeps) <= MAX_SLEEP


def test_a_restart_makes_no_extra_backup(options: ServerOptions) -> None:
    first, second = FakeClock(options, 5), FakeClock(options, 30)
    first.run()
    second.now, second.end = first.now, START + 30 * HOUR
    second.run()
    assert first.made == [0]
    assert second.made == pytest.approx([24], abs=0.1)


def test_a_failed_backup_is_logged_in_one_line_and_retried(options: ServerOptions, caplog: pytest.LogCaptureFixture) -> None:
    clock = FakeClock(options, 10, problems=["The disk is full.", "The disk is full."])
    clock.run()
    assert [record.getMessage() for record in caplog.records] == ["backup failed: The disk is full."] * 2
    assert clock.made == pytest.approx([2 * RETRY_DELAY / HOUR])


def test_an_unreadable_folder_does_not_stop_the_schedule(
    options: ServerOptions, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "backups").write_text("a file")
    clock = FakeClock(options, 1)
    clock.run()
    assert {record.getMessage() for record in caplog.records} == {"backup failed: Not a directory"}


@pytest.mark.parametrize("jump", [365 * 24, -365 * 24])
def test_clock_jumps_neither_stop_backups_nor_make_extra_ones(options: ServerOptions, jump: float) -> None:
    before = FakeClock(options, 30)
    before.run()
    after = FakeClock(options, jump + 60)
    after.now = START + (jump + 31) * HOUR
    after.end = after.now + 29 * HOUR
    after.run()
    assert [made - jump for made in after.made] == pytest.approx([31, 55], abs=0.1)


def test_a_backup_runs_in_another_process_with_the_servers_options(options: ServerOptions, tmp_path: Path) -> None:
    for day in (1, 2, 3):
        (tmp_path / "backups").mkdir(exist_ok=True)
        (tmp_path / "backups" / f"tamaya-2020-01-0{day}T000000Z.sqlite").touch()
    assert run(make_backup(options)) == ""
    made = backup.backups_in(tmp_path / "backups")
    assert len(made) == options.backup_keep
    assert backup.count_backup(made[-1]) == (0, 0)
    assert run(make_backup(options)) == "", "another is not due yet"
    assert backup.backups_in(tmp_path / "backups") == made


def test_errors_of_the_backup_process_are_returned(options: ServerOptions, tmp_path: Path) -> None:
    Path(options.data, "tables.sqlite").unlink()
    assert run(make_backup(options)) == f"There is no file {tmp_path}/data/tables.sqlite."


def test_without_the_setting_no_backups_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(options: ServerOptions) -> None:
        pytest.fail("no backup was requested")

    monkeypatch.setattr("tamaya.web.services.run_backups", refuse)

    async def steps(app: object) -> None:
        await asyncio.sleep(0)

    with_app(tmp_path, steps)


def test_a_stopping_server_cancels_a_running_backup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, given_up = asyncio.Event(), []

    async def endless(options: ServerOptions) -> str:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            given_up.append(options.backup_to)
        return ""

    monkeypatch.setattr("tamaya.web.ops.backups.make_backup", endless)

    async def steps(app: object) -> None:
        await begun.wait()

    with_app(tmp_path, steps, backup_to=str(tmp_path / "backups"))
    assert given_up == [str(tmp_path / "backups")]


@pytest.mark.slow
def test_the_backup_of_a_running_server_can_be_restored(tmp_path: Path) -> None:
    before = fill(tmp_path / "data" / "tables.sqlite")
    folder = tmp_path / "backups"
    with RealServer(tmp_path / "data", TAMAYA_BACKUP_TO=str(folder)) as server:
        wait_until(lambda: bool(backup.backups_in(folder)), "a backup", server.process)
    (made,) = backup.backups_in(folder)
    backup.restore(made.path, tmp_path / "drill" / "tables.sqlite")
    held = dump(tmp_path / "drill" / "tables.sqlite")
    lasting = held.keys() - {"tables", "links"}  # old rows of these are deleted when the server starts
    assert {name: held[name] for name in lasting} == {name: before[name] for name in lasting}
    assert len(held["tables"]) == len(before["tables"]), "only marks of abandoned tables may differ"


@pytest.mark.slow
def test_one_of_several_processes_makes_the_backup(tmp_path: Path) -> None:
    address, folder = fresh_database(), tmp_path / "backups"
    fill(address)
    chosen = ("--database", address, "--workers", "2")
    with RealServer(tmp_path / "data", *chosen, TAMAYA_BACKUP_TO=str(folder)) as server:
        wait_until(lambda: bool(backup.backups_in(folder)), "a backup", server.process)
        for path in ("/", "/rules", "/health"):
            assert server.ask("GET", path)[0] == 200
    (made,) = backup.backups_in(folder)
    assert backup.count_backup(made)[0] == len(dump(address)["tables"])
