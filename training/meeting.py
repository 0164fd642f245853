"""Cross-play: how policies do with partners that they have not learned with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import torch
from torch import Tensor

from tamaya.bots.learned.weights import weights_in
from tamaya.rules import TamayaError
from training.exporting import as_floats
from training.keeping import RunFolder
from training.measuring import Examiner, Strength
from training.network import Actor
from training.settings import TrainingSettings


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
            try:
                weights = weights_in(path)
            except TamayaError as problem:
                raise click.ClickException(str(problem)) from problem
            if not isinstance(weights.about.get("settings"), dict):
                raise click.ClickException(f"{path} does not say by which settings it was trained; export it anew.")
            settings, numbers = TrainingSettings.from_json(weights.about["settings"]), as_floats(weights)
        else:
            run = RunFolder(path)
            settings, numbers = run.read_settings(), run.read()["actor"]
        return cls(path.name, settings, _actor(numbers, settings.layers).to(device))

    def judge(self, rows: Tensor) -> Tensor:
        """What each action is worth to it."""
        with torch.no_grad():
            found: Tensor = self.actor(rows)
        return found


def _actor(numbers: dict[str, Any], layers: int) -> Actor:
    (width, cells), (actions, _) = numbers["hidden.0.weight"].shape, numbers["out.weight"].shape
    actor = Actor(cells, width, layers, actions)
    actor.load_state_dict(numbers)
    return actor


def cross(guests: Sequence[Guest], deals: int, seed: int, device: str) -> list[list[Strength]]:
    """What each policy, at the first seat, makes of the same deals with each of them at all others."""
    first = guests[0].settings
    if any((guest.settings.rules, guest.settings.past) != (first.rules, first.past) for guest in guests):
        raise click.ClickException("Only policies for the same rules that look as far back can play together.")
    rules = first.read_rules()
    examiner = Examiner(rules, first.past, guests[0].judge, device, deals, seed)
    return [
        [examiner.measure([one.judge, *[other.judge] * (rules.players - 1)]) for other in guests] for one in guests
    ]  # fmt: skip


def as_table(guests: Sequence[Guest], found: Sequence[Sequence[Strength]]) -> str:
    """The means as a table in Markdown, and what comes of all: with itself, and with others."""
    lines = ["| | " + " | ".join(guest.name for guest in guests) + " |", "|---|" + "---:|" * len(guests)]
    for guest, row in zip(guests, found, strict=True):
        lines.append(f"| {guest.name} | " + " | ".join(f"{strength.mean:.2f}" for strength in row) + " |")
    alone = [found[place][place].mean for place in range(len(guests))]
    others = [strength.mean for one, row in enumerate(found) for other, strength in enumerate(row) if one != other]
    among = f", with others {sum(others) / len(others):.2f}" if others else ""
    return "\n".join([*lines, "", f"With itself {sum(alone) / len(alone):.2f}{among}."])
