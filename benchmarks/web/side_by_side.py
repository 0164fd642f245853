"""Reports of the same load on several servers, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.web.load import ServerSetting, machine_line
from benchmarks.web.site import POSTGRESQL, SQLITE

SETTINGS = [
    ServerSetting(SQLITE),
    ServerSetting(POSTGRESQL),
    ServerSetting(POSTGRESQL, 2),
    ServerSetting(POSTGRESQL, 2, sticky=True),
    ServerSetting(POSTGRESQL, 4),
    ServerSetting(POSTGRESQL, 4, sticky=True),
]
"""Both databases, with one, two and four processes."""
HEAD = (
    "| database | processes | act to screen p50 / p95 / p99 | moves a second | CPU a move: server | PostgreSQL |"
    " memory: server | PostgreSQL | streams by process | |"
)


def lines_side_by_side(reports: list[dict[str, Any]]) -> Iterator[str]:
    """Reports of the same load as a table, and the cost of a move with several processes against one."""
    load = reports[0]["load"]
    yield machine_line(reports[0]["machine"])
    yield f"{load['tables']} tables, {load['streams']} streams, a move every {load['every_s']} s"
    yield ""
    yield HEAD
    yield "|" + "---|" * (HEAD.count("|") - 1)
    yield from map(_row, reports)
    one = next((report for report in reports if (report["database"], report["workers"]) == (POSTGRESQL, 1)), None)
    for report in reports:
        if one and report["workers"] > 1 and (times := dearer(report, one)):
            gain = report["workers"] / times
            yield f"{_named(report)} processes: {times:.2f} x the CPU of one a move; with a core each, {gain:.2f} x the moves"


def dearer(report: dict[str, Any], one: dict[str, Any]) -> float | None:
    """The CPU time of a move with several processes, as a multiple of that with one."""
    mine, other = (some["server"]["cpu_ms_per_move"] for some in (report, one))
    return mine / other if mine and other else None


def line_against(here: dict[str, Any], there: dict[str, Any]) -> str:
    """The CPU time of this checkout against the other one."""
    times = dearer(here, there)
    p95, other = (report["act_to_screen_ms"]["p95"] for report in (here, there))
    cpu = f"{times:.2f} x the CPU a move" if times else "the CPU is not known here"
    return f"this checkout against the other: {cpu}, p95 {p95} against {other} ms"


def _named(report: dict[str, Any]) -> str:
    return f"{report['workers']}{' sticky' if report['sticky'] else ''}"


def _row(report: dict[str, Any]) -> str:
    server, other = report["server"], report["postgresql"] or {}
    spread = report["act_to_screen_ms"]
    cells = (
        report["database"],
        _named(report),
        " / ".join(f"{spread[share]}" for share in ("p50", "p95", "p99")) + " ms",
        str(report["moves_per_s"]),
        f"{server['cpu_ms_per_move']} ms",
        f"{other['cpu_ms_per_move']} ms" if other else "",
        f"{server['memory_mib']} MiB",
        f"{other['memory_mib']} MiB" if other else "",
        ", ".join(map(str, report["spread"]["streams"])),
        "pass" if report["bar"]["passed"] else "FAIL",
    )
    return "| " + " | ".join(cells) + " |"
