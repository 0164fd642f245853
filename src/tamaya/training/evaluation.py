"""How well a policy plays, always by its best action, on deals that are the same for all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from string import digits
from typing import Any

import click
import torch

from tamaya.bots.learned.weights import weights_in
from tamaya.cli.league.plot import COLOURS, DOTS, FAINT, INK, PAPER, dress
from tamaya.rules import Ending
from tamaya.sim.team import MOST_TURNS
from tamaya.training.checkpoints import RunFolder
from tamaya.training.config import TrainingSettings
from tamaya.training.environment import make_games
from tamaya.training.export import as_floats
from tamaya.training.model import Actor, Features, Judge, actor_with
from tamaya.training.rollouts import RolloutCollector

DEALS = 7_000_000_000
"""The seed of the deals on which policies are measured while they learn; training begins with other seeds."""


@dataclass(frozen=True)
class Strength:
    """What many games came to, by the rules of the run."""

    games: int
    mean: float
    error: float
    perfect: float
    lost: float

    def as_json(self) -> dict[str, float]:
        """For a line of the curve."""
        return {"mean": round(self.mean, 4), "error": round(self.error, 4), "perfect": self.perfect, "lost": self.lost}


class Examiner:
    """Lets a policy play games, which it keeps at hand."""

    def __init__(self, settings: TrainingSettings, judge: Judge, device: str, games: int, seed: int = DEALS) -> None:
        rules = settings.read_rules()
        self._games, self._seed, self._most = make_games(rules, games, seed, device), seed, rules.maximum
        self._players = RolloutCollector(self._games, Features(rules, settings.past, torch.device(device)), judge)

    def measure(self, seats: Sequence[Judge] = ()) -> Strength:
        """The strength of the policy as it is now, or of those that sit at each of the seats."""
        self._games.deal(self._seed)
        scores, endings = self._players.play_greedily(MOST_TURNS, seats)
        points = scores.double()
        error = float(points.std() / len(points) ** 0.5)
        perfect, lost = (float(share.double().mean()) for share in (scores == self._most, endings >= Ending.MISTAKES))
        return Strength(len(points), float(points.mean()), error, perfect, lost)


@dataclass(frozen=True)
class Guest:
    """A policy that meets others: its name, how its run was set, and its network."""

    name: str
    settings: TrainingSettings
    actor: Actor

    @classmethod
    def read(cls, path: Path, device: str) -> Guest:
        """The policy of a run's folder, or of a file that was exported."""
        if path.is_file():
            weights = weights_in(path)
            written, numbers = weights.about.get("settings"), as_floats(weights)
            if not isinstance(written, dict):
                raise click.ClickException(f"{path} does not say by which settings it was trained; export it anew.")
        else:
            state = RunFolder(path).read()
            written, numbers = state["settings"], state["actor"]
        settings = TrainingSettings.from_json(written)
        return cls(path.name, settings, actor_with(numbers, settings, path).to(device))


def cross(guests: Sequence[Guest], deals: int, seed: int, device: str) -> list[list[Strength]]:
    """What each policy, at the first seat, makes of the same deals with each of them at all others."""
    first = guests[0]
    rules = first.settings.read_rules()
    if any((guest.settings.read_rules(), guest.settings.past) != (rules, first.settings.past) for guest in guests):
        raise click.ClickException("Only policies for the same rules that look as far back can play together.")
    examiner, others = Examiner(first.settings, first.actor.judge, device, deals, seed), rules.players - 1
    return [[examiner.measure([one.actor.judge, *[other.actor.judge] * others]) for other in guests] for one in guests]


def as_table(guests: Sequence[Guest], found: Sequence[Sequence[Strength]]) -> str:
    """The means as a table in Markdown, and what comes of all: with itself, and with others."""
    lines = ["| | " + " | ".join(guest.name for guest in guests) + " |", "|---|" + "---:|" * len(guests)]
    for guest, row in zip(guests, found, strict=True):
        lines.append(f"| {guest.name} | " + " | ".join(f"{strength.mean:.2f}" for strength in row) + " |")
    alone = [found[place][place].mean for place in range(len(guests))]
    others = [strength.mean for one, row in enumerate(found) for other, strength in enumerate(row) if one != other]
    among = f", with others {sum(others) / len(others):.2f}" if others else ""
    return "\n".join([*lines, "", f"With itself {sum(alone) / len(alone):.2f}{among}."])


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
    _draw_panel(whole, "From the beginning", curves)
    _draw_panel(later, "Without the beginning", [(name, _without_beginning(curve)) for name, curve in curves])
    picture.suptitle("Mean score, always by the best action", color=INK, fontsize=14, fontweight="bold")
    if len(curves) > 1:
        labels = whole.get_legend_handles_labels()
        picture.legend(*labels, loc="outside lower center", ncols=6, frameon=False, labelcolor=INK)
    picture.savefig(path, dpi=DOTS)


def _without_beginning(curve: Curve) -> Curve:
    return [line for line in curve if line["moves"] >= BEGINNING * curve[-1]["moves"]]


def _draw_panel(panel: Any, title: str, curves: Curves) -> None:
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
