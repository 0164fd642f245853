"""``./dev bench replay``: import saved games, step through them as every viewer, export them: whether each survives unchanged,
and how long a step takes."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import click
from starlette.applications import Starlette

from benchmarks.asgi_client import UnexpectedResponseError, request
from tamaya.record import Record, from_text, hanab_live, native, read_file
from tamaya.rules import RecordError
from tamaya.web.app import create_app
from tamaya.web.options import ServerOptions
from tamaya.web.services import services_of

MAX_MS = 50.0
"""The limit in milliseconds of server time for 95 of 100 steps."""


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--every", type=click.IntRange(1), default=1, show_default=True, help="Look at every so many turns.")
@click.option("--json", "as_json", is_flag=True, help="One object instead of lines.")
def replay(files: tuple[Path, ...], every: int, as_json: bool) -> None:
    """Import the games of FILES, step through them as every viewer, and export them in every format."""
    with tempfile.TemporaryDirectory() as folder:
        tally = asyncio.run(_measure(Path(folder), files, every))
    steps = sorted(tally.steps)
    report: dict[str, Any] = {
        "games": tally.games,
        "steps": len(steps),
        "step_ms": {f"p{share}": round(steps[(len(steps) - 1) * share // 100], 1) for share in (50, 95, 100)} if steps else {},
        "wrong": tally.wrong,
    }
    report["bar"] = {"p95_ms": MAX_MS, "passed": not tally.wrong and bool(steps) and report["step_ms"]["p95"] <= MAX_MS}
    click.echo(json.dumps(report, indent=1) if as_json else "\n".join(_lines(report)))
    raise SystemExit(0 if report["bar"]["passed"] else 1)


def _lines(report: Mapping[str, Any]) -> Iterable[str]:
    yield f"{report['games']} games, {report['steps']} steps: " + ", ".join(f"{k} {v} ms" for k, v in report["step_ms"].items())
    yield from (f"wrong: {line}" for line in report["wrong"])
    yield f"p95 <= {MAX_MS:.0f} ms, every game as it was: {'pass' if report['bar']['passed'] else 'FAIL'}"


@dataclass
class ReplayTally:
    """The number of games, the time of each step in milliseconds, and the errors."""

    games: int = 0
    steps: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


async def _measure(folder: Path, files: Iterable[Path], every: int) -> ReplayTally:
    tally = ReplayTally()
    site = create_app(ServerOptions(data=str(folder), limits=False))
    async with site.router.lifespan_context(site):
        for entry in (entry for file in files for entry in read_file(file)):
            tally.games += 1
            try:
                if entry.replay is None:
                    raise UnexpectedResponseError(str(entry.error))
                await _go_through(site, entry.replay.record, every, tally.steps)
            except UnexpectedResponseError as problem:
                tally.wrong.append(f"{entry.id}: {problem}")
    return tally


async def _go_through(site: Starlette, record: Record, every: int, steps: list[float]) -> None:
    headers, _ = await request(site, "POST", "/bring", urlencode({"text": native.write(record)}).encode(), status=303)
    page = headers["location"]
    turns = (await services_of(site).tables.get(page.split("/")[2])).turn
    for turn in {*range(0, turns, every), turns}:
        for eyes in (*range(1, record.rules.players + 1), "table", "hands"):
            began = time.thread_time()
            await request(site, "GET", f"{page}?turn={turn}&eyes={eyes}&seen={turn}")
            steps.append(1000 * (time.thread_time() - began))
    await request(site, "GET", page)
    for form, expected in _forms(record).items():
        _, text = await request(site, "GET", page.replace("/replay", f"/record/{form}"))
        if from_text(text).record != expected:
            raise UnexpectedResponseError(f"the record in the form {form} is not that of the game")


def _forms(record: Record) -> dict[str, Record]:
    """The record as each format that can express it preserves it.

    Hanab Live's formats lack the cost of the last mistake, a link lacks names and options too.
    """
    rules, forms = record.rules, {"tamaya": record}
    with suppress(RecordError):
        rules = hanab_live.rules_of(hanab_live.variant_of(rules), rules.players, hanab_live.options_of(rules))
        forms["hanab-live"] = replace(record, rules=rules)
        hanab_live.write_link(record)
        forms["link"] = replace(record, rules=rules, names=tuple(str(seat + 1) for seat in range(rules.players)))
    return forms
