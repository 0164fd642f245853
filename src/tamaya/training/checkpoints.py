"""The folder of a training run: its checkpoint and its learning curve."""

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
from tamaya.training.model import Features, build_networks
from tamaya.training.ppo import Learner

MAX_FILE_BYTES = 16_000_000
"""The largest checkpoint file, in bytes."""
TENSOR_OVERHEAD = 1024
"""The most bytes of a file per tensor, apart from its numbers."""
POLICY_FILE, OPTIMIZER_FILE, CURVE_FILE = "learned.pt", "moments.pt", "curve.jsonl"
FIXED = ("rules", "width", "layers", "past")
"""The settings that fix the shape of the networks, by their saved names."""

KEYS: dict[str, type] = {"settings": dict, "moves": int, "rate": float, "actor": dict}
"""The keys of every checkpoint."""
PART_KEYS: dict[str, type] = {"settings": dict, "updates": int}
"""The keys of each part of its history; a part ends where settings changed."""


class RunFolder:
    """The folder of a run. Files are replaced atomically: after a crash the previous ones are there."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def exists(self) -> bool:
        """Whether the folder holds a checkpoint."""
        return (self.path / POLICY_FILE).exists()

    def check_size(self, settings: TrainingSettings, critic: bool = True) -> None:
        """Refuse settings whose checkpoint would be too large, before training starts."""
        features = Features(settings.read_rules(), settings.history, torch.device("cpu"))
        with torch.device("meta"):  # allocates nothing
            networks = build_networks(settings, features)[: 1 + critic]
        _check_bytes(sum(4 * weights.numel() + TENSOR_OVERHEAD for network in networks for weights in network.parameters()))

    def make(self) -> None:
        """Create the folder if it is missing."""
        self.path.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Create the folder and lock it against other runs, where the system supports it."""
        self.make()
        folder = _lock(self.path)
        try:
            yield
        finally:
            if folder is not None:
                os.close(folder)

    def save(self, learner: Learner) -> None:
        """Write a checkpoint."""
        if learner.has_diverged:
            raise _diverged()
        moments = learner.optimizer.state_dict()
        moments["state"] = {place: _as_bfloat16(state) for place, state in moments["state"].items()}
        files = {OPTIMIZER_FILE: _serialise(moments), POLICY_FILE: _serialise(learner.state())}
        for name, content in files.items():
            self._write(name, content)

    def save_policy(self, state: dict[str, Any]) -> None:
        """Write a policy that plays but cannot be trained further: it has no critic."""
        self._write(POLICY_FILE, _serialise(state))

    def check_unused(self) -> None:
        """Refuse a folder that holds a run."""
        if self.exists:
            raise click.ClickException(f"There is a training run in {self.path} already; choose another folder.")

    def _write(self, name: str, content: bytes) -> None:
        self.make()
        new = self.path / f"{name}.new"
        new.write_bytes(content)
        os.replace(new, self.path / name)

    def read(self) -> dict[str, Any]:
        """Read and validate the checkpoint, without its optimiser. Tensors and plain values are unpickled, no code."""
        if not self.exists:
            raise click.ClickException(f"There is no training run in {self.path}.")
        found: dict[str, Any] = self._load(POLICY_FILE, "cpu")
        if not _has_keys(found, KEYS):
            raise self._unreadable(POLICY_FILE)
        history = found.setdefault("history", _missing_history(found))
        if not (isinstance(history, list) and all(_has_keys(part, PART_KEYS) for part in history)):
            raise self._unreadable(POLICY_FILE)
        if not all(isinstance(weights, torch.Tensor) for weights in found["actor"].values()):
            raise self._unreadable(POLICY_FILE)
        return found

    def read_settings(self) -> TrainingSettings:
        """Read the settings of the run."""
        return TrainingSettings.from_json(self.read()["settings"])

    def _load(self, name: str, device: object) -> Any:
        try:
            return torch.load(self.path / name, map_location=device, weights_only=True)
        except OSError:
            raise
        except Exception as problem:  # a damaged file fails in many ways
            raise self._unreadable(name) from problem

    def _unreadable(self, name: str) -> click.ClickException:
        advice = " Without it, the run goes on as well." if name == OPTIMIZER_FILE else ""
        return click.ClickException(f"{self.path / name} cannot be read as a run.{advice}")

    def restore(self, learner: Learner) -> None:
        """Restore a learner from the checkpoint. Without the optimiser's file, the moments start afresh."""
        state, moments = self.read(), self.path / OPTIMIZER_FILE
        saved, wanted = TrainingSettings.from_json(state["settings"]).as_json(), learner.settings.as_json()
        if changed := [name for name in FIXED if saved[name] != wanted[name]]:
            was = ", ".join(f"{name}={saved[name]}" for name in changed)
            raise click.ClickException(f"The run in {self.path} has {was}, which cannot be changed on its way.")
        if "critic" not in state:
            message = f"The policy in {self.path} imitates others, and cannot go on by playing itself: it has no critic."
            raise click.ClickException(f"{message} Choose another folder.")
        optimizer = self._load(OPTIMIZER_FILE, learner.device) if moments.exists() else None
        try:
            learner.restore(state, optimizer)
        except (RuntimeError, ValueError, LookupError, TypeError, AttributeError) as problem:
            raise click.ClickException(f"The files in {self.path} cannot be read as a run.") from problem

    def append_curve(self, line: dict[str, Any]) -> None:
        """Append a line to the curve."""
        try:
            written = json.dumps(line, allow_nan=False)
        except ValueError as problem:
            raise _diverged() from problem
        self._write(CURVE_FILE, "".join(f"{each}\n" for each in [*self._lines(), written]).encode())

    def _lines(self) -> list[str]:
        if not (self.path / CURVE_FILE).exists():
            return []
        text = (self.path / CURVE_FILE).read_text("utf-8", "replace")
        return text[: text.rfind("\n") + 1].splitlines()

    def curve(self) -> list[dict[str, Any]]:
        """Read the curve."""
        try:
            lines = [json.loads(line) for line in self._lines()]
        except ValueError as problem:
            raise self._unreadable(CURVE_FILE) from problem
        if not all(map(_is_line, lines)):
            raise self._unreadable(CURVE_FILE)
        return lines


