"""``tamaya migrate``: from a SQLite file to PostgreSQL."""

from __future__ import annotations

import click

from tamaya.cli.common import in_language
from tamaya.cli.stores import choosing_store, shown_share
from tamaya.i18n import Catalogue
from tamaya.rules import MalformedError, say
from tamaya.storage.copies import move
from tamaya.web.options import database as file_of
from tamaya.web.options import read_options


@click.command()
@choosing_store
@click.option("--rename", is_flag=True, help="Rename the SQLite file afterwards, so that no server goes on with it.")
@in_language
def migrate(speak: Catalogue, config: str | None, data: str | None, database: str | None, rename: bool) -> None:
    """Move the tables of a server that is stopped from its SQLite file to an empty PostgreSQL database.

    Everything is copied in one transaction, which counts only after both databases were read again and found to be the same.
    The SQLite file stays as it is, and so does the key that signs cookies: go on with the same data folder.
    """
    options = read_options(config=config, data=data, database=database)
    if not options.database:
        raise MalformedError("needs_postgresql", say("Name the PostgreSQL database to move to with --database."))
    with shown_share(speak) as watch:
        moved, renamed = move(file_of(options), options.database, rename=rename, watch=watch)
    for name, (rows, _) in moved.items():
        click.echo(f"{name:12} {rows:>10}")
    click.echo(speak(say("Every row was copied, read back and compared.")))
    if renamed:
        click.echo(speak(say("What was there before is in {file}.", file=str(renamed))))
    message = say("From now on, start the server with --database and the same data folder; the key in it keeps everybody "
                  "signed in.")  # fmt: skip
    click.echo(speak(message))
