"""``tamaya backup``, ``restore`` and ``migrate``: copies of a whole database."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from tamaya.cli.batch_options import show_progress
from tamaya.cli.common import Function, chosen_number, in_language
from tamaya.i18n import Catalogue
from tamaya.rules import IllegalError, MalformedError, Message, say, say_n
from tamaya.storage.backup import back_up, count_backup, delete_older, move, read_key, write_key
from tamaya.storage.backup import restore as put_back
from tamaya.storage.backup.copy_rows import ProgressCallback
from tamaya.web.options import ServerOptions, database_path, read_options
from tamaya.web.options import database_path as file_of


def database_options(function: Function) -> Function:
    """Give a command the options that select a server's database."""
    for option in (
        click.option("--database", metavar="URL", help="The PostgreSQL database, if the server has one."),
        click.option("--data", metavar="FOLDER", help="The data folder of the server. [default: tamaya-data]"),
        click.option("--config", metavar="FILE", help="The server's TOML file with settings."),
    ):
        function = option(function)
    return function


def database_of(options: ServerOptions) -> Path | str:
    """A server's database: the path of a SQLite file, or the address of a PostgreSQL database."""
    return options.database or database_path(options)


def key_of(options: ServerOptions) -> str:
    """The key with which a server signs cookies; refused if it has none yet."""
    file = Path(options.data, "key")
    if options.secret or file.is_file():
        return options.secret or file.read_text()
    raise MalformedError("no_key", say("There is no key in the folder {folder}.", folder=options.data))


def _nothing_changed_message(_: int) -> Message:
    return say("Stopped before the end; nothing was changed.")


@contextmanager
def show_percentage(speak: Catalogue) -> Iterator[ProgressCallback]:
    """A progress bar in percent, if the error output is a terminal."""
    done = shown = 0.0
    with show_progress(speak, 100, _nothing_changed_message) as advance:

        def watch(share: float) -> None:
            nonlocal done, shown
            done += share * 100
            if done - shown >= 1:
                advance(int(done - shown))
                shown += int(done - shown)

        yield watch


HOUR = 3600.0


@click.command()
@database_options
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
        with show_percentage(speak) as watch:
            made = back_up(database_of(options), folder, key=key, unless_since=since, watch=watch)
    except IllegalError as problem:
        if every is None or problem.code != "backup_running":
            raise
        made = None  # another process is writing this backup
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


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@database_options
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
    with show_percentage(speak) as watch:
        restored, old = put_back(file, database_of(options), replace=replace, folder=Path(options.data), watch=watch)
    if key is not None:
        write_key(key, place)
    tables, events = restored["tables"][0], restored["events"][0]
    click.echo(speak(say("{file} was restored; tables: {tables}, events: {n}.", file=str(file), tables=tables, n=events)))
    if old:
        click.echo(speak(say("What was there before is in {file}.", file=str(old))))


@click.command()
@database_options
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
    with show_percentage(speak) as watch:
        moved, renamed = move(file_of(options), options.database, rename=rename, watch=watch)
    for name, (rows, _) in moved.items():
        click.echo(f"{name:12} {rows:>10}")
    click.echo(speak(say("Every row was copied, read back and compared.")))
    if renamed:
        click.echo(speak(say("What was there before is in {file}.", file=str(renamed))))
    message = say("From now on, start the server with --database and the same data folder; the key in it keeps everybody "
                  "signed in.")  # fmt: skip
    click.echo(speak(message))
