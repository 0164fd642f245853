"""The command: measures, and shows the figures as they come."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from tamaya.cli.bench_sim import report
from tamaya.cli.bench_sim.batches import CPU, cpu_rows, memory
from tamaya.cli.bench_sim.card import beside_jaxmarl, find_card, gpu_rows
from tamaya.cli.bench_sim.machine import machine
from tamaya.cli.bench_sim.making import makings, waits
from tamaya.cli.bench_sim.measuring import Row
from tamaya.cli.bench_sim.openspiel import openspiel_game
from tamaya.cli.bench_sim.page import card_rows, check_places, write_figures
from tamaya.cli.bench_sim.plot import draw
from tamaya.rules import TamayaError
from tamaya.sim.extras import needed
from tamaya.sim.league.runners.processes import cores as usable_cores

WRITTEN = click.Path(path_type=Path, dir_okay=False)
PLACES = ("processor", "compiler", "memory")
READ = click.Path(path_type=Path, dir_okay=False, exists=True)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="A list of rows instead of tables.")
@click.option("--players", type=click.IntRange(2, 5), multiple=True, default=(2, 3, 4, 5), help="Only so many; repeatable.")
@click.option("--cores", type=click.IntRange(1), help="How many cores to measure beside one; else all.")
@click.option(
    "--seconds", type=click.FloatRange(0), default=0.25, show_default=True, help="How long each of a loop's 4 rounds is."
)
@click.option("--gpu", is_flag=True, help="Measure the card too, beside JaxMARL where that is installed.")
@click.option("--add", type=READ, multiple=True, metavar="FILE", help="Show a card's rows too, which --json wrote to FILE.")
@click.option("--plot", type=WRITTEN, metavar="FILE", help="Draw the figures into FILE.")
@click.option("--markdown", type=READ, metavar="FILE", help="Put the tables where the page FILE has a place for them.")
def sim(
    as_json: bool,
    players: tuple[int, ...],
    cores: int | None,
    seconds: float,
    gpu: bool,
    add: tuple[Path, ...],
    plot: Path | None,
    markdown: Path | None,
) -> None:
    """Simulated moves per second: raw, with legal actions, with observations; beside OpenSpiel in the same run."""
    try:
        for package, extra in (("numpy", "sim"), ("numba", "sim"), *((("matplotlib", "plots"),) if plot else ())):
            needed(package, extra)
        counts = sorted({1, cores or usable_cores()})
        added = card_rows(add)
        if markdown:
            check_places(markdown, [*PLACES, *(["card"] if gpu or added else [])])
        rows = _measure(sorted(set(players)), counts, seconds, gpu, tells=not as_json)
        if as_json:
            click.echo(json.dumps(rows, indent=1))
        else:
            click.echo("\n".join(_closing_lines(rows)))
        if plot:
            draw([*rows, *added], plot, machine())
        if markdown:
            write_figures(markdown, _figures([*rows, *added]))
    except TamayaError as problem:
        raise click.ClickException(str(problem)) from problem


def _measure(players: Sequence[int], cores: Sequence[int], seconds: float, gpu: bool, tells: bool) -> list[Row]:
    """All rows; tables are shown on the way, since it takes a while."""
    card, rows = find_card() if gpu else None, []
    if tells:
        click.echo(f"{machine()}\n{report.ABOUT}\n")
    for count in players:
        rows += (ours := cpu_rows(count, cores, seconds))
        on_card: list[Row] = []
        if card:
            theirs = {(row["play"], row["mode"]): row["openspiel_moves_per_s"] for row in ours}
            on_card = gpu_rows(card, count, seconds, theirs)
            if missing := beside_jaxmarl(on_card, count, seconds):
                click.echo(missing, err=True)
        rows += on_card
        if tells:
            tables = [report.cpu_table(ours), *([report.card_table(on_card)] if card else [])]
            click.echo("\n".join(f"{report.as_text(table)}\n" for table in tables))
    return rows


def _closing_lines(rows: Sequence[Row]) -> list[str]:
    lines = [report.cores_line(rows), report.making_line(makings()), report.memory_line(*memory())]
    if openspiel_game(2) is None:
        lines.append("OpenSpiel is not installed here; ./dev bench sim measures beside it.")
    return [line for line in lines if line]


def _figures(rows: Sequence[Row]) -> dict[str, str]:
    """What a page shows, by the names of its places."""
    players = list(dict.fromkeys(row["players"] for row in rows))
    figures = {
        "processor": [machine() + ".", report.as_markdown(report.cpu_table(rows)), report.cores_line(rows)],
        "compiler": [report.as_markdown(report.wait_table(players, [waits(count) for count in players]))],
        "memory": [report.memory_line(*memory())],
    }
    if cards := dict.fromkeys(row["device"] for row in rows if row["device"] != CPU):
        figures["card"] = [f"{', '.join(cards)}.", report.as_markdown(report.card_table(rows))]
    return {name: "\n\n".join(filter(None, parts)) for name, parts in figures.items()}
