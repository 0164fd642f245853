"""What a run leaves behind in its folder: where it stands, and the curve by which it learned."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import click
import torch

from tamaya.training.config import TrainingSettings
from tamaya.training.model import Features, networks_for
from tamaya.training.ppo import Learner

LARGEST = 16_000_000
"""The bytes that a file of a checkpoint may have."""
BESIDE = 1024
"""Bytes that a file needs for each tensor beside its numbers, at most."""
LEARNED, MOMENTS, CURVE = "learned.pt", "moments.pt", "curve.jsonl"
FIXED = ("rules", "width", "layers", "past")
"""The settings that make the shape of a network."""

NEEDED: dict[str, type] = {"settings": dict, "moves": int, "rate": float, "actor": dict}
"""What every checkpoint holds."""
PART: dict[str, type] = {"settings": dict, "updates": int}
"""What it says of each part of a run, if settings were changed on its way."""


class RunFolder:
    """The folder of a run. Files are replaced as a whole: whatever happens meanwhile, what was kept before is there until
    something else is."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def exists(self) -> bool:
        """Whether a run has been kept here."""
        return (self.path / LEARNED).exists()

    def require_room(self, settings: TrainingSettings, critic: bool = True) -> None:
        """Refuse a run that could not be kept, before anything is learned."""
        features = Features(settings.read_rules(), settings.past, torch.device("cpu"))
        with torch.device("meta"):  # it is the sizes that are wanted
            networks = networks_for(settings, features)[: 1 + critic]
        _require_small(sum(4 * weights.numel() + BESIDE for network in networks for weights in network.parameters()))

    def make(self) -> None:
        """Make the folder, unless it is there."""
        self.path.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Make the folder, and keep other runs off it for a while, where the system can."""
        self.make()
        folder = _locked(self.path)
        try:
            yield
        finally:
            if folder is not None:
                os.close(folder)

    def keep(self, learner: Learner) -> None:
        """Write where the run stands."""
        if learner.has_diverged:
            raise _diverged()
        moments = learner.optimizer.state_dict()
        moments["state"] = {place: _halved(state) for place, state in moments["state"].items()}
        files = {MOMENTS: _packed(moments), LEARNED: _packed(learner.state())}
        for name, content in files.items():
            self._write(name, content)

    def keep_policy(self, state: dict[str, Any]) -> None:
        """Write a policy that plays but does not go on to learn: it has no critic."""
        self._write(LEARNED, _packed(state))

    def require_none(self) -> None:
        """Refuse where a run has been kept already."""
        if self.exists:
            raise click.ClickException(f"There is a training run in {self.path} already; choose another folder.")

    def _write(self, name: str, content: bytes) -> None:
        self.make()
        new = self.path / f"{name}.new"
        new.write_bytes(content)
        os.replace(new, self.path / name)

    def read(self) -> dict[str, Any]:
        """What was learned so far: numbers and settings, read without running anything."""
        if not self.exists:
            raise click.ClickException(f"There is no training run in {self.path}.")
        found: dict[str, Any] = self._unpack(LEARNED, "cpu")
        if not _holds(found, NEEDED):
            raise self._unreadable(LEARNED)
        history = found.setdefault("history", _history_of(found))
        if not (isinstance(history, list) and all(_holds(part, PART) for part in history)):
            raise self._unreadable(LEARNED)
        if not all(isinstance(weights, torch.Tensor) for weights in found["actor"].values()):
            raise self._unreadable(LEARNED)
        return found

    def read_settings(self) -> TrainingSettings:
        """How the run was set."""
        return TrainingSettings.from_json(self.read()["settings"])

    def _unpack(self, name: str, device: object) -> Any:
        try:
            return torch.load(self.path / name, map_location=device, weights_only=True)
        except OSError:
            raise
        except Exception as problem:  # a damaged file fails in a dozen ways
            raise self._unreadable(name) from problem

    def _unreadable(self, name: str) -> click.ClickException:
        advice = " Without it, the run goes on as well." if name == MOMENTS else ""
        return click.ClickException(f"{self.path / name} cannot be read as a run.{advice}")

    def restore(self, learner: Learner) -> None:
        """Let a learner go on from here; without the optimiser's memory, which can be left behind, it learns anew what a large
        step is."""
        state, moments = self.read(), self.path / MOMENTS
        kept_settings, wanted = TrainingSettings.from_json(state["settings"]).as_json(), learner.settings.as_json()
        if changed := [name for name in FIXED if kept_settings[name] != wanted[name]]:
            was = ", ".join(f"{name}={kept_settings[name]}" for name in changed)
            raise click.ClickException(f"The run in {self.path} has {was}, which cannot be changed on its way.")
        if "critic" not in state:
            message = f"The policy in {self.path} imitates others, and cannot go on by playing itself: it has no critic."
            raise click.ClickException(f"{message} Choose another folder.")
        kept = self._unpack(MOMENTS, learner.device) if moments.exists() else None
        try:
            learner.restore(state, kept)
        except (RuntimeError, ValueError, LookupError, TypeError, AttributeError) as problem:
            raise click.ClickException(f"The files in {self.path} cannot be read as a run.") from problem

    def note(self, line: dict[str, Any]) -> None:
        """One more line of the curve."""
        try:
            written = json.dumps(line, allow_nan=False)
        except ValueError as problem:
            raise _diverged() from problem
        self._write(CURVE, "".join(f"{each}\n" for each in [*self._lines(), written]).encode())

    def _lines(self) -> list[str]:
        """The lines of the curve that were written to their ends."""
        if not (self.path / CURVE).exists():
            return []
        text = (self.path / CURVE).read_text("utf-8", "replace")
        return text[: text.rfind("\n") + 1].splitlines()

    def curve(self) -> list[dict[str, Any]]:
        """All lines of the curve."""
        try:
            lines = [json.loads(line) for line in self._lines()]
        except ValueError as problem:
            raise self._unreadable(CURVE) from problem
        if not all(map(_is_line, lines)):
            raise self._unreadable(CURVE)
        return lines


def _locked(path: Path) -> int | None:
    """A folder as the system has it open, for this program alone; nothing where the system cannot do that."""
    try:
        import fcntl
    except ImportError:
        return None
    folder = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as problem:
        os.close(folder)
        if not isinstance(problem, BlockingIOError):
            return None
        message = f"Another run is learning in {path}; wait for its end, or choose another folder."
        raise click.ClickException(message) from None
    return folder


def _is_line(line: object) -> bool:
    """Whether this is a line of a curve, as far as anything depends on what it says."""
    if not isinstance(line, dict):
        return False
    numbers = line.get("moves"), line.get("mean"), line.get("seconds", 0), line.get("error", 0)
    return all(type(number) in (int, float) for number in numbers)


def _history_of(found: dict[str, Any]) -> list[dict[str, Any]]:
    """The history of a run that was kept before there was one; an imitation has none."""
    if "critic" not in found:
        return []
    settings = TrainingSettings.from_json(found["settings"])
    return [{"settings": found["settings"], "updates": found["moves"] // settings.moves_an_update}]


def _holds(found: object, needed: dict[str, type]) -> bool:
    """Whether something that was read has what is needed."""
    return isinstance(found, dict) and all(isinstance(found.get(name), kind) for name, kind in needed.items())


def _packed(content: dict[str, Any]) -> bytes:
    """The bytes of a file."""
    file = BytesIO()
    torch.save(content, file)
    _require_small(file.tell())
    return file.getvalue()


def _require_small(size: int) -> None:
    if size > LARGEST:
        message = f"A checkpoint of {size} bytes is too large; {LARGEST} is the most."
        raise click.ClickException(f"{message} Choose a smaller width or past, or fewer layers.")


def _diverged() -> click.ClickException:
    message = "The run has diverged: what it learns is no numbers any more. What was kept before stays as it was."
    return click.ClickException(f"{message} Choose a smaller rate.")


def _halved(state: dict[str, Any]) -> dict[str, Any]:
    """An optimiser's memory in half the room; its precision does not matter."""
    return {
        name: value.to(torch.bfloat16) if name.startswith("exp") and isinstance(value, torch.Tensor) else value
        for name, value in state.items()
    }
