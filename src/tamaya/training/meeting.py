"""Cross-play: how policies do with partners that they have not learned with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from tamaya.bots.learned.weights import weights_in
from tamaya.training.exporting import as_floats
from tamaya.training.keeping import RunFolder
from tamaya.training.measuring import Examiner, Strength
from tamaya.training.network import Actor, actor_with
from tamaya.training.settings import TrainingSettings


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
