"""Settings as they are chosen on the command line, one by one: ``--set NAME=VALUE``."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import click

from tamaya.training.settings import TrainingSettings

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
