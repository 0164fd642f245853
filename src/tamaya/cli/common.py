"""What commands share: the language, the choice of rules, and errors that are told in that language."""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Callable
from typing import Any

import click

from tamaya.engine.game import SEEDS
from tamaya.i18n import LANGUAGES, Catalogue, catalogue, pick_language
from tamaya.rules import Edition, MalformedError, Rules, TamayaError, find_edition, read_number, say
from tamaya.rules.ruleset import read_setting

Function = Callable[..., Any]
SETTINGS_OF_A_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")


def in_language(function: Function) -> Function:
    """Give a command ``--lang`` and a catalogue as its first argument, and let it fail in words."""

    @click.option("--lang", metavar="L", help=f"Language: {', '.join(LANGUAGES)}; else that of your system.")
    @functools.wraps(function)
    def command(lang: str | None, **arguments: Any) -> Any:
        spoken = catalogue(pick_language(filter(None, map(os.environ.get, SETTINGS_OF_A_LOCALE))))
        try:
            spoken = catalogue(lang) if lang else spoken
            return function(spoken, **arguments)
        except TamayaError as problem:
            fail(spoken, problem)

    return command


def fail(spoken: Catalogue, problem: TamayaError) -> None:
    """Say what was wrong and end with status 2."""
    click.echo(spoken(problem.message), err=True)
    raise SystemExit(2)


choosing_edition = click.option("--edition", default="standard", show_default=True, metavar="E", help="See: tamaya editions.")


def changing_rules(function: Function) -> Function:
    """Give a command the options that change the rules of an edition."""
    setting = click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Change one setting: mistakes=2.")
    variant = click.option("--variant", "variants", multiple=True, metavar="V", help="Add a variant, by name, letter or title.")
    return variant(setting(function))


def choosing_rules(function: Function) -> Function:
    """Give a command the options that choose the rules of a game."""
    players = click.option("--players", default="3", show_default=True, metavar="N", help="Players at the table, 2 to 5.")
    return players(changing_rules(function))


def chosen_rules(edition: str, players: str, variants: tuple[str, ...], settings: tuple[str, ...]) -> tuple[Rules, Edition]:
    """The rules that these options describe."""
    wishes = {}
    for setting in settings:
        name, given, value = setting.partition("=")
        if not given:
            raise MalformedError("malformed_setting", say("Write a setting like this: {example}", example="mistakes=2"))
        wishes[name] = read_setting(name, value)
    wishes.setdefault("players", read_setting("players", players))
    found = find_edition(edition)
    return found.rules(variants=variants, **wishes), found  # type: ignore[arg-type]


def read_seed(text: str) -> int:
    """A number as it is, a word by its hash; a number too large for a seed counts as a word."""
    number = read_number(text, 20)
    if number is not None and number < SEEDS:
        return number
    return int.from_bytes(hashlib.sha256(text.encode(errors="surrogateescape")).digest()[:8])
