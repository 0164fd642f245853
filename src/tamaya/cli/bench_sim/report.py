"""Rows as people read them: tables for a terminal and for a page, and the sentences around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TypeAlias

from tamaya.cli.bench_sim.batches import CPU, MILLION
from tamaya.cli.bench_sim.machine import cores
from tamaya.cli.bench_sim.making import Wait
from tamaya.cli.bench_sim.measuring import MODES, Row

Table: TypeAlias = list[list[str]]
"""Lines of cells, the heading first; the first three cells of a line name it."""
NAMES = ["players", "play", "mode"]
OPENSPIEL = "OpenSpiel"
ABOUT = "Moves per second. OpenSpiel's Python loop is measured on one core, and every ratio is against that figure."


def cpu_table(rows: Iterable[Row]) -> Table:
    """Each number of cores beside OpenSpiel, the ratios behind."""
    groups = [list(group) for _, group in groupby((row for row in rows if row["device"] == CPU), _what)]
    counts = [cores(row["cores"]) for row in groups[0]] if groups else []
    table = [[*NAMES, *counts, OPENSPIEL, *(f"{count} / {OPENSPIEL}" for count in counts)]]
    for group in groups:
        speeds, ratios = ([row[key] for row in group] for key in ("moves_per_s", "ratio"))
        table.append([*_what(group[0]), *map(figure, [*speeds, group[0]["openspiel_moves_per_s"]]), *map(times, ratios)])
    return table


def card_table(rows: Iterable[Row]) -> Table:
    """The card beside OpenSpiel and JaxMARL, and how much of what it can write it has written."""
    theirs = "JaxMARL"
    table = [[*NAMES, "card", OPENSPIEL, f"card / {OPENSPIEL}", theirs, f"card / {theirs}", "of its write bandwidth"]]
    for row in rows:
        if row["device"] != CPU:
            table.append(
                [
                    *_what(row),
                    *map(figure, (row["moves_per_s"], row["openspiel_moves_per_s"])),
                    times(row["ratio"]),
                    figure(row.get("jaxmarl_moves_per_s")),
                    times(row.get("jaxmarl_ratio")),
                    f"{row['bandwidth_fraction']:.0%}" if "bandwidth_fraction" in row else "",
                ]
            )
    return table


def wait_table(players: Sequence[int], waits: Sequence[Sequence[Wait]]) -> Table:
    """How long compiling takes, and finding it on disk, in seconds, for each number of players."""
    pairs = [[f"{count} players", f"{count} players, from disk"] for count in players]
    table = [["loop", *(name for pair in pairs for name in pair)]]
    for loops in zip(*waits, strict=True):
        table.append([loops[0].loop, *(f"{took:.2f}" for loop in loops for took in loop[1:])])
    totals = [sum(column) for loops in waits for column in list(zip(*loops, strict=True))[1:]]
    return [*table, ["together", *(f"{total:.2f}" for total in totals)]]


def _what(row: Row) -> list[str]:
    return [str(row["players"]), row["play"], row["mode"]]


def figure(number: float | None) -> str:
    """A number with three digits that count; nothing where there is none."""
    if number is None:
        return ""
    digits = max(len(str(round(number))) - 3, 0)
    return f"{round(number, -digits):,.0f}"


def times(ratio: float | None) -> str:
    """A ratio with two or three digits."""
    return "" if ratio is None else f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.1f}"


def as_text(table: Table, named: int = len(NAMES)) -> str:
    """The table for a terminal, numbers to the right; so many cells name a line."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place < named else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in table
    )


def as_markdown(table: Table) -> str:
    """The table for a page."""
    rule = ["---" if name in (*NAMES, "loop") else "---:" for name in table[0]]
    return "\n".join(f"| {' | '.join(line)} |" for line in (table[0], rule, *table[1:]))


def cores_line(rows: Iterable[Row]) -> str:
    """What more cores bring, by mode; nothing where only one was measured."""
    speeds = {(*_what(row), row["cores"]): row["moves_per_s"] for row in rows if row["device"] == CPU}
    counts = sorted({key[-1] for key in speeds})
    if len(counts) < 2:
        return ""
    parts = []
    for mode in MODES:
        gains = [speed / speeds[*key, 1] for (*key, count), speed in speeds.items() if key[2] == mode and count == counts[-1]]
        parts.append(f"{mode} {min(gains):.2f} to {max(gains):.2f}")
    return f"{cores(counts[-1])} / {cores(1)}: {', '.join(parts)}."


def making_line(made: Iterable[tuple[str, str, float, bool]]) -> str:
    """How long the compiler took in this run."""
    parts = []
    listed = list(made)
    for kept, word in ((False, "compiled in"), (True, "found on disk in")):
        took = [seconds for _, _, seconds, from_disk in listed if from_disk is kept]
        if took:
            parts.append(f"{len(took)} {word} {sum(took):.1f} s")
    return f"Loops made ready in this run: {', '.join(parts) or 'none'}."


def memory_line(held: int, most: int) -> str:
    """What a million games take."""
    return (
        f"{MILLION:,} games of 2 players hold {held / 1e6:.0f} MB without observations;"
        f" while they are dealt, {most / 1e6:.0f} MB at most."
    )
