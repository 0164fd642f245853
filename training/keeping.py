"""What a run leaves behind in its folder: where it stands, and the curve by which it learned."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import click
import torch

from training.learning import Learner
from training.settings import TrainingSettings

LARGEST = 16_000_000
"""The bytes that a file of a checkpoint may have."""
LEARNED, MOMENTS, CURVE = "learned.pt", "moments.pt", "curve.jsonl"
FIXED = ("rules", "width", "layers", "past")
"""The settings that make the shape of a network."""


class RunFolder:
    """The folder of a run."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def exists(self) -> bool:
        """Whether a run has been kept here."""
        return (self.path / LEARNED).exists()

    def keep(self, learner: Learner) -> None:
        """Write where the run stands; whatever happens meanwhile, what was kept before is there until this is."""
        moments = learner.optimizer.state_dict()
        moments["state"] = {place: _halved(state) for place, state in moments["state"].items()}
        self._write(MOMENTS, moments)
        self._write(LEARNED, learner.state())

    def keep_policy(self, state: dict[str, Any]) -> None:
        """Write a policy that plays but does not go on to learn: it has no critic."""
        self._write(LEARNED, state)

    def require_none(self) -> None:
        """Refuse where a run has been kept already."""
        if self.exists:
            raise click.ClickException(f"There is a training run in {self.path} already; choose another folder.")

    def _write(self, name: str, content: dict[str, Any]) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        new = self.path / f"{name}.new"
        torch.save(content, new)
        if (size := new.stat().st_size) > LARGEST:
            new.unlink()
            message = f"A checkpoint of {size} bytes is too large; {LARGEST} is the most. Choose a smaller width."
            raise click.ClickException(message)
        os.replace(new, self.path / name)

    def read(self) -> dict[str, Any]:
        """What was learned so far: numbers and settings, read without running anything."""
        if not self.exists:
            raise click.ClickException(f"There is no training run in {self.path}.")
        found: dict[str, Any] = torch.load(self.path / LEARNED, map_location="cpu", weights_only=True)
        return found

    def read_settings(self) -> TrainingSettings:
        """How the run was set."""
        return TrainingSettings.from_json(self.read()["settings"])

    def restore(self, learner: Learner) -> None:
        """Let a learner go on from here; without the optimiser's memory, which can be left behind, it learns anew what a large
        step is."""
        kept_settings, wanted = self.read_settings().as_json(), learner.settings.as_json()
        if changed := [name for name in FIXED if kept_settings[name] != wanted[name]]:
            was = ", ".join(f"{name}={kept_settings[name]}" for name in changed)
            raise click.ClickException(f"The run in {self.path} has {was}, which cannot be changed on its way.")
        state, moments = self.read(), self.path / MOMENTS
        if "critic" not in state:
            message = f"The policy in {self.path} imitates others, and cannot go on by playing itself: it has no critic."
            raise click.ClickException(f"{message} Choose another folder.")
        kept = torch.load(moments, map_location=learner.device, weights_only=True) if moments.exists() else None
        learner.restore(state, kept)

    def note(self, line: dict[str, Any]) -> None:
        """One more line of the curve."""
        self.path.mkdir(parents=True, exist_ok=True)
        with (self.path / CURVE).open("a") as curve:
            curve.write(json.dumps(line) + "\n")

    def curve(self) -> list[dict[str, Any]]:
        """All lines of the curve."""
        if not (self.path / CURVE).exists():
            return []
        return [json.loads(line) for line in (self.path / CURVE).read_text().splitlines()]


def _halved(state: dict[str, Any]) -> dict[str, Any]:
    """An optimiser's memory in half the room; its precision does not matter."""
    return {
        name: value.to(torch.bfloat16) if name.startswith("exp") and isinstance(value, torch.Tensor) else value
        for name, value in state.items()
    }
