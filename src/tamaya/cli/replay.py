"""``tamaya replay``: show saved games in a browser."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from tamaya.cli.common import in_language
from tamaya.i18n import Catalogue
from tamaya.record import Entry, read_file, read_games
from tamaya.rules import say
from tamaya.table import Table, import_game
from tamaya.web.app import create_app
from tamaya.web.options import ServerOptions
from tamaya.web.server.runner import listen, open_browser, run_server
from tamaya.web.services import services_of

NO_OWNER = "-"
"""The owner of the imported games; no browser has this profile."""
MAX_GAMES = 1000
"""How many games are shown at once: each has an address of its own, and all stay in memory."""


@click.command()
@click.argument("source", metavar="FILE|LINK")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port to listen on. [default: a free one]")
@click.option("--open/--no-open", "opens", default=None, help="Open a browser. [default: if there is a screen]")
@in_language
def replay(speak: Catalogue, source: str, port: int, opens: bool | None) -> None:
    """Show the games of FILE in a browser, on this machine alone, until Ctrl+C; ``-`` is the standard input.

    A game can be in our own format, in Hanab Live's JSON, or a link for Hanab Live. Of a damaged one, the part before the
    damage is shown. Nothing is kept.
    """
    found = _entries(source)
    entries = list(islice(found, MAX_GAMES))
    if next(found, None):
        message = say("Only the first {most} games were brought; split the file to bring the rest.", most=MAX_GAMES)
        click.echo(speak(message), err=True)
    for entry in entries:
        if entry.error:
            click.echo(f"{entry.id}: {speak(entry.error.message)}", err=True)
    games = [entry.replay for entry in entries if entry.replay]
    if not games:
        raise SystemExit(2)
    listener = listen("127.0.0.1", [port])
    address = f"http://localhost:{listener.getsockname()[1]}"
    tables: list[Table] = []

    def ready() -> None:
        for table in tables:
            click.echo(f"{speak.join(table.names)}: {_url(address, table)}")
        click.echo(speak(say("Stop it with Ctrl+C; nothing is kept.")))
        sys.stdout.flush()
        open_browser(_url(address, tables[0]), opens)

    with TemporaryDirectory(prefix="tamaya-") as folder:
        app = create_app(ServerOptions(data=folder))

        async def prepare() -> None:
            for game in games:
                problem = game.error.message if game.error else None
                tables.append(await services_of(app).tables.begin(import_game(game.record, NO_OWNER, problem)))

        run_server(app, listener, ready, prepare=prepare)


def _url(address: str, table: Table) -> str:
    return f"{address}/t/{table.code}/replay"


def _entries(source: str) -> Iterator[Entry]:
    is_address = source.startswith(("http://", "https://", "hanab.live/"))
    if is_address or (source.count(",") == 2 and not os.path.exists(source)):  # a link may be longer than a path
        return read_games(source, source[:40])
    return read_file(Path(source))
