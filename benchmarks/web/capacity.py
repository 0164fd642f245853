"""``./dev bench capacity``: how many tables one server process serves, and how many two do.

Where client, database and server share two cores, two server processes cannot have a core each. Therefore three things are
measured, by adding tables until fewer than 95 of 100 screens are in time: one process with a core of its own, client and
database on the other; two processes that share this core, which shows the overhead of a second process; and two processes
with a core each, which client and database use as well.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import click

from benchmarks.web.load import EXTRA_FILES, Load, allow_files, fast_loop, machine, machine_line
from benchmarks.web.processes import keep_to
from benchmarks.web.site import POSTGRESQL, Crowd, Site, started

MAX_MS = 150.0
MAX_TABLES = 2_000
"""The number of tables at which the search stops."""
TARGET_GAIN = 1.6
"""The target for two processes, as a multiple of one process."""


@dataclass(frozen=True)
class Placement:
    """The core of each server process, and the cores of client and database."""

    name: str
    workers: tuple[int, ...]
    others: tuple[int, ...]
    sticky: bool = False


ONE = Placement("one process, a core to itself", (0,), (1,))
SHARED = Placement("two processes, that core between them, each table with one of them", (0, 0), (1,), sticky=True)
BOTH = Placement("the same with a core each, shared with client and database", (0, 1), (0, 1), sticky=True)


@click.command()
@click.option("--start", type=click.IntRange(1), default=150, show_default=True, help="Tables to begin with.")
@click.option("--step", type=click.IntRange(1), default=20, show_default=True, help="Tables that are added each time.")
@click.option("--players", type=click.IntRange(2, 5), default=4, show_default=True, help="People at each, with a live page.")
@click.option("--seconds", type=click.FloatRange(0.1), default=10.0, show_default=True, help="How long each load is held.")
@click.option("--every", type=click.FloatRange(0.01), default=2.0, show_default=True, help="Seconds between a table's moves.")
@click.option("--json", "as_json", is_flag=True, help="One object instead of lines.")
def capacity(start: int, step: int, players: int, seconds: float, every: float, as_json: bool) -> None:
    """How many tables one server process serves on PostgreSQL, and how many two do."""
    if not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2:
        raise click.UsageError("this needs Linux and two cores")
    load = Load(start, players, seconds, every)
    rows = [_most_tables(layout, load, step) for layout in (ONE, SHARED, BOTH)]
    report = {"machine": machine(), "every_s": every, "bar_ms": MAX_MS, "layouts": rows, **_compared(rows)}
    click.echo(json.dumps(report, indent=1) if as_json else "\n".join(_lines(report)))


def _most_tables(layout: Placement, load: Load, step: int) -> dict[str, Any]:
    """Add tables until too many screens are late; report the last number in time, and all measurements."""
    cores = sorted(os.sched_getaffinity(0))
    allow_files(MAX_TABLES * load.players + EXTRA_FILES)
    try:
        with (
            started(POSTGRESQL, len(layout.workers), layout.sticky) as site,
            asyncio.Runner(loop_factory=fast_loop()) as runner,
        ):
            _pin_processes(site, layout, cores)
            return runner.run(_add_tables(site, layout, load, step))
    finally:
        os.sched_setaffinity(0, cores)


def _pin_processes(site: Site, layout: Placement, cores: list[int]) -> None:
    others = {cores[place] for place in layout.others}
    keep_to([os.getpid(), *site.database_processes, *site.server.processes], others)
    for process, place in zip(site.server.workers, layout.workers, strict=True):
        keep_to([process], {cores[place]})


async def _add_tables(site: Site, layout: Placement, load: Load, step: int) -> dict[str, Any]:
    people, seen, best = Crowd(site, MAX_TABLES, load.players), list[dict[str, Any]](), 0
    more = load.tables
    while len(people.groups) + more <= MAX_TABLES:
        await people.seat(more)
        now = Load(len(people.groups), load.players, load.seconds, load.every)
        stage = await people.play(now.seconds, now.every)
        p95 = stage.percentile(95)
        fine = p95 is not None and p95 <= MAX_MS and now.is_met(stage)
        cpu = stage.server and round(100 * stage.server / stage.passed, 1)
        seen.append(
            {"tables": now.tables, "p95_ms": p95, "moves_per_s": round(stage.moves / stage.passed, 1), "cpu_percent": cpu}
        )
        if not fine:
            break
        best, more = now.tables, step
    people.leave()
    return {"layout": layout.name, "workers": len(layout.workers), "tables": best, "seen": seen}


def _compared(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Two processes against one: by their result on one core, and as measured on two cores with other load."""
    one, shared, both = (row["tables"] for row in rows)
    if not one:
        return {"with_a_core_each": None, "as_seen": None, "passed": False}
    gain = round(2 * shared / one, 2)
    return {"with_a_core_each": gain, "as_seen": round(both / one, 2), "passed": gain >= TARGET_GAIN}


def _lines(report: dict[str, Any]) -> Iterator[str]:
    yield f"{machine_line(report['machine'])}; PostgreSQL, a move every {report['every_s']} s, p95 <= {report['bar_ms']:.0f} ms"
    for row in report["layouts"]:
        yield f"{row['layout']}: {row['tables']} tables"
        for seen in row["seen"]:
            figures = f"p95 {seen['p95_ms']} ms, {seen['moves_per_s']} moves a second, {seen['cpu_percent']} % of a core"
            yield f"  {seen['tables']} tables: {figures}"
    yield f"two against one: {report['with_a_core_each']} x with a core each (twice what they carry on one core)"
    yield f"{report['as_seen']} x as seen on two cores that client and database use, too"
    yield f">= {TARGET_GAIN} x: {'pass' if report['passed'] else 'FAIL'}"