def _lock(path: Path) -> int | None:
    """Open and lock a folder; return its descriptor, or None if the system cannot lock."""
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
    """Whether a value has the numbers of a line of the curve that are used."""
    if not isinstance(line, dict):
        return False
    numbers = line.get("moves"), line.get("mean"), line.get("seconds", 0), line.get("error", 0)
    return all(type(number) in (int, float) for number in numbers)


def _missing_history(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the history of a run that was saved before histories existed; an imitation has none."""
    if "critic" not in found:
        return []
    settings = TrainingSettings.from_json(found["settings"])
    return [{"settings": found["settings"], "updates": found["moves"] // settings.moves_per_update}]


def _has_keys(found: object, keys: dict[str, type]) -> bool:
    return isinstance(found, dict) and all(isinstance(found.get(name), kind) for name, kind in keys.items())


def _serialise(content: dict[str, Any]) -> bytes:
    file = BytesIO()
    torch.save(content, file)
    _check_bytes(file.tell())
    return file.getvalue()


def _check_bytes(size: int) -> None:
    if size > MAX_FILE_BYTES:
        message = f"A checkpoint of {size} bytes is too large; {MAX_FILE_BYTES} is the most."
        raise click.ClickException(f"{message} Choose a smaller width or past, or fewer layers.")


def _diverged() -> click.ClickException:
    message = "The run has diverged: what it learns is no numbers any more. What was kept before stays as it was."
    return click.ClickException(f"{message} Choose a smaller rate.")


def _as_bfloat16(state: dict[str, Any]) -> dict[str, Any]:
    """Return the optimiser's moments in bfloat16; their precision does not matter."""
    return {
        name: value.to(torch.bfloat16) if name.startswith("exp") and isinstance(value, torch.Tensor) else value
        for name, value in state.items()
    }
