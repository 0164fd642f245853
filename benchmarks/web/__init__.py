"""``./dev bench web``: how soon people see each other's moves when many tables are busy."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any

import click

from benchmarks.web.crowd import BrokenError, Group, Tally
from benchmarks.web.server import Server
from benchmarks.web.wire import Wire
from tamaya.cli.machine import processor

BAR = 150.0
"""The milliseconds within which 95 of 100 screens show a move, on two cores and with the load that is the default."""
AT_ONCE = 8
"""How many tables sit down at the same time before the measurement."""
QUIET = 1.0
"""The measurement begins when no drawing has come for so many seconds."""


@click.command()
@click.option("--tables", type=click.IntRange(1), default=300, show_default=True, help="Tables in play.")
@click.option("--players", type=click.IntRange(2, 5), default=4, show_default=True, help="People at each, with a live page.")
@click.option("--seconds", type=click.FloatRange(0.1), default=30.0, show_default=True, help="How long the load is held.")
@click.option("--every", type=click.FloatRange(0.01), default=2.0, show_default=True, help="Seconds between a table's moves.")
@click.option("--json", "as_json", is_flag=True, help="One object instead of lines.")
def web(tables: int, players: int, seconds: float, every: float, as_json: bool) -> None:
    """From an act to every screen of its table: one server process, people over real HTTP and streams."""
    _allow_files(tables * players + 500)
    try:
        report = _report(tables, players, seconds, every)
    except (BrokenError, TimeoutError) as problem:
        raise click.ClickException(f"The tables could not be filled: {problem or 'no answer'}") from problem
    click.echo(json.dumps(report, indent=1) if as_json else "\n".join(_lines(report)))
    if not report["bar"]["passed"]:
        raise SystemExit(1)


def _report(tables: int, players: int, seconds: float, every: float) -> dict[str, Any]:
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder)) as server,
        asyncio.Runner(loop_factory=_fast_loop()) as runner,
    ):
        return runner.run(_measure(server, tables, players, seconds, every))


async def _measure(server: Server, tables: int, players: int, seconds: float, every: float) -> dict[str, Any]:
    tally, wire = Tally(), Wire("127.0.0.1", server.port)
    groups = [Group(wire, cookies, tally, random.Random(n)) for n, cookies in enumerate(server.cookies(tables, players))]
    began = time.perf_counter()
    await _some_at_once(group.sit_down for group in groups)
    await _some_at_once(group.look for group in groups)
    await _until_quiet(groups)
    ready = time.perf_counter()
    own, theirs = time.process_time(), server.seconds()
    await asyncio.gather(*(group.play(ready, ready + seconds, every) for group in groups))
    passed = time.perf_counter() - ready
    own, after, peak = time.process_time() - own, server.seconds(), server.peak()
    for group in groups:
        group.leave()
    server.kill()
    kept = server.moves()
    wrong = sum(kept[code] != tally.accepted[code] for code in kept.keys() | tally.accepted.keys())
    waits = sorted(1000 * wait for wait in tally.waits)
    spread = {f"p{share}": _percentile(waits, share) for share in (50, 95, 99)} | {"max": _percentile(waits, 100)}
    in_time = tally.moves >= 0.95 * tables * seconds / every
    sound = not (tally.lost or tally.doubled or tally.failed or wrong)
    return {
        "machine": {"cores": os.cpu_count(), "cpu": processor(), "python": platform.python_version()},
        "load": {"tables": tables, "streams": tables * players, "every_s": every, "seconds": round(passed, 2)},
        "set_up_s": round(ready - began, 2),
        "act_to_screen_ms": spread,
        "screens": len(waits),
        "moves": tally.moves,
        "moves_per_s": round(tally.moves / passed, 1),
        "late": tally.late,
        "posted_twice": tally.repeats,
        "lost": tally.lost,
        "doubled": tally.doubled,
        "failed": tally.failed,
        "records": {"tables": len(kept), "moves": kept.total(), "wrong": wrong},
        "bytes_per_drawing": round(tally.bytes / max(tally.drawings, 1)),
        "server": {
            "cpu_percent": None if after is None or theirs is None else round(100 * (after - theirs) / passed, 1),
            "peak_memory_mib": peak and round(peak, 1),
            "complaints": server.complaints()[-20:],
        },
        "client": {"cpu_percent": round(100 * own / passed, 1)},
        "bar": {"p95_ms": BAR, "passed": sound and in_time and spread["p95"] is not None and spread["p95"] <= BAR},
    }


async def _some_at_once(steps: Iterable[Callable[[], Awaitable[None]]]) -> None:
    """Take all steps, a few at a time, so that building up the load is no load of its own."""
    waiting = iter(steps)

    async def work() -> None:
        for step in waiting:
            await step()

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))


async def _until_quiet(groups: list[Group]) -> None:
    """Wait until the pages have been told of everybody who came."""
    before = -1
    while before != (before := sum(group.drawings for group in groups)):
        await asyncio.sleep(QUIET)


def _percentile(ordered: list[float], share: int) -> float | None:
    """The value that so many of a hundred do not exceed."""
    return round(ordered[max(-(-len(ordered) * share // 100) - 1, 0)], 1) if ordered else None


def _lines(report: dict[str, Any]) -> Iterable[str]:
    machine, load, server, records = (report[part] for part in ("machine", "load", "server", "records"))
    yield f"{machine['cores']} cores, {machine['cpu']}, Python {machine['python']}; one server process"
    yield f"{load['tables']} tables, {load['streams']} streams, a move every {load['every_s']} s for {load['seconds']} s"
    yield "act to screen: " + ", ".join(f"{name} {value} ms" for name, value in report["act_to_screen_ms"].items())
    yield f"{report['moves']} moves, {report['moves_per_s']} a second, {report['late']} late, {report['screens']} screens"
    yield f"lost {report['lost']}, doubled {report['doubled']}, failed {report['failed']}; {report['posted_twice']} sent twice"
    yield f"on disk: {records['moves']} moves at {records['tables']} tables, {records['wrong']} tables wrong"
    yield f"{report['bytes_per_drawing']} bytes a drawing"
    yield f"server: {server['cpu_percent']} % of a core, {server['peak_memory_mib']} MiB at most"
    yield f"client: {report['client']['cpu_percent']} % of a core"
    yield from (f"server says: {line}" for line in server["complaints"])
    yield f"p95 <= {report['bar']['p95_ms']:.0f} ms, nothing lost or doubled: {'pass' if report['bar']['passed'] else 'FAIL'}"


def _fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        from uvloop import new_event_loop
    except ImportError:
        return None
    return new_event_loop


def _allow_files(wanted: int) -> None:
    """Allow this process, and the server that it starts, so many connections."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
