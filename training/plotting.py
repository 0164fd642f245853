"""The picture of a run: how well its policy played after so many moves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tamaya.cli.league.plot import DOTS, FAINT, INK, PAPER, dress

SIZE = (10.5, 4.2)
LINE = "#c1121f"
BEGINNING = 0.1
"""The part of the moves that the second panel leaves out, by which it can show small differences."""
SURE = 1.96
"""Standard errors on either side of a mean between which it lies 19 times out of 20."""


def draw(curve: Sequence[dict[str, Any]], path: Path) -> None:
    """Write the picture; its file's ending says in which format."""
    from matplotlib.figure import Figure

    picture = Figure(figsize=SIZE, facecolor=PAPER)
    picture.set_layout_engine("constrained", h_pad=0.12, w_pad=0.12)
    whole, later = picture.subplots(1, 2)
    _draw(whole, "All of the run", curve)
    _draw(later, "The same without its beginning", [line for line in curve if line["moves"] >= BEGINNING * curve[-1]["moves"]])
    picture.suptitle("Mean score, always by the best action", color=INK, fontsize=14, fontweight="bold")
    picture.savefig(path, dpi=DOTS)


def _draw(panel: Any, title: str, curve: Sequence[dict[str, Any]]) -> None:
    dress(panel, title)
    millions = [line["moves"] / 1e6 for line in curve]
    means = [line["mean"] for line in curve]
    errors = [SURE * line["error"] for line in curve]
    low, high = ([mean + side * error for mean, error in zip(means, errors, strict=True)] for side in (-1, 1))
    panel.fill_between(millions, low, high, color=LINE, alpha=0.2, linewidth=0)
    panel.plot(millions, means, color=LINE, linewidth=1.6, marker="." if len(curve) < 3 else "")
    panel.set_xlabel("million moves", color=FAINT)
    panel.set_ylabel("points", color=FAINT)
