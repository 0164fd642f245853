"""Measure policies on common deals: strength, cross-play, and plots of learning curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import cycle
from pathlib import Path
from string import digits
from typing import Any

import click
import torch

from tamaya.bots.learned.weights import weights_in
from tamaya.cli.league.plot import COLOURS, DPI, FAINT, INK, PAPER, style_panel
from tamaya.rules import Ending
from tamaya.sim.loops import MAX_TURNS
from tamaya.training.checkpoints import RunFolder
from tamaya.training.config import TrainingSettings
from tamaya.training.environment import build_games
from tamaya.training.export import as_floats
from tamaya.training.model import ActionScorer, Actor, Features, load_actor
from tamaya.training.rollouts import RolloutCollector

DEALS = 7_000_000_000
"""The seed of the deals on which policies are measured during training; training itself starts from other seeds."""


@dataclass(frozen=True)
class EvalResult:
    """The mean score of many games, its standard error, and the fractions of perfect and lost games."""

    games: int
    mean: float
    error: float
    perfect: float
    lost: float

    def __str__(self) -> str:
        figures = ", ".join(f"{name}={value!r}" for name, value in asdict(self).items())
        return f"Strength({figures})"

    def as_json(self) -> dict[str, float]:
        """Return the figures for a line of the curve."""
        return {"mean": round(self.mean, 4), "error": round(self.error, 4), "perfect": self.perfect, "lost": self.lost}


class Evaluator:
    """Plays the same games with each policy, always by its best actions."""

    def __init__(
        self, settings: TrainingSettings, score_actions: ActionScorer, device: str, games: int, seed: int = DEALS
    ) -> None:
        rules = settings.read_rules()
        self._games, self._seed, self._most = build_games(rules, games, seed, device), seed, rules.maximum
        features = Features(rules, settings.history, torch.device(device))
        self._collector = RolloutCollector(self._games, features, score_actions)

    def measure(self, seats: Sequence[ActionScorer] = ()) -> EvalResult:
        """Measure the current policy, or a team with a policy for each seat."""
        self._games.deal(self._seed)
        scores, endings = self._collector.play_greedily(MAX_TURNS, seats)
        points = scores.double()
        error = float(points.std() / len(points) ** 0.5)
        perfect, lost = (float(share.double().mean()) for share in (scores == self._most, endings >= Ending.MISTAKES))
        return EvalResult(len(points), float(points.mean()), error, perfect, lost)


@dataclass(frozen=True)
class Opponent:
    """A policy in cross-play: its name, its settings and its network."""

    name: str
    settings: TrainingSettings
    actor: Actor

    @classmethod
    def read(cls, path: Path, device: str) -> Opponent:
        """Load the policy of a run's folder, or of an exported file."""
        if path.is_file():
            weights = weights_in(path)
            written, numbers = weights.about.get("settings"), as_floats(weights)
            if not isinstance(written, dict):
                raise click.ClickException(f"{path} does not say by which settings it was trained; export it anew.")
        else:
            state = RunFolder(path).read()
            written, numbers = state["settings"], state["actor"]
        settings = TrainingSettings.from_json(written)
        return cls(path.name, settings, load_actor(numbers, settings, path).to(device))


def cross_play(opponents: Sequence[Opponent], deals: int, seed: int, device: str) -> list[list[EvalResult]]:
    """Measure each policy at the first seat with each at all other seats, on the same deals."""
    first = opponents[0]
    rules = first.settings.read_rules()
    if {(one.settings.read_rules(), one.settings.history) for one in opponents} != {(rules, first.settings.history)}:
        raise click.ClickException("Only policies for the same rules that look as far back can play together.")
    evaluator, others = Evaluator(first.settings, first.actor.score_actions, device, deals, seed), rules.players - 1
    return [
        [evaluator.measure([one.actor.score_actions, *[other.actor.score_actions] * others]) for other in opponents]
        for one in opponents
    ]


def as_table(opponents: Sequence[Opponent], found: Sequence[Sequence[EvalResult]]) -> str:
    """Format the means as a table in Markdown, with the means of self-play and of cross-play."""
    lines = ["| | " + " | ".join(opponent.name for opponent in opponents) + " |", "|---|" + "---:|" * len(opponents)]
    for opponent, row in zip(opponents, found, strict=True):
        lines.append(f"| {opponent.name} | " + " | ".join(f"{result.mean:.2f}" for result in row) + " |")
    alone = [found[place][place].mean for place in range(len(opponents))]
    others = [result.mean for one, row in enumerate(found) for other, result in enumerate(row) if one != other]
    among = f", with others {sum(others) / len(others):.2f}" if others else ""
    return "\n".join([*lines, "", f"With itself {sum(alone) / len(alone):.2f}{among}."])


SIZE = (10.5, 4.2)
BEGINNING = 0.1
"""The fraction of the moves that the second panel leaves out, so that small differences show."""
NORMAL_95 = 1.96
"""The standard errors on either side of a mean that hold 95 % of a normal distribution."""

Curve = Sequence[dict[str, Any]]
Curves = Sequence[tuple[str, Curve]]
"""Names of runs, each with its curve."""


def plot_curves(curves: Curves, path: Path) -> None:
    """Plot learning curves into a file. Runs whose names differ only in a trailing number have one colour."""
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
    picture.savefig(path, dpi=DPI)


def _without_beginning(curve: Curve) -> Curve:
    return [line for line in curve if line["moves"] >= BEGINNING * curve[-1]["moves"]]


def _draw_panel(panel: Any, title: str, curves: Curves) -> None:
    style_panel(panel, title)
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
    errors = [NORMAL_95 * line.get("error", 0.0) for line in curve]
    low, high = ([mean + side * error for mean, error in zip(means, errors, strict=True)] for side in (-1, 1))
    panel.fill_between(millions, low, high, color=colour, alpha=0.2, linewidth=0)
    panel.plot(millions, means, color=colour, linewidth=1.4, marker="." if len(curve) < 10 else "", label=label)
