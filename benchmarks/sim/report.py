"""Reports of the simulator's benchmark: grids for a terminal and for a page, and the sentences around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from benchmarks.measuring import Row, as_figure, as_ratio
from benchmarks.sim.batches import CPU, MILLION, MODES
from benchmarks.sim.compiling import CompileTime
from tamaya.cli.grids import Grid
from tamaya.cli.league.report import count_cores

NAMES = ["players", "play", "mode"]
"""The headings of the first cells of a row."""
OPENSPIEL = "OpenSpiel"
ABOUT = "Moves per second. OpenSpiel's Python loop is measured on one core, and every ratio is against that figure."


def cpu_grid(rows: Iterable[Row]) -> Grid:
    """Each number of cores beside OpenSpiel, followed by the ratios."""
    groups = [list(group) for _, group in groupby((row for row in rows if row["device"] == CPU), _names)]
    counts = [count_cores(row["cores"]) for row in groups[0]] if groups else []
    grid: Grid = [[*NAMES, *counts, OPENSPIEL, *(f"{count} / {OPENSPIEL}" for count in counts)]]
    for group in groups:
        speeds, ratios = ([row[key] for row in group] for key in ("moves_per_s", "ratio"))
        grid.append([*_names(group[0]), *map(as_figure, [*speeds, group[0]["openspiel_moves_per_s"]]), *map(as_ratio, ratios)])
    return grid


def device_grid(rows: Iterable[Row]) -> Grid:
    """The device beside OpenSpiel and JaxMARL, and the share of its write bandwidth that it used."""
    theirs = "JaxMARL"
    grid: Grid = [
        [*NAMES, "device", OPENSPIEL, f"device / {OPENSPIEL}", theirs, f"device / {theirs}", "of its write bandwidth"]
    ]
    for row in rows:
        if row["device"] != CPU:
            grid.append(
                [
                    *_names(row),
                    *map(as_figure, (row["moves_per_s"], row["openspiel_moves_per_s"])),
                    as_ratio(row["ratio"]),
                    as_figure(row.get("jaxmarl_moves_per_s")),
                    as_ratio(row.get("jaxmarl_ratio")),
                    f"{row['bandwidth_fraction']:.0%}" if "bandwidth_fraction" in row else "",
                ]
            )
    return grid


def compile_grid(players: Sequence[int], waits: Sequence[Sequence[CompileTime]]) -> Grid:
    """The seconds for compiling and for loading from disk, for each number of players."""
    pairs = [[f"{count} players", f"{count} players, from disk"] for count in players]
    grid: Grid = [["loop", *(name for pair in pairs for name in pair)]]
    for loops in zip(*waits, strict=True):
        grid.append([loops[0].loop, *(f"{took:.2f}" for loop in loops for took in loop[1:])])
    totals = [sum(column) for loops in waits for column in list(zip(*loops, strict=True))[1:]]
    return [*grid, ["together", *(f"{total:.2f}" for total in totals)]]


def _names(row: Row) -> list[str]:
    return [str(row["players"]), row["play"], row["mode"]]


def cores_line(rows: Iterable[Row]) -> str:
    """The speed-up by more cores, by mode; empty if only one number of cores was measured."""
    speeds = {(*_names(row), row["cores"]): row["moves_per_s"] for row in rows if row["device"] == CPU}
    counts = sorted({key[-1] for key in speeds})
    if len(counts) < 2:
        return ""
    parts = []
    for mode in MODES:
        gains = [speed / speeds[*key, 1] for (*key, count), speed in speeds.items() if key[2] == mode and count == counts[-1]]
        parts.append(f"{mode} {min(gains):.2f} to {max(gains):.2f}")
    return f"{count_cores(counts[-1])} / {count_cores(1)}: {', '.join(parts)}."


def compile_line(compiled: Iterable[tuple[str, str, float, bool]]) -> str:
    """The compiler's total time in this run."""
    parts = []
    listed = list(compiled)
    for kept, word in ((False, "compiled in"), (True, "found on disk in")):
        took = [seconds for _, _, seconds, from_disk in listed if from_disk is kept]
        if took:
            parts.append(f"{len(took)} {word} {sum(took):.1f} s")
    return f"Loops made ready in this run: {', '.join(parts) or 'none'}."


def memory_line(held: int, most: int) -> str:
    """The memory of a million games."""
    return (
        f"{MILLION:,} games of 2 players hold {held / 1e6:.0f} MB without observations;"
        f" while they are dealt, {most / 1e6:.0f} MB at most."
    )
