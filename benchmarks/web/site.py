"""The measured system: a server, its database and the players at its tables."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from benchmarks.web import processes
from benchmarks.web.crowd import CrowdTally, TableGroup
from benchmarks.web.postgres import Postgres
from benchmarks.web.server import MeasuredServer
from benchmarks.web.wire import Wire

SQLITE, POSTGRESQL = "sqlite", "postgresql"
MAX_CONCURRENT = 8
"""The number of tables that sit down at the same time before a measurement."""
QUIET_SECONDS = 1.0
"""The seconds without any update after which a measurement begins."""


@dataclass(frozen=True)
class Site:
    """A server and, if it has one, its PostgreSQL."""

    server: MeasuredServer
    postgres: Postgres | None

    @property
    def database_processes(self) -> list[int]:
        """The processes of PostgreSQL."""
        return processes.with_children(self.postgres.process) if self.postgres else []


@contextmanager
def started(database: str, workers: int, sticky: bool = False, checkout: Path | None = None) -> Iterator[Site]:
    """A server with a new database of that kind, for the time of the context."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Postgres() if database == POSTGRESQL else nullcontext() as postgres,
        MeasuredServer(Path(folder), postgres.address if postgres else "", workers, sticky, checkout) as server,
    ):
        yield Site(server, postgres)


@dataclass(frozen=True)
class Measurement:
    """The measurements of one load; CPU time in seconds."""

    passed: float
    waits: list[float]
    moves: int
    server: float | None
    database: float | None
    client: float

    def percentile(self, share: int) -> float | None:
        """The milliseconds from a move to a screen that `share` percent of the screens do not exceed."""
        ordered = self.waits
        return round(1000 * ordered[max(-(-len(ordered) * share // 100) - 1, 0)], 1) if ordered else None


class Crowd:
    """The players of all tables, who sit down a few tables at a time."""

    def __init__(self, site: Site, most: int, players: int) -> None:
        self._site, self.tally = site, CrowdTally()
        wires = [Wire("127.0.0.1", port) for port in site.server.ports]
        cookies = site.server.cookies(most, players)
        self._waiting = [TableGroup(wires[n % len(wires)], one, self.tally, random.Random(n)) for n, one in enumerate(cookies)]
        self.groups: list[TableGroup] = []

    async def seat(self, tables: int) -> None:
        """Open `tables` more tables with their pages, and wait until the server is idle."""
        new, self._waiting = self._waiting[:tables], self._waiting[tables:]
        self.groups += new
        await _run_concurrently(group.sit_down for group in new)
        await _run_concurrently(group.open_pages for group in new)
        before = -1
        while before != (before := sum(group.drawings for group in self.groups)):
            await asyncio.sleep(QUIET_SECONDS)

    async def play(self, seconds: float, every: float) -> Measurement:
        """Let every table move every `every` seconds, for `seconds`."""
        tally, site = self.tally, self._site
        tally.waits, moves = [], tally.moves
        server, database = site.server.processes, site.database_processes
        began, own = time.perf_counter(), time.process_time()
        theirs = processes.seconds(server), processes.seconds(database)
        await asyncio.gather(*(group.play(began, began + seconds, every) for group in self.groups))
        passed = time.perf_counter() - began
        return Measurement(
            passed,
            sorted(tally.waits),
            tally.moves - moves,
            _since(theirs[0], processes.seconds(server)),
            _since(theirs[1], processes.seconds(database)),
            time.process_time() - own,
        )

    def spread(self) -> tuple[list[int], list[int]]:
        """The number of streams of each process, and the number of tables whose streams are in one, two and more processes."""
        workers = self._site.server.workers
        homes = processes.served_by(self._site.server.ports, workers)
        streams = Counter(homes[ends] for group in self.groups for ends in group.connections if ends in homes)
        tables = Counter(len({homes.get(ends) for ends in group.connections}) for group in self.groups)
        return [streams[worker] for worker in workers], [tables[count] for count in range(1, len(workers) + 1)]

    def leave(self) -> None:
        """Close every page."""
        for group in self.groups:
            group.leave()


def _since(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before


async def _run_concurrently(steps: Iterable[Callable[[], Awaitable[None]]]) -> None:
    """Run all steps, a few at a time, so that setting up causes no load peak."""
    waiting = iter(steps)

    async def work() -> None:
        for step in waiting:
            await step()

    await asyncio.gather(*(work() for _ in range(MAX_CONCURRENT)))
