"""``./dev bench web``: how soon players see each other's moves when many tables are busy."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from benchmarks.web.crowd import BrokenError
from benchmarks.web.load import Load, ServerSetting, best_of, lines_on, report_on
from benchmarks.web.side_by_side import SETTINGS, line_against, lines_side_by_side
from benchmarks.web.site import POSTGRESQL, SQLITE

MAX_MS = 150.0
"""The limit in milliseconds for 95 of 100 screens to show a move, on two cores and with the default load."""


@click.command()
@click.option("--tables", type=click.IntRange(1), default=300, show_default=True, help="Tables in play.")
@click.option("--players", type=click.IntRange(2, 5), default=4, show_default=True, help="People at each, with a live page.")
@click.option("--seconds", type=click.FloatRange(0.1), default=30.0, show_default=True, help="How long the load is held.")
@click.option("--every", type=click.FloatRange(0.01), default=2.0, show_default=True, help="Seconds between a table's moves.")
@click.option(
    "--database", type=click.Choice([SQLITE, POSTGRESQL]), default=SQLITE, show_default=True, help="Where tables are."
)
@click.option(
    "--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Server processes; several need PostgreSQL."
)
@click.option("--sticky", is_flag=True, help="A port for each process, and all of a table sent to one of them, as proxies can.")
@click.option(
    "--against", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Another checkout to measure beside this."
)
@click.option("--rounds", type=click.IntRange(1), default=1, show_default=True, help="How often all are measured, by turns.")
@click.option("--all", "every_setting", is_flag=True, help="Both databases, with one, two and four processes, side by side.")
@click.option("--bar", type=click.FloatRange(1), default=MAX_MS, show_default=True, help="Milliseconds that p95 may take.")
@click.option("--json", "as_json", is_flag=True, help="One object instead of lines.")
def web(
    tables: int,
    players: int,
    seconds: float,
    every: float,
    database: str,
    workers: int,
    sticky: bool,
    against: Path | None,
    rounds: int,
    every_setting: bool,
    bar: float,
    as_json: bool,
) -> None:
    """From a move to every screen of its table: a server of its own, players over real HTTP and event streams."""
    if workers > 1 and database == SQLITE and not every_setting:
        raise click.UsageError("several processes need --database postgresql")
    if against and not (against / "src" / "tamaya").is_dir():
        raise click.UsageError(f"--against needs a checkout of Tamaya; there is no src/tamaya in {against}")
    load = Load(tables, players, seconds, every)
    settings = SETTINGS if every_setting else [ServerSetting(database, workers, sticky)]
    if against:
        settings = [*settings, *(setting._replace(checkout=against.resolve()) for setting in settings)]
    try:
        seen = [[report_on(load, bar, setting) for setting in settings] for _ in range(rounds)]
    except (BrokenError, TimeoutError) as problem:
        raise click.ClickException(f"The tables could not be filled: {str(problem) or 'no answer'}") from problem
    reports = list(map(best_of, zip(*seen, strict=True)))
    shown: Any = reports if len(reports) > 1 else reports[0]
    click.echo(json.dumps(shown, indent=1) if as_json else "\n".join(_lines(reports, every_setting, against is not None)))
    if not all(report["bar"]["passed"] for report in reports if not report["checkout"]):
        raise SystemExit(1)


def _lines(reports: list[dict[str, Any]], every_setting: bool, compared: bool) -> Iterator[str]:
    half = len(reports) // 2 if compared else len(reports)
    for some in filter(None, (reports[:half], reports[half:])):
        yield from lines_side_by_side(some) if every_setting else lines_on(some[0])
    yield from (line_against(here, there) for here, there in zip(reports[:half], reports[half:], strict=False))
