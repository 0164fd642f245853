"""Plot of moves per second by the number of players, on a logarithmic scale."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.measuring import Row
from benchmarks.sim.batches import CPU
from tamaya.cli.league.plot import BAR_GROUP_WIDTH, DPI, FAINT, INK, PAPER, style_panel
from tamaya.cli.league.report import count_cores
from tamaya.rules.errors import require

MODES = {"raw": "moves alone", "canonical": "the mover's observation after every move"}
PLAYS = {"random": "Random play", "long": "Long games"}
COLOURS = {"OpenSpiel": "#76809a", "JaxMARL": "#a0714f"}
OURS = ("#d9690f", "#c1121f", "#3a0ca3", "#2a9d8f")
"""Colours of one core, all cores, and devices."""
SIZE = (10.5, 8)
TEXT = {"rotation": 90, "color": PAPER, "fontsize": 8.5, "ha": "center", "va": "top", "weight": "bold"}
UNITS = ((1e9, " G"), (1e6, " M"), (1e3, " k"))
MIN_VALUE = 1e3
"""The value at which bars begin."""


class Contender(NamedTuple):
    """One contender: its name, and its figures by number of players."""

    name: str
    figures: Mapping[int, float]


def contenders(rows: Iterable[Row], mode: str, play: str) -> list[Contender]:
    """The contenders of a panel: others first, then ours in the order of the rows."""
    found: dict[str, dict[int, float]] = {}
    for row in rows:
        if (row["mode"], row["play"]) == (mode, play):
            ours = f"Tamaya, {count_cores(row['cores'])}" if row["device"] == CPU else f"Tamaya, {row['device']}"
            figures = {
                "OpenSpiel": row["openspiel_moves_per_s"],
                "JaxMARL": row.get("jaxmarl_moves_per_s"),
                ours: row["moves_per_s"],
            }
            for name, figure in figures.items():
                if figure:
                    found.setdefault(name, {}).setdefault(row["players"], figure)
    return sorted((Contender(*item) for item in found.items()), key=lambda side: side.name not in COLOURS)


def draw(rows: Sequence[Row], path: Path, machine: str) -> None:
    """Write the plot; the file's suffix decides the format."""
    require("matplotlib", "plots")
    from matplotlib.figure import Figure

    player_counts = sorted({row["players"] for row in rows})
    all_names = [side.name for mode in MODES for side in contenders(rows, mode, "random")]
    ours = [name for name in dict.fromkeys(all_names) if name not in COLOURS]
    colours = COLOURS | dict(zip(ours, cycle(OURS), strict=False))
    picture = Figure(figsize=SIZE, facecolor=PAPER)
    picture.set_layout_engine("constrained", h_pad=0.12, w_pad=0.12, hspace=0.03)
    panels = picture.subplots(len(PLAYS), len(MODES), sharey=True, squeeze=False)
    for across, (play, kind) in zip(panels, PLAYS.items(), strict=True):
        for panel, (mode, seen) in zip(across, MODES.items(), strict=True):
            _label(panel, f"{kind}: {seen}", player_counts)
            _draw(panel, contenders(rows, mode, play), colours, player_counts)
    panels[0, 0].set_ylim(MIN_VALUE)
    picture.suptitle("Hanabi: moves per second, each line ten times the one below", color=INK, fontsize=14, fontweight="bold")
    marks = {name: bar for panel in panels.flat for bar, name in zip(*panel.get_legend_handles_labels(), strict=True)}
    order = [name for name in (*COLOURS, *ours) if name in marks]
    picture.legend(
        [marks[name] for name in order], order, loc="outside lower center", ncols=len(order), frameon=False, labelcolor=INK,
        title=machine, title_fontproperties={"size": 8.5}, fontsize=10.5,
    ).get_title().set_color(FAINT)  # fmt: skip
    picture.savefig(path, dpi=DPI)


def _label(panel: Any, title: str, player_counts: Sequence[int]) -> None:
    style_panel(panel, title)
    panel.set_yscale("log")
    panel.set_xticks(range(len(player_counts)), [f"{players} players" for players in player_counts])
    panel.yaxis.set_major_formatter(lambda number, _: _rounded(number))
    panel.tick_params(labelleft=True)
    panel.minorticks_off()


def _draw(panel: Any, drawn: Sequence[Contender], colours: Mapping[str, str], player_counts: Sequence[int]) -> None:
    width = BAR_GROUP_WIDTH / max(len(drawn), 1)
    for place, side in enumerate(drawn):
        middles = [player_counts.index(players) + (place + 0.5) * width - BAR_GROUP_WIDTH / 2 for players in side.figures]
        figures = list(side.figures.values())
        panel.bar(middles, figures, 0.92 * width, color=colours[side.name], label=side.name)
        for middle, figure in zip(middles, figures, strict=True):
            panel.text(middle, figure, f"{_rounded(figure)} ", TEXT)


def _rounded(number: float) -> str:
    size, unit = next((unit for unit in UNITS if number >= unit[0]), (1.0, ""))
    return f"{float(f'{number / size:.3g}'):g}{unit}"
