"""``./dev bench sim``: the simulator's moves per second, side by side with other simulators."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from benchmarks.measuring import Row, machine_line
from benchmarks.openspiel import openspiel_game
from benchmarks.sim import report
from benchmarks.sim.batches import CPU, cpu_rows, memory
from benchmarks.sim.compiling import compilations, compile_times
from benchmarks.sim.device import beside_jaxmarl, device_rows, find_device
from benchmarks.sim.plot import draw
from tamaya.cli.grids import as_markdown, as_text, check_places, write_figures
from tamaya.league.workers.processes import usable_cores
from tamaya.rules import TamayaError
from tamaya.rules.errors import require

WRITTEN = click.Path(path_type=Path, dir_okay=False)
PLACES = ("processor", "compiler", "memory")
"""The page's places for these figures; it may have one for a device, too."""
KEYS = {"players", "mode", "play", "device", "cores", "moves_per_s", "openspiel_moves_per_s", "ratio"}
"""The keys that every row has."""
READ = click.Path(path_type=Path, dir_okay=False, exists=True)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="A list of rows instead of tables.")
@click.option("--players", type=click.IntRange(2, 5), multiple=True, default=(2, 3, 4, 5), help="Only so many; repeatable.")
@click.option("--cores", type=click.IntRange(1), help="How many cores to measure beside one; else all.")
@click.option(
    "--seconds", type=click.FloatRange(0), default=0.25, show_default=True, help="How long each of a loop's 4 rounds is."
)
@click.option("--gpu", is_flag=True, help="Measure the GPU too, beside JaxMARL where that is installed.")
@click.option("--add", type=READ, multiple=True, metavar="FILE", help="Show a GPU's rows too, which --json wrote to FILE.")
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
            require(package, extra)
        counts = sorted({1, cores or usable_cores()})
        added = read_device_rows(add)
        if markdown:
            check_places(markdown, [*PLACES, *(["device"] if gpu or added else [])])
        rows = _measure(sorted(set(players)), counts, seconds, gpu, shows=not as_json)
        if as_json:
            click.echo(json.dumps(rows, indent=1))
        else:
            click.echo("\n".join(_closing_lines(rows)))
        if plot:
            draw([*rows, *added], plot, machine_line())
        if markdown:
            write_figures(markdown, _page_figures([*rows, *added]))
    except TamayaError as problem:
        raise click.ClickException(str(problem)) from problem


def _measure(players: Sequence[int], cores: Sequence[int], seconds: float, gpu: bool, shows: bool) -> list[Row]:
    """Measure all rows; grids are printed on the way, because it takes a while."""
    device, rows = find_device() if gpu else None, []
    if shows:
        click.echo(f"{machine_line()}\n{report.ABOUT}\n")
    for count in players:
        rows += (ours := cpu_rows(count, cores, seconds))
        on_device: list[Row] = []
        if device:
            theirs = {(row["play"], row["mode"]): row["openspiel_moves_per_s"] for row in ours}
            on_device = device_rows(device, count, seconds, theirs)
            if missing := beside_jaxmarl(on_device, count, seconds):
                click.echo(missing, err=True)
        rows += on_device
        if shows:
            grids = [report.cpu_grid(ours), *([report.device_grid(on_device)] if device else [])]
            for grid in grids:
                click.echo("\n".join([*as_text(grid, len(report.NAMES)), ""]))
    return rows


def _closing_lines(rows: Sequence[Row]) -> list[str]:
    lines = [report.cores_line(rows), report.compile_line(compilations()), report.memory_line(*memory())]
    if openspiel_game(2) is None:
        lines.append("OpenSpiel is not installed here; ./dev bench sim measures beside it.")
    return [line for line in lines if line]


def _page_figures(rows: Sequence[Row]) -> dict[str, str]:
    players = list(dict.fromkeys(row["players"] for row in rows))
    figures = {
        "processor": [machine_line() + ".", as_markdown(report.cpu_grid(rows), len(report.NAMES)), report.cores_line(rows)],
        "compiler": [as_markdown(report.compile_grid(players, [compile_times(count) for count in players]))],
        "memory": [report.memory_line(*memory())],
    }
    if devices := dict.fromkeys(row["device"] for row in rows if row["device"] != CPU):
        figures["device"] = [f"{', '.join(devices)}.", as_markdown(report.device_grid(rows), len(report.NAMES))]
    return {name: "\n\n".join(filter(None, parts)) for name, parts in figures.items()}


def read_device_rows(paths: Iterable[Path]) -> list[Row]:
    """The GPU rows that ``--json`` wrote on another machine, without that machine's processor."""
    rows = []
    for path in paths:
        try:
            read = json.loads(path.read_text("utf-8"))
            sound = isinstance(read, list) and all(isinstance(row, dict) and row.keys() >= KEYS for row in read)
        except ValueError:
            sound = False
        if not sound:
            raise click.ClickException(f"{path.name} does not hold the rows of this command.")
        rows += [row for row in read if row["device"] != CPU]
    return rows
