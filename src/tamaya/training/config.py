"""What a training run can be told, and how that changes on its way."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

import click

from tamaya.rules import Rules, read_rules

LAST_SEED = 2**62
"""The largest seed; what is added to it on the way still makes a seed."""

HARDLY_ANY = 1e-12
LIMITS: dict[str, tuple[float, float]] = {
    "seed": (0, LAST_SEED),
    "plan": (1, math.inf),
    **dict.fromkeys(("games", "turns", "epochs", "width", "layers", "past"), (1, math.inf)),
    "minibatch": (2, math.inf),
    **dict.fromkeys(("rate", "divergence", "clip", "longest_step"), (HARDLY_ANY, math.inf)),
    **dict.fromkeys(("last_rate", "discount", "trace"), (0, 1)),
    **dict.fromkeys(("entropy", "mercy"), (0, math.inf)),
}
"""The least and the most that a setting can be. Moves are compared with others in a minibatch, so there are two at least."""


@dataclass(frozen=True)
class TrainingSettings:
    """All that a run depends on, apart from the machine. What goes from one value to another does so evenly over the planned
    number of moves."""

    rules: str = "players=2"
    seed: int = 1
    plan: float = 1e10
    """The moves over which everything changes; a run may end earlier, and goes on with the last values beyond."""
    games: int = 16_384
    turns: int = 32
    """An update is made of so many turns of every game."""
    epochs: int = 2
    minibatch: int = 32_768
    width: int = 512
    """Cells of each hidden layer."""
    layers: int = 3
    """Hidden layers of the policy."""
    past: int = 8
    """So many of the last actions are looked at."""
    rate: float = 5e-4
    """The highest rate of learning; it falls to `last_rate` of that."""
    last_rate: float = 0.04
    divergence: tuple[float, float] = (0.02, 0.005)
    """The divergence from one update to the next that the rate is steered to."""
    entropy: tuple[float, float] = (0.04, 0.005)
    discount: tuple[float, float] = (0.99, 0.997)
    trace: float = 0.93
    """How far an advantage looks ahead: the lambda of generalised advantage estimation."""
    clip: float = 0.2
    longest_step: float = 0.5
    """Gradients are cut to this norm."""
    mercy: float = 0.06
    """The part of the plan over which losing a game comes to cost all its points; it begins with a single one."""
    off_belief: bool = False
    """Whether moves are judged in worlds in which moves before them told nothing but what clues say of the cards."""

    def __post_init__(self) -> None:
        for name, value in self.as_json().items():
            least, most = LIMITS.get(name, (-math.inf, math.inf))
            for number in value if isinstance(value, tuple) else (value,):
                if isinstance(number, float) and not math.isfinite(number):
                    raise click.ClickException(f"{name} must be finite.")
                if isinstance(number, int | float) and not least <= number <= most:
                    upper = f", and at most {most}" if math.isfinite(most) else ""
                    raise click.ClickException(f"{name} must be at least {least}{upper}.")
        if self.moves_an_update % self.minibatch:
            message = (
                f"{self.moves_an_update} moves an update (games times turns) cannot be cut into parts of {self.minibatch}."
            )
            raise click.ClickException(f"{message} Choose a minibatch that divides them.")

    @property
    def moves_an_update(self) -> int:
        """How many moves are made and then learned from."""
        return self.games * self.turns

    def read_rules(self) -> Rules:
        """The rules that games are played by."""
        return read_rules(self.rules)

    def as_json(self) -> dict[str, Any]:
        """For a file."""
        return asdict(self)

    @classmethod
    def from_json(cls, written: dict[str, Any]) -> TrainingSettings:
        """From a file, which anybody may have written; what it does not name is as usual."""
        usual = cls().as_json()
        chosen: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in written.items() if name in usual
        }
        for name, value in chosen.items():
            if not _is_like(value, usual[name]):
                raise click.ClickException(f"In the settings there, {name} cannot be {value!r:.40}.")
        return cls(**chosen)


def _is_like(value: Any, usual: Any) -> bool:
    """Whether a value is of the kind that a setting has."""
    if isinstance(usual, tuple):
        return isinstance(value, tuple) and len(value) == len(usual) and all(map(_is_like, value, usual))
    if isinstance(usual, float) and type(value) is int:
        return abs(value) <= LAST_SEED
    return type(value) is type(usual)


@dataclass(frozen=True)
class Schedule:
    """What holds at one moment of a run."""

    rate: float
    divergence: float
    entropy: float
    discount: float
    loss_costs: float
    """The most points that the last mistake takes away."""

    @classmethod
    def at(cls, settings: TrainingSettings, moves: float, most_points: int) -> Schedule:
        """The values after so many moves."""
        done = min(moves / settings.plan, 1.0)
        ripe = min(done / settings.mercy, 1.0) if settings.mercy else 1.0
        return cls(
            rate=settings.rate * _between((1.0, settings.last_rate), done),
            divergence=_between(settings.divergence, done),
            entropy=_between(settings.entropy, done),
            discount=_between(settings.discount, done),
            loss_costs=_between((1.0, float(most_points)), ripe),
        )


def _between(ends: tuple[float, float], done: float) -> float:
    return ends[0] + (ends[1] - ends[0]) * done


KINDS = {bool: "yes or no", int: "a whole number", float: "a number", tuple: "numbers with a comma in between"}
"""What is said of the values that a setting can have."""
WORDS = {"yes": True, "no": False}


def with_choices(settings: TrainingSettings, choices: Iterable[str]) -> TrainingSettings:
    """The settings with what was chosen on the command line."""
    changes: dict[str, Any] = {}
    for choice in choices:
        name, _, value = choice.partition("=")
        usual = settings.as_json().get(name)
        if usual is None or not value:
            raise click.UsageError(f"{choice} is no setting; settings are {', '.join(settings.as_json())}")
        try:
            read = _read(value, usual)
        except (ValueError, KeyError) as problem:
            raise click.UsageError(f"{name} cannot be {value}: say {KINDS[type(usual)]}.") from problem
        if isinstance(usual, tuple) and len(read) != len(usual):
            raise click.UsageError(f"{name} has {len(usual)} values, as in {name}={_written(usual)}")
        changes[name] = read
    return replace(settings, **changes)


def command_for(start: str, settings: TrainingSettings, usual: TrainingSettings) -> str:
    """A command with all settings that are not as usual."""
    there, changed = usual.as_json(), settings.as_json()
    choices = [f"{name}={_written(value)}" for name, value in changed.items() if value != there[name]]
    return " ".join([start, *(f"--set {shlex.quote(choice)}" for choice in choices)])


def commands_for(history: Iterable[dict[str, Any]]) -> str:
    """The commands that train as a run did, on other deals; one for each part that had other settings than the one before."""
    commands, before = [], TrainingSettings()
    for part in history:
        settings = TrainingSettings.from_json(part["settings"])
        commands.append(command_for(f"./dev train learn RUN --updates {part['updates']}", settings, before))
        before = settings
    return "; ".join(commands)


def _read(value: str, usual: Any) -> Any:
    """A value from the command line, of the kind that is usual."""
    if isinstance(usual, bool):
        return WORDS[value]
    return tuple(map(float, value.split(","))) if isinstance(usual, tuple) else type(usual)(value)


def _written(value: Any) -> str:
    """A value as it is chosen on the command line."""
    if isinstance(value, tuple):
        return ",".join(map(_written, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).removesuffix(".0")
