"""The same load on several servers, one after the other, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.web.load import machine_line
from benchmarks.web.site import POSTGRESQL, SQLITE

SETTINGS = [(SQLITE, 1), (POSTGRESQL, 1), (POSTGRESQL, 2), (POSTGRESQL, 4)]
"""The databases, and with how many processes each is measured."""
HEAD = (
    "| database | processes | act to screen p50 / p95 / p99 | moves a second | CPU a move: server | PostgreSQL |"
    " memory: server | PostgreSQL | streams by process | |"
)


def lines_side_by_side(reports: list[dict[str, Any]]) -> Iterator[str]:
    """Reports of the same load as a table, and what a move costs with several processes against one."""
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
            count = report["workers"]
            yield f"{count} processes: {times:.2f} x the CPU of one a move; with a core each, {count / times:.2f} x the moves"


def dearer(report: dict[str, Any], one: dict[str, Any]) -> float | None:
    """How many times the processor time of one process several take for a move."""
    mine, other = (some["server"]["cpu_ms_per_move"] for some in (report, one))
    return mine / other if mine and other else None


def _row(report: dict[str, Any]) -> str:
    server, other = report["server"], report["postgresql"] or {}
    spread = report["act_to_screen_ms"]
    cells = (
        report["database"],
        str(report["workers"]),
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
