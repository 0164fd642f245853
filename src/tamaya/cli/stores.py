"""What the commands share that copy whole databases: which database, and how far they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from tamaya.cli.common import Function
from tamaya.cli.workers import shown_progress
from tamaya.i18n import Catalogue
from tamaya.rules import MalformedError, Message, say
from tamaya.storage.copies.rows import Watch
from tamaya.web.options import ServerOptions, database


def choosing_store(function: Function) -> Function:
    """Give a command the options that say which database a server has."""
    for option in (
        click.option("--database", metavar="URL", help="The PostgreSQL database, if the server has one."),
        click.option("--data", metavar="FOLDER", help="The data folder of the server. [default: tamaya-data]"),
        click.option("--config", metavar="FILE", help="The server's TOML file with settings."),
    ):
        function = option(function)
    return function


def store_of(options: ServerOptions) -> Path | str:
    """Where a server keeps its tables: a SQLite file, or the address of a PostgreSQL database."""
    return options.database or database(options)


def key_of(options: ServerOptions) -> str:
    """The key with which a server signs cookies; refused if it has none yet."""
    file = Path(options.data, "key")
    if options.secret or file.is_file():
        return options.secret or file.read_text()
    raise MalformedError("no_key", say("There is no key in the folder {folder}.", folder=options.data))


def _nothing_changed(_: int) -> Message:
    return say("Stopped before the end; nothing was changed.")


@contextmanager
def shown_share(speak: Catalogue) -> Iterator[Watch]:
    """A bar on a terminal that shows how many hundredths are done."""
    done = shown = 0.0
    with shown_progress(speak, 100, _nothing_changed) as advance:

        def watch(share: float) -> None:
            nonlocal done, shown
            done += share * 100
            if done - shown >= 1:
                advance(int(done - shown))
                shown += int(done - shown)

        yield watch
