"""Options and errors that commands share: the language, the rules, numbers and new files."""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain, islice
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click
from click.core import ParameterSource

from tamaya.engine.game import SEED_COUNT
from tamaya.i18n import LANGUAGES, catalogue, pick_language
from tamaya.rules import Edition, IllegalError, MalformedError, Rules, TamayaError, find_edition, read_number, say
from tamaya.rules.errors import checked_integer
from tamaya.rules.ruleset import read_setting

Function = Callable[..., Any]
T = TypeVar("T")
LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def in_language(function: Function) -> Function:
    """Give a command ``--lang`` and a catalogue as its first argument, and print its errors in that language."""

    @click.option("--lang", metavar="L", help=f"Language: {', '.join(LANGUAGES)}; else that of your system.")
    @functools.wraps(function)
    def command(lang: str | None, **arguments: Any) -> Any:
        speak = catalogue(pick_language(filter(None, map(os.environ.get, LOCALE_VARIABLES))))
        try:
            speak = catalogue(lang) if lang else speak
            return function(speak, **arguments)
        except TamayaError as problem:
            click.echo(speak(problem.message), err=True)
            raise SystemExit(2) from None

    return command


edition_option = click.option("--edition", default="standard", show_default=True, metavar="E", help="See: tamaya editions.")


def variant_options(function: Function) -> Function:
    """Give a command the options that change the rules of an edition."""
    setting = click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Change one setting: mistakes=2.")
    variant = click.option("--variant", "variants", multiple=True, metavar="V", help="Add a variant, by name, letter or title.")
    return variant(setting(function))


def rules_options(function: Function) -> Function:
    """Give a command the options that choose the rules of a game."""
    players = click.option("--players", default="3", show_default=True, metavar="N", help="Players at the table, 2 to 5.")
    return players(variant_options(function))


def chosen_rules(edition: str, players: str, variants: tuple[str, ...], settings: tuple[str, ...]) -> tuple[Rules, Edition]:
    """The rules that these options describe."""
    changes = {}
    for setting in settings:
        name, given, value = setting.partition("=")
        if not given:
            raise MalformedError("malformed_setting", say("Write a setting like this: {example}", example="mistakes=2"))
        changes[name] = read_setting(name, value)
    changes.setdefault("players", read_setting("players", players))
    found = find_edition(edition)
    return found.rules(variants=variants, **changes), found  # type: ignore[arg-type]


def has_several(items: Iterable[T]) -> tuple[bool, Iterator[T]]:
    """Whether there are several items, and an iterator over all of them, without reading them all."""
    rest = iter(items)
    first = list(islice(rest, 2))
    return len(first) > 1, chain(first, rest)


def read_seed(text: str) -> int:
    """Parse a seed: a number is used as it is, a word or a number that is too large by its hash."""
    number = read_number(text, 20)
    if number is not None and number < SEED_COUNT:
        return number
    return int.from_bytes(hashlib.sha256(text.encode(errors="surrogateescape")).digest()[:8])


def chosen_number(name: str, text: str, least: int, most: int | None) -> int:
    """Parse an option that is a number in a range."""
    found = read_number(text, 20)
    return checked_integer(name, text[:40] if found is None else found, least, most)


def is_typed(option: str) -> bool:
    """Whether this option was given on the command line."""
    return click.get_current_context().get_parameter_source(option) is ParameterSource.COMMANDLINE


def refuse_with_saved_game(*options: str) -> None:
    """Refuse options whose values a saved game determines."""
    typed = tuple(filter(is_typed, options))
    if typed:
        message = say("A saved game brings its own {settings}; leave that out.", settings=typed)
        raise MalformedError("settings_in_file", message)


@contextmanager
def new_file(path: Path) -> Iterator[TextIO]:
    """A new file to write to, deleted if writing fails; an existing file is refused."""
    try:
        file = path.open("x", encoding="utf-8")
    except FileExistsError:
        raise IllegalError("file_exists", say("There is a file {name} already; choose another name.", name=str(path))) from None
    except (OSError, ValueError) as problem:
        reason = (getattr(problem, "strerror", None) or str(problem)).rstrip(".")
        message = say("{name} cannot be written: {reason}.", name=str(path), reason=reason)
        raise IllegalError("cannot_write", message) from None
    try:
        with file:
            yield file
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise
