"""``tamaya play``: a game in the terminal."""

from __future__ import annotations

import getpass
import hashlib
from pathlib import Path

import click
from rich.console import Console

from tamaya.bots import make_bot
from tamaya.cli.common import choosing_rules, chosen_rules, in_language
from tamaya.engine import Game
from tamaya.i18n import Catalogue
from tamaya.record import Replay, read_file
from tamaya.rules import MalformedError, Message, Rules, say
from tamaya.tui import TerminalTable

BOT_NAMES = ("Kiku", "Botan", "Yanagi", "Senrin", "Kamuro")  # kinds of firework shells


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--edition", default="standard", show_default=True, metavar="E", help="See: tamaya editions.")
@choosing_rules
@click.option("--seed", metavar="S", help="A number or a word that decides the deal.")
@click.option("--seat", default="1", show_default=True, metavar="N", help="Your seat; player 1 starts.")
@click.option("--name", metavar="NAME", help="Your name at the table.")
@click.option("--bot", default="simple", show_default=True, metavar="BOT", help="Who plays with you.")
@in_language
def play(
    speak: Catalogue,
    file: Path | None,
    edition: str,
    players: str,
    variants: tuple[str, ...],
    settings: tuple[str, ...],
    seed: str | None,
    seat: str,
    name: str | None,
    bot: str,
) -> None:
    """Play with bots, or go on with the game saved in FILE."""
    console = Console(highlight=False)
    saved = _saved(file) if file else None
    rules = saved.record.rules if saved else chosen_rules(edition, players, variants, settings)[0]
    own_seat = _seat(seat, rules)
    names = saved.record.names if saved else _names(name, own_seat, rules.players)
    games = [saved.game] if saved else [Game(rules, seed=_seed(seed))] if seed is not None else []
    bots = {other: make_bot(bot) for other in range(rules.players) if other != own_seat}
    if saved and saved.error:
        console.print(speak(saved.error.message), style="bold red", markup=False)
    table = TerminalTable(lambda: games.pop() if games else Game(rules), own_seat, names, bots, speak, console)
    table.run(lambda prompt: console.input(prompt, markup=False))


def _saved(path: Path) -> Replay:
    entries = list(read_file(path))
    if entries[0].replay is None or len(entries) > 1:
        raise entries[0].error or MalformedError("many_games", say("{name} holds more than one game.", name=path.name))
    return entries[0].replay


def _seat(text: str, rules: Rules) -> int:
    if text in [str(seat + 1) for seat in range(rules.players)]:
        return int(text) - 1
    raise MalformedError("unknown_seat", say("Your seat is a number from 1 to {players}.", players=rules.players))


def _seed(text: str) -> int:
    """A number as it is, a word by its hash; a number too large for a seed counts as a word."""
    if text.isascii() and text.isdigit() and len(text) < 20:
        return int(text)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])


def _names(name: str | None, seat: int, players: int) -> tuple[str, ...]:
    if name is not None and not 0 < len(name.strip()) <= 40:
        raise MalformedError("bad_name", _bad_name())
    own_name = name.strip() if name else _login()
    bots = [bot for bot in BOT_NAMES if bot != own_name]
    return tuple(own_name if other == seat else bots.pop(0) for other in range(players))


def _bad_name() -> Message:
    return say("A name has from 1 to 40 characters.")


def _login() -> str:
    try:
        return getpass.getuser()[:40].capitalize()
    except (OSError, KeyError, ImportError):
        return "Tamaya"
