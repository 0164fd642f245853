"""The picture of runs: how well their policies played after so many moves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from string import digits
from typing import Any

import click

from tamaya.cli.league.plot import COLOURS, DOTS, FAINT, INK, PAPER, dress

SIZE = (10.5, 4.2)
BEGINNING = 0.1
"""The part of the moves that the second panel leaves out, by which it can show small differences."""
SURE = 1.96
"""Standard errors on either side of a mean between which it lies 19 times out of 20."""

Curve = Sequence[dict[str, Any]]
Curves = Sequence[tuple[str, Curve]]
"""The curves of runs, with their names."""


def draw(curves: Curves, path: Path) -> None:
    """Write the picture of runs; its file's ending says in which format. Those whose names differ in the number at their end
    alone, such as seeds of one recipe, have one colour."""
    from matplotlib.backend_bases import FigureCanvasBase
    from matplotlib.figure import Figure

    formats = FigureCanvasBase.get_supported_filetypes()
    if path.suffix.removeprefix(".").lower() not in formats:
        raise click.ClickException(f"{path.name} must end with the name of a format: {', '.join(sorted(formats))}.")
    picture = Figure(figsize=SIZE, facecolor=PAPER)
    picture.set_layout_engine("constrained", h_pad=0.12, w_pad=0.12)
    whole, later = picture.subplots(1, 2)
    _draw(whole, "From the beginning", curves)
    _draw(later, "Without the beginning", [(name, _without_beginning(curve)) for name, curve in curves])
    picture.suptitle("Mean score, always by the best action", color=INK, fontsize=14, fontweight="bold")
    if len(curves) > 1:
        labels = whole.get_legend_handles_labels()
        picture.legend(*labels, loc="outside lower center", ncols=6, frameon=False, labelcolor=INK)
    picture.savefig(path, dpi=DOTS)


def _without_beginning(curve: Curve) -> Curve:
    return [line for line in curve if line["moves"] >= BEGINNING * curve[-1]["moves"]]


def _draw(panel: Any, title: str, curves: Curves) -> None:
    dress(panel, title)
    kinds = dict.fromkeys(_kind(name) for name, _ in curves)
    colours, unnamed = dict(zip(kinds, cycle(COLOURS), strict=False)), set(kinds)
    for name, curve in curves:
        kind = _kind(name)
        _draw_one(panel, curve, colours[kind], kind if kind in unnamed else None)
        unnamed.discard(kind)
    panel.set_xlabel("million moves", color=FAINT)
    panel.set_ylabel("points", color=FAINT)


def _kind(name: str) -> str:
    return name.rstrip(digits) or name


def _draw_one(panel: Any, curve: Curve, colour: str, label: str | None) -> None:
    millions = [line["moves"] / 1e6 for line in curve]
    means = [line["mean"] for line in curve]
    errors = [SURE * line.get("error", 0.0) for line in curve]
    low, high = ([mean + side * error for mean, error in zip(means, errors, strict=True)] for side in (-1, 1))
    panel.fill_between(millions, low, high, color=colour, alpha=0.2, linewidth=0)
    panel.plot(millions, means, color=colour, linewidth=1.4, marker="." if len(curve) < 10 else "", label=label)
