"""Faults while people play at full speed: confirmed moves stay, hidden cards stay hidden, and the server recovers fully.
Shortened in the usual runs; `./dev test faults` tries everything."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests import postgres
from tests.faults import faults, full
from tests.faults.checks import check_games, check_log, check_resources, check_secrets, measure
from tests.faults.clock import AHEAD
from tests.faults.faults import SEED, Fault, Scene
from tests.faults.people import crowd
from tests.faults.server import Server
from tests.faults.sizes import FULL, SIZES

pytestmark = pytest.mark.slow
DATABASES = ("sqlite", "postgresql")
WARMING = 5
"""Moves at each table before the server's memory is first measured."""
HUMAN = 0.25
"""Seconds that people think in trials with rate limits, or where others need the machine."""
Figures = Callable[[str, object], None]


@dataclass(frozen=True)
class Trial:
    """A fault and the server it needs."""

    fault: Fault
    databases: tuple[str, ...] = DATABASES
    limits: bool = False
    pause: float = 0.0
    """Seconds that people think, which leave the machine to others."""
    calm: bool = True
    """Whether the database works all the time, so that no error may be logged."""


TRIALS = {
    "kills": Trial(faults.killed),
    "restarts": Trial(faults.restarted, DATABASES[1:], calm=False),
    "cuts": Trial(faults.cut_off, DATABASES[1:], calm=False),
    "clock": Trial(faults.jumping),
    "clients": Trial(faults.held_up),
    "floods": Trial(faults.flooded, limits=True, pause=HUMAN),
    "malformed": Trial(faults.poured_over, pause=2 * HUMAN),
}


@pytest.mark.parametrize(("name", "database"), [(name, kind) for name, trial in TRIALS.items() for kind in trial.databases])
def test_confirmed_moves_stay_and_hidden_cards_stay_hidden(
    tmp_path: Path, record_property: Figures, name: str, database: str
) -> None:
    address = postgres.fresh_database() if database == "postgresql" else ""
    trial, clock = TRIALS[name], tmp_path / "clock"
    clock.write_text("0")
    program = {"program": "tests.faults.clock", AHEAD: str(clock)} if trial.fault is faults.jumping else {}
    (tmp_path / "data").mkdir()
    with Server(tmp_path / "data", address, limits=trial.limits, **program) as server:
        figures = asyncio.run(evening(server, trial, clock))
    record_property("faults", f"{name}, {database}: {figures}")


@pytest.mark.parametrize("database", DATABASES)
def test_no_unsaved_move_is_confirmed_on_a_full_disk(tmp_path: Path, record_property: Figures, database: str) -> None:
    for way in ways(database):
        (folder := tmp_path / way.__name__).mkdir()
        with way(folder) as (data, address, disk), Server(data, address) as server:
            figures = asyncio.run(evening(server, Trial(faults.filled, calm=False), folder / "clock", disk))
        record_property("faults", f"full disk, {database}: {figures}")


async def evening(server: Server, trial: Trial, clock: Path, disk: full.Disk | None = None) -> str:
    """Players connect, leave and return; then the fault happens and ends, and they play on."""
    async with crowd(server.port, SIZES.tables, SEED, pause=trial.pause, apart=trial.limits) as warming:
        await warming.play_on(WARMING)
    before = await measure(server)
    async with crowd(server.port, SIZES.tables, SEED + 1, pause=trial.pause, apart=trial.limits) as people:
        await people.play_on()
        told = await trial.fault(Scene(server, people, random.Random(SEED), clock, disk))
        await people.play_on(WARMING)
    now = await check_resources(server, before)
    events = server.events()
    server.end()
    games = check_games(people.ledger, events, calm=trial.calm)
    check_games(warming.ledger, events, calm=True)
    hands = check_secrets(people.ledger, games)
    check_log(server.log(), events, calm=trial.calm)
    return f"{told}; {people.ledger}; {hands} hands compared; before: {before}; after: {now}"


Place = tuple[Path, str, full.Disk]


@contextmanager
def small_disk(folder: Path) -> Iterator[Place]:
    with full.small_disk("sqlite") as disk:
        yield disk / "data", "", full.SmallDisk(disk)


@contextmanager
def small_files(folder: Path) -> Iterator[Place]:
    yield folder / "data", "", full.SmallFiles()


@contextmanager
def small_tablespace(folder: Path) -> Iterator[Place]:
    with ExitStack() as stack:
        disk = stack.enter_context(full.small_disk("postgresql"))
        yield folder / "data", stack.enter_context(full.database_on(disk)), full.SmallDisk(disk)


@contextmanager
def no_room_for_events(folder: Path) -> Iterator[Place]:
    yield folder / "data", postgres.fresh_database(), full.NoRoomForEvents()


def ways(database: str) -> list[Callable[[Path], AbstractContextManager[Place]]]:
    """The ways to fill a disk here: a real one if the system allows it; simulated otherwise, or if everything is tried."""
    real, other = (small_disk, small_files) if database == "sqlite" else (small_tablespace, no_room_for_events)
    if not full.can_mount():
        return [other]
    return [real, other] if SIZES is FULL else [real]
