"""Measure one load on one server, and report it."""

from __future__ import annotations

import asyncio
import math
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.web import processes
from benchmarks.web.site import Crowd, Measurement, Site, started
from tamaya.cli.league.report import processor

MIN_SHARE_IN_TIME = 0.95
"""The share of moves that must be made when they are due."""
EXTRA_FILES = 1000
"""File descriptors of a process in addition to one for each stream."""


@dataclass(frozen=True)
class Load:
    """The number of tables and of players at each, the seconds between a table's moves, and the duration."""

    tables: int
    players: int
    seconds: float
    every: float

    @property
    def streams(self) -> int:
        """The number of live pages."""
        return self.tables * self.players

    def is_met(self, stage: Measurement) -> bool:
        """Whether nearly all moves were made when they were due."""
        return stage.moves >= MIN_SHARE_IN_TIME * self.tables * self.seconds / self.every


class ServerSetting(NamedTuple):
    """A server to measure: its database and number of processes, whether each table stays with one of them, and another
    checkout to run."""

    database: str
    workers: int = 1
    sticky: bool = False
    checkout: Path | None = None


def report_on(load: Load, bar: float, setting: ServerSetting) -> dict[str, Any]:
    """Apply a load to a server of its own, and report the results."""
    allow_files(load.streams + EXTRA_FILES)
    about = setting._asdict() | {"checkout": str(setting.checkout or "")}
    with started(*setting) as site, asyncio.Runner(loop_factory=fast_loop()) as runner:
        return about | runner.run(_measure(site, load, bar))


def best_of(reports: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The report that the rest of the machine disturbed least. It passes only if no report lost or doubled anything."""
    best = min(reports, key=lambda report: report["server"]["cpu_ms_per_move"] or math.inf)
    passed = best["bar"]["passed"] and all(report["bar"]["sound"] for report in reports)
    spent = [report["server"]["cpu_ms_per_move"] for report in reports]
    return best | {"rounds_cpu_ms_per_move": spent, "bar": best["bar"] | {"passed": passed}}


async def _measure(site: Site, load: Load, bar: float) -> dict[str, Any]:
    people = Crowd(site, load.tables, load.players)
    began = time.perf_counter()
    await people.seat(load.tables)
    set_up = time.perf_counter() - began
    stage = await people.play(load.seconds, load.every)
    streams, tables = people.spread()
    server, postgresql = _costs(stage.server, stage, site.server.processes), None
    if site.postgres:
        postgresql = _costs(stage.database, stage, site.database_processes)
    people.leave()
    site.server.kill()
    tally, kept = people.tally, site.server.moves()
    wrong = sum(kept[code] != tally.accepted[code] for code in kept.keys() | tally.accepted.keys())
    spread = {f"p{share}": stage.percentile(share) for share in (50, 95, 99)} | {"max": stage.percentile(100)}
    is_quick = spread["p95"] is not None and spread["p95"] <= bar
    sound = not (tally.lost or tally.doubled or tally.failed or wrong)
    return {
        "machine": machine(),
        "load": {"tables": load.tables, "streams": load.streams, "every_s": load.every, "seconds": round(stage.passed, 2)},
        "set_up_s": round(set_up, 2),
        "act_to_screen_ms": spread,
        "screens": len(stage.waits),
        "moves": stage.moves,
        "moves_per_s": round(stage.moves / stage.passed, 1),
        "late": tally.late,
        "posted_twice": tally.repeats,
        "lost": tally.lost,
        "doubled": tally.doubled,
        "failed": tally.failed,
        "records": {"tables": len(kept), "moves": kept.total(), "wrong": wrong},
        "bytes_per_drawing": round(tally.bytes / max(tally.drawings, 1)),
        "spread": {"streams": streams, "tables": tables},
        "server": server | {"complaints": site.server.log_lines()[-20:]},
        "postgresql": postgresql,
        "client": _cpu(stage.client, stage),
        "bar": {"p95_ms": bar, "sound": sound, "passed": sound and load.is_met(stage) and is_quick},
    }


def machine() -> dict[str, Any]:
    """The machine that the figures depend on."""
    return {"cores": os.cpu_count(), "cpu": processor(), "python": platform.python_version()}


def _costs(seconds: float | None, stage: Measurement, pids: list[int]) -> dict[str, Any]:
    now, most = processes.memory(pids), processes.peak(pids)
    taken = {"memory_mib": now and round(now, 1), "peak_memory_mib": most and round(most, 1)}
    return {"processes": len(pids)} | _cpu(seconds, stage) | taken


def _cpu(seconds: float | None, stage: Measurement) -> dict[str, Any]:
    if seconds is None:
        return {"cpu_percent": None, "cpu_ms_per_move": None}
    return {
        "cpu_percent": round(100 * seconds / stage.passed, 1),
        "cpu_ms_per_move": round(1000 * seconds / max(stage.moves, 1), 2),
    }


def lines_on(report: dict[str, Any]) -> Iterator[str]:
    """A report as lines of text."""
    load, server, records, workers = report["load"], report["server"], report["records"], report["workers"]
    more = (", sticky" if report["sticky"] else "") + (f", of {report['checkout']}" if report["checkout"] else "")
    yield f"{machine_line(report['machine'])}; {report['database']}, processes: {workers}{more}"
    yield f"{load['tables']} tables, {load['streams']} streams, a move every {load['every_s']} s for {load['seconds']} s"
    yield "act to screen: " + ", ".join(f"{name} {value} ms" for name, value in report["act_to_screen_ms"].items())
    yield f"{report['moves']} moves, {report['moves_per_s']} a second, {report['late']} late, {report['screens']} screens"
    yield f"lost {report['lost']}, doubled {report['doubled']}, failed {report['failed']}; {report['posted_twice']} sent twice"
    yield f"in the database: {records['moves']} moves at {records['tables']} tables, {records['wrong']} tables wrong"
    yield f"{report['bytes_per_drawing']} bytes a drawing"
    if workers > 1:
        streams, tables = report["spread"]["streams"], report["spread"]["tables"]
        yield f"streams by process: {_listed(streams)}; tables with streams in 1, 2 ... processes: {_listed(tables)}"
    for name in ("server", "postgresql"):
        if costs := report[name]:
            cpu = f"{costs['cpu_percent']} % of a core, {costs['cpu_ms_per_move']} ms a move"
            yield f"{name}: {cpu}; {costs['memory_mib']} MiB ({costs['peak_memory_mib']} MiB at most)"
    if len(report["rounds_cpu_ms_per_move"]) > 1:
        yield f"the best of rounds in which a move took the server {_listed(report['rounds_cpu_ms_per_move'])} ms"
    yield f"client: {report['client']['cpu_percent']} % of a core"
    yield from (f"server says: {line}" for line in server["complaints"])
    yield f"p95 <= {report['bar']['p95_ms']:.0f} ms, nothing lost or doubled: {'pass' if report['bar']['passed'] else 'FAIL'}"


def machine_line(facts: dict[str, Any]) -> str:
    """The machine as a line of text."""
    return f"{facts['cores']} cores, {facts['cpu']}, Python {facts['python']}"


def _listed(numbers: Sequence[float]) -> str:
    return ", ".join(map(str, numbers))


def fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """A factory of uvloop's event loops, which leave the server more of the processor; None if uvloop is not installed."""
    try:
        from uvloop import new_event_loop
    except ImportError:
        return None
    return new_event_loop


def allow_files(wanted: int) -> None:
    """Allow this process, and the server that it starts, `wanted` open files."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
