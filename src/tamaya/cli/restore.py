"""``tamaya restore``: everything that a server keeps, from a backup."""

from __future__ import annotations

from pathlib import Path

import click

from tamaya.cli.common import in_language
from tamaya.cli.stores import choosing_store, shown_share, store_of
from tamaya.i18n import Catalogue
from tamaya.rules import IllegalError, say
from tamaya.storage.copies import read_key, write_key
from tamaya.storage.copies import restore as put_back
from tamaya.web.options import read_options


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@choosing_store
@click.option("--replace", is_flag=True, help="Replace what is there, which is kept in the data folder.")
@click.option("--with-key", is_flag=True, help="Put the key that signs cookies back, too, from the file beside the backup.")
@in_language
def restore(
    speak: Catalogue,
    file: Path,
    config: str | None,
    data: str | None,
    database: str | None,
    replace: bool,
    with_key: bool,
) -> None:
    """Put everything from a backup into the database of a server that is stopped.

    FILE is checked wholly before anything changes, and an older one is brought up to date. It can come from a server with
    SQLite or with PostgreSQL.
    """
    options = read_options(config=config, data=data, database=database)
    key, place = read_key(file) if with_key else None, Path(options.data, "key")
    if key is not None and place.exists() and place.read_text() != key and not replace:
        message = say("There is a different key in the folder {folder} already; nothing was changed.", folder=options.data)
        raise IllegalError("not_empty", message)
    with shown_share(speak) as watch:
        restored, old = put_back(file, store_of(options), replace=replace, folder=Path(options.data), watch=watch)
    if key is not None:
        write_key(key, place)
    tables, events = restored["tables"][0], restored["events"][0]
    click.echo(speak(say("{file} was restored; tables: {tables}, events: {n}.", file=str(file), tables=tables, n=events)))
    if old:
        click.echo(speak(say("What was there before is in {file}.", file=str(old))))
