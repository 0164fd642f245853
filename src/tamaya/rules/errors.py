"""The exceptions of the package, and the checks of outside values that raise them.

    TamayaError (a ValueError)    has a stable `code` and a `message` in every language
    ├── MalformedError            the input cannot be understood
    │   ├── RulesError            settings that are unknown, out of range or contradict each other
    │   └── RecordError           a saved game that cannot be read, or that another format cannot express
    ├── IllegalError              understood, but the rules do not allow it now
    ├── MissingPartError          understood, but needs a package that is not installed
    ├── UnavailableError          understood and allowed, but the store cannot save it at the moment
    └── LeagueError               understood and allowed, but a bot failed or workers were lost

A function that raises one of these has changed nothing.
"""

from __future__ import annotations

from importlib import import_module
from operator import index
from typing import Any, SupportsIndex

from tamaya.rules.message import Message, say


class TamayaError(ValueError):
    """A refused request of a person or a program; `code` is for programs, `message` for people."""

    def __init__(self, code: str, message: Message) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return str(self.message)


class MalformedError(TamayaError):
    """The input does not make sense in any state of the game."""


class RulesError(MalformedError):
    """Settings that no game can be played by."""


class RecordError(MalformedError):
    """A saved game that cannot be read or written in the wanted format."""


class IllegalError(TamayaError):
    """A well-formed request that the rules do not allow at this moment."""


class MissingPartError(TamayaError):
    """A request that needs a package which is not installed."""


class UnavailableError(TamayaError):
    """A request made while the store was lost, full or damaged; it may succeed later."""

    def __init__(self) -> None:
        message = say("The server cannot save anything right now; nothing was changed. Try again in a moment.")
        super().__init__("unavailable", message)


class LeagueError(TamayaError):
    """A valid league match that could not be finished: a bot failed, or workers were lost."""


def require(package: str, extra: str) -> Any:
    """Import an optional dependency; `MissingPartError` says which extra installs it."""
    try:
        return import_module(package)
    except ImportError as problem:
        raise MissingPartError(
            "missing_part",
            say(
                "This needs the package {package}, which is not installed here. It comes with: {command}",
                package=package,
                command=f"pip install 'tamaya[{extra}]'",
            ),
        ) from problem


MAX_QUOTED = 40
"""The characters of an invalid value that a message quotes."""


def read_number(text: str, digits: int = 2) -> int | None:
    """Parse a number of at most `digits` plain digits; None for any other text.

    Numbers in requests and files are parsed here: `int` alone accepts digits of every script, signs and underscores, and
    fails on a very long number.
    """
    return int(text) if len(text) <= digits and text.isascii() and text.isdigit() else None


def checked_integer(name: str, number: object, least: int, most: int | None = None) -> int:
    """Return an integer in a range; raise `MalformedError` for anything else."""
    if isinstance(number, SupportsIndex) and not isinstance(number, bool):
        found = index(number)
        if least <= found and (most is None or found <= most):
            return found
    given = repr(number)[:MAX_QUOTED]
    if most is None:
        wrong = say("{name} must be a whole number from {least} on, not {given}.", name=name, least=least, given=given)
    else:
        wrong = say(
            "{name} must be a whole number from {least} to {most}, not {given}.", name=name, least=least, most=most, given=given
        )
    raise MalformedError("bad_number", wrong)
