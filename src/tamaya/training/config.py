"""Settings of a training run, their schedule, and their spelling on the command line (``--set NAME=VALUE``)."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

import click

from tamaya.rules import Rules, read_rules

LAST_SEED = 2**62
"""The largest seed of a run: numbers added to it during the run must leave a valid seed."""

SMALLEST = 1e-12
SAVED_NAMES = {"history": "past", "loss_penalty": "mercy", "gae_lambda": "trace"}
"""The names of settings in files and messages where they differ from the attributes; ``--set`` takes both."""
ATTRIBUTES = {saved: name for name, saved in SAVED_NAMES.items()}
LIMITS: dict[str, tuple[float, float]] = {
    "seed": (0, LAST_SEED),
    "plan": (1, math.inf),
    **dict.fromkeys(("games", "turns", "epochs", "width", "layers", "past"), (1, math.inf)),
    "minibatch": (2, math.inf),
    **dict.fromkeys(("rate", "divergence", "clip", "longest_step"), (SMALLEST, math.inf)),
    **dict.fromkeys(("last_rate", "discount", "trace"), (0, 1)),
    **dict.fromkeys(("entropy", "mercy"), (0, math.inf)),
}
"""The range of each setting, by its saved name. A minibatch has at least two moves, since advantages are normalised in it."""


@dataclass(frozen=True)
class TrainingSettings:
    """The settings of a run, apart from the machine. A pair of values is a linear schedule over the planned moves."""

    rules: str = "players=2"
    seed: int = 1
    plan: float = 1e10
    """The moves over which schedules run; a run may end earlier, and continues beyond with the last values."""
    games: int = 16_384
    turns: int = 32
    """The turns of every game in one update."""
    epochs: int = 2
    minibatch: int = 32_768
    width: int = 512
    """Cells of each hidden layer."""
    layers: int = 3
    """Hidden layers of the policy."""
    history: int = 8
    """The number of last actions that the network sees."""
    rate: float = 5e-4
    """The highest learning rate; it falls to the fraction `last_rate` of that."""
    last_rate: float = 0.04
    divergence: tuple[float, float] = (0.02, 0.005)
    """The KL divergence between updates that the learning rate is adapted to."""
    entropy: tuple[float, float] = (0.04, 0.005)
    discount: tuple[float, float] = (0.99, 0.997)
    gae_lambda: float = 0.93
    """The lambda of generalised advantage estimation: how far an advantage looks ahead."""
    clip: float = 0.2
    longest_step: float = 0.5
    """The norm to which gradients are clipped."""
    loss_penalty: float = 0.06
    """The fraction of the plan over which the penalty of a lost game rises from one point to all its points."""
    off_belief: bool = False
    """Whether moves are valued off belief: in worlds where earlier moves meant nothing beyond the literal clues."""

    def __post_init__(self) -> None:
        for name, value in self.as_json().items():
            least, most = LIMITS.get(name, (-math.inf, math.inf))
            for number in value if isinstance(value, tuple) else (value,):
                if isinstance(number, float) and not math.isfinite(number):
                    raise click.ClickException(f"{name} must be finite.")
                if isinstance(number, int | float) and not least <= number <= most:
                    upper = f", and at most {most}" if math.isfinite(most) else ""
                    raise click.ClickException(f"{name} must be at least {least}{upper}.")
        if self.moves_per_update % self.minibatch:
            message = (
                f"{self.moves_per_update} moves an update (games times turns) cannot be cut into parts of {self.minibatch}."
            )
            raise click.ClickException(f"{message} Choose a minibatch that divides them.")

    @property
    def moves_per_update(self) -> int:
        """The moves that are played for each update."""
        return self.games * self.turns

    def read_rules(self) -> Rules:
        """Parse the rules of the games."""
        return read_rules(self.rules)

    def as_json(self) -> dict[str, Any]:
        """Return the settings as JSON values, by their saved names."""
        return {SAVED_NAMES.get(name, name): value for name, value in asdict(self).items()}

    @classmethod
    def from_json(cls, written: dict[str, Any]) -> TrainingSettings:
        """Validate settings of a file; those that it does not name have their defaults."""
        defaults = cls().as_json()
        chosen: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in written.items() if name in defaults
        }
        for name, value in chosen.items():
            if not _has_type_of(value, defaults[name]):
                raise click.ClickException(f"In the settings there, {name} cannot be {value!r:.40}.")
        return cls(**{ATTRIBUTES.get(name, name): value for name, value in chosen.items()})


def _has_type_of(value: Any, default: Any) -> bool:
    if isinstance(default, tuple):
        return isinstance(value, tuple) and len(value) == len(default) and all(map(_has_type_of, value, default))
    if isinstance(default, float) and type(value) is int:
        return abs(value) <= LAST_SEED
    return type(value) is type(default)


@dataclass(frozen=True)
class Schedule:
    """The scheduled values at one moment of a run."""

    rate: float
    divergence: float
    entropy: float
    discount: float
    loss_penalty: float
    """The most points that the last mistake takes away."""

    @classmethod
    def at(cls, settings: TrainingSettings, moves: float, most_points: int) -> Schedule:
        """Return the values after a number of moves."""
        done = min(moves / settings.plan, 1.0)
        ripe = min(done / settings.loss_penalty, 1.0) if settings.loss_penalty else 1.0
        return cls(
            rate=settings.rate * _between((1.0, settings.last_rate), done),
            divergence=_between(settings.divergence, done),
            entropy=_between(settings.entropy, done),
            discount=_between(settings.discount, done),
            loss_penalty=_between((1.0, float(most_points)), ripe),
        )


def _between(ends: tuple[float, float], done: float) -> float:
    return ends[0] + (ends[1] - ends[0]) * done


KINDS = {bool: "yes or no", int: "a whole number", float: "a number", tuple: "numbers with a comma in between"}
"""How messages describe the values of a setting."""
WORDS = {"yes": True, "no": False}


def with_settings(settings: TrainingSettings, choices: Iterable[str]) -> TrainingSettings:
    """Return settings with the changes of ``--set`` options."""
    changes: dict[str, Any] = {}
    for choice in choices:
        given, _, value = choice.partition("=")
        name = SAVED_NAMES.get(given, given)
        default = settings.as_json().get(name)
        if default is None or not value:
            raise click.UsageError(f"{choice} is no setting; settings are {', '.join(settings.as_json())}")
        try:
            read = _read(value, default)
        except (ValueError, KeyError) as problem:
            raise click.UsageError(f"{name} cannot be {value}: say {KINDS[type(default)]}.") from problem
        if isinstance(default, tuple) and len(read) != len(default):
            raise click.UsageError(f"{name} has {len(default)} values, as in {name}={_written(default)}")
        changes[ATTRIBUTES.get(name, name)] = read
    return replace(settings, **changes)


def command_for(start: str, settings: TrainingSettings, default: TrainingSettings) -> str:
    """Return a command with a ``--set`` option for every setting that differs from the default."""
    there, changed = default.as_json(), settings.as_json()
    choices = [f"{name}={_written(value)}" for name, value in changed.items() if value != there[name]]
    return " ".join([start, *(f"--set {shlex.quote(choice)}" for choice in choices)])


def commands_for(history: Iterable[dict[str, Any]]) -> str:
    """Return the commands that repeat a run on other deals: one for each part of its history with settings of its own."""
    commands, before = [], TrainingSettings()
    for part in history:
        settings = TrainingSettings.from_json(part["settings"])
        commands.append(command_for(f"./dev train learn RUN --updates {part['updates']}", settings, before))
        before = settings
    return "; ".join(commands)


def _read(value: str, default: Any) -> Any:
    if isinstance(default, bool):
        return WORDS[value]
    return tuple(map(float, value.split(","))) if isinstance(default, tuple) else type(default)(value)


def _written(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(map(_written, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).removesuffix(".0")
