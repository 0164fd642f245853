"""``tamaya play``: play with bots in the terminal."""

from __future__ import annotations

import contextlib
import getpass
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path

import click
from rich.console import Console

from tamaya.bots import BOT_NAMES, DEFAULT_BOT, import_bot, known_bots
from tamaya.cli.common import (
    chosen_rules,
    edition_option,
    in_language,
    is_typed,
    read_seed,
    refuse_with_saved_game,
    rules_options,
)
from tamaya.engine import Game
from tamaya.i18n import Catalogue
from tamaya.record import Record, Replay, native, read_file
from tamaya.record.validation import MAX_NAME_LENGTH, is_name
from tamaya.rules import MalformedError, say
from tamaya.table.commands import checked_name
from tamaya.table.names import look_alike
from tamaya.tui import Seats, TerminalTable


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@edition_option
@rules_options
@click.option("--seed", metavar="S", help="A number or a word that decides the deal.")
@click.option("--seat", metavar="N", help="Your seat; player 1 starts, and that is you unless you say otherwise.")
@click.option("--name", metavar="NAME", help="Your name at the table.")
@click.option("--bot", default=DEFAULT_BOT, show_default=True, metavar="BOT", help="Who plays with you; also module:Class.")
@in_language
def play(
    speak: Catalogue,
    file: Path | None,
    edition: str,
    players: str,
    variants: tuple[str, ...],
    settings: tuple[str, ...],
    seed: str | None,
    seat: str | None,
    name: str | None,
    bot: str,
) -> None:
    """Play with bots, or go on with the game saved in FILE."""
    console = Console(highlight=False)
    import_bot(bot)
    if file:
        refuse_with_saved_game("players", "edition", "variants", "settings", "seed", "name")
        saved = _read_saved_game(file)
        if saved.error:
            console.print(speak(saved.error.message), style="bold red", markup=False)
        seats = _seats_of_saved_game(saved, seat, bot)
        rules, games, path = saved.record.rules, [saved.game], _file_to_save_to(file, saved, seats)
        advised = saved.record.advised
    else:
        rules, path = chosen_rules(edition, players, variants, settings)[0], None
        advised = ()
        seats = _new_seats(_read_seat(seat or "1", rules.players), rules.players, name, bot)
        games = [] if seed is None else [Game(rules, seed=read_seed(seed))]
    for seated in filter(None, seats.bots):
        import_bot(seated).check_rules(rules)
    table = TerminalTable(lambda: games.pop() if games else Game(rules), seats, speak, console, path, advised)
    table.run(_read_line)


def _read_line(prompt: str) -> str:
    """Read a line with editing; `EOFError` when the input is closed."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 - arrow keys and history for input()
    if sys.stdin is None or sys.stdout is None:
        raise EOFError
    return input(prompt)


def _read_saved_game(path: Path) -> Replay:
    if str(path) == "-":
        raise MalformedError("no_file", say("There is no file {name}.", name="-"))
    entries = list(islice(read_file(path), 2))
    if entries[0].replay is None or len(entries) > 1:
        raise entries[0].error or MalformedError("many_games", say("{name} holds more than one game.", name=path.name))
    return entries[0].replay


def _file_to_save_to(path: Path, saved: Replay, seats: Seats) -> Path | None:
    """The file, unless saving to it would destroy other content."""
    record = replace(Record.of(saved.game, seats.names, seats.bots), advised=saved.record.advised)
    return path if path.read_bytes() == native.write(record).encode() else None


def _seats_of_saved_game(saved: Replay, seat: str | None, bot: str) -> Seats:
    """The seats of a saved game; the person takes the one without a bot, or the one asked for."""
    bots = saved.record.bots
    players = saved.record.rules.players
    person = _read_seat(seat, players) if seat else bots.index(None) if None in bots else 0
    taken = tuple(None if place == person else _allowed_bot(name or bot, bot) for place, name in enumerate(bots))
    return Seats(saved.record.names, taken)


def _allowed_bot(name: str, bot: str) -> str:
    """The bot for a seat of a saved game. A file must not be able to import code: an unknown bot requires ``--bot``."""
    if name == bot or name in known_bots():
        return name
    if is_typed("bot"):
        return bot
    message = say("This game was played with the bot “{name}”, and the bots known here are {known}. "
                  "Say who plays in its place with {option}: another one, or the same if you trust that program.",
                  name=name, known=tuple(known_bots()), option="--bot")  # fmt: skip
    raise MalformedError("untrusted_bot", message)


def _new_seats(person: int, players: int, name: str | None, bot: str) -> Seats:
    own_name = checked_name(name) if name is not None else _login_name()
    others = [other for other in BOT_NAMES if not look_alike(other, own_name)]
    names = tuple(own_name if seat == person else others.pop(0) for seat in range(players))
    return Seats(names, tuple(None if seat == person else bot for seat in range(players)))


def _read_seat(text: str, players: int) -> int:
    if text in [str(seat + 1) for seat in range(players)]:
        return int(text) - 1
    raise MalformedError("unknown_seat", say("Your seat is a number from 1 to {players}.", players=players))


def _login_name() -> str:
    with contextlib.suppress(OSError, KeyError, ImportError):
        login = getpass.getuser().capitalize()[:MAX_NAME_LENGTH]
        if is_name(login):
            return login
    return "Tamaya"
