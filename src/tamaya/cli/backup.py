"""``tamaya backup``: everything that a server keeps, in one file, while it runs."""

from __future__ import annotations

import time
from pathlib import Path

import click

from tamaya.cli.common import chosen_number, in_language
from tamaya.cli.stores import choosing_store, key_of, shown_share, store_of
from tamaya.i18n import Catalogue
from tamaya.rules import IllegalError, MalformedError, say, say_n
from tamaya.storage.copies import back_up, count_backup, delete_older
from tamaya.web.options import read_options

HOUR = 3600.0


@click.command()
@choosing_store
@click.option("--to", metavar="FOLDER", help="Where to put it. [default: the setting backup_to]")
@click.option("--keep", metavar="N", help="Then delete older backups in that folder, so that N are left.")
@click.option("--every", metavar="HOURS", help="Do nothing if there is a backup that is not that old.")
@click.option("--with-key", is_flag=True, help="Put the key that signs cookies beside it: whoever has it can be anybody.")
@in_language
def backup(
    speak: Catalogue,
    config: str | None,
    data: str | None,
    database: str | None,
    to: str | None,
    keep: str | None,
    every: str | None,
    with_key: bool,
) -> None:
    """Write everything that a server keeps to a new file, whether it runs or not.

    The file is a SQLite database, whatever the server has, and `tamaya restore` puts it back into either kind. It holds the
    decks of running games: keep it where only you can read it.
    """
    options = read_options(config=config, data=data, database=database, backup_to=to)
    if not options.backup_to:
        raise MalformedError("no_folder", say("Name the folder for the backup with --to."))
    kept = None if keep is None else chosen_number("--keep", keep, 1, None)
    since = None if every is None else time.time() - _hours(every) * HOUR
    folder, key = Path(options.backup_to), key_of(options) if with_key else None
    try:
        with shown_share(speak) as watch:
            made = back_up(store_of(options), folder, key=key, unless_since=since, watch=watch)
    except IllegalError as problem:
        if every is None or problem.code != "backup_running":
            raise
        made = None  # somebody else is at it
    if made is None:
        click.echo(speak(say("The newest backup is recent enough; no new one was made.")))
        return
    tables, events = count_backup(made)
    click.echo(speak(say("The backup is {file}; tables: {tables}, events: {n}.", file=str(made.path), tables=tables, n=events)))
    deleted = delete_older(folder, kept, made) if kept else []
    if deleted:
        click.echo(speak(say_n("{n} older backup was deleted.", "{n} older backups were deleted.", len(deleted))))


def _hours(text: str) -> float:
    try:
        hours = float(text)
    except ValueError:
        hours = -1.0
    if 0 <= hours <= 1e6:
        return hours
    raise MalformedError("bad_number", say("--every is a number of hours, not “{given}”.", given=text[:40]))
