"""``tamaya serve``: run the web server."""

from __future__ import annotations

import os
import socket
import sqlite3
import sys
from contextlib import suppress

import click
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from tamaya.cli.common import in_language
from tamaya.i18n import Catalogue
from tamaya.rules import MalformedError, say
from tamaya.storage import check_integrity, upgrade, upgrade_postgres
from tamaya.storage.errors import database_message, is_unreachable
from tamaya.web.app import create_app
from tamaya.web.options import ServerOptions, database_path, read_options, signing_key
from tamaya.web.server.runner import listen, open_browser, run_server
from tamaya.web.server.supervisor import Supervisor

PORT = 8000
EX_TEMPFAIL = 75
"""The exit status for a temporary failure (sysexits' EX_TEMPFAIL), such as a database that is not up yet."""


@click.command()
@click.option("--config", metavar="FILE", help="A TOML file with settings; docs/hosting.md lists them all.")
@click.option("--host", help="The address to listen on; 0.0.0.0 lets others in. [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65535), help=f"The port to listen on. [default: {PORT}, or a free one]")
@click.option("--data", metavar="FOLDER", help="Where tables are kept. [default: tamaya-data]")
@click.option("--database", metavar="URL", help="A PostgreSQL database to keep tables in instead: postgresql://user@host/name.")
@click.option("--workers", metavar="N", help="Serve with so many processes, which needs PostgreSQL. [default: 1]")
@click.option("--address", metavar="URL", help="The address that people type, where a proxy hides it.")
@click.option("--open/--no-open", "opens", default=None, help="Open a browser. [default: if there is a screen]")
@click.option(
    "--warm-up/--no-warm-up",
    default=None,
    help="Compile in the background what the thinking bot needs, before somebody wants it. [default: yes]",
)
@in_language
def serve(speak: Catalogue, config: str | None, opens: bool | None, **given: object) -> None:
    """Serve the web table."""
    options = read_options({"TAMAYA_WARM_UP": "true", **os.environ}, config, **given)
    if options.workers > 1 and not options.database:
        raise MalformedError("needs_postgresql", say("Several processes need a PostgreSQL database; name one with --database."))
    prepare(options, speak)
    listener = listen(options.host, [options.port] if options.port is not None else [PORT, 0])
    urls = [f"{options.address.rstrip('/')}/"] if options.address else _urls(options.host, listener.getsockname()[1])

    def ready() -> None:
        for url in urls:
            click.echo(speak(say("Tamaya is ready at {url}", url=url)))
        click.echo(speak(say("Stop it with Ctrl+C; every table goes on where it was.")))
        sys.stdout.flush()
        open_browser(urls[0], opens)

    if options.workers > 1:
        raise SystemExit(Supervisor(options, listener, ready).run())
    run_server(create_app(options), listener, ready, proxy=options.proxy, log_format=options.log)


def prepare(options: ServerOptions, speak: Catalogue) -> None:
    """Create the data folder, the key and the database, or raise an error that says what is missing."""
    try:
        signing_key(options)
        if options.database:
            upgrade_postgres(options.database)
        else:
            check_integrity(database_path(options))
            upgrade(database_path(options))
    except (OSError, sqlite3.Error, SQLAlchemyError) as problem:
        reason = getattr(problem, "strerror", None) or type(getattr(problem, "orig", None) or problem).__name__
        if options.database and isinstance(problem, SQLAlchemyError):
            message = say("The PostgreSQL database cannot be used: {problem}", problem=database_message(problem) or reason)
            if isinstance(problem, DBAPIError) and is_unreachable(problem):
                click.echo(speak(message), err=True)
                raise SystemExit(EX_TEMPFAIL) from None
            raise MalformedError("bad_database", message) from None
        message = say("Nothing can be kept in the folder {folder}: {problem}", folder=options.data, problem=reason)
        raise MalformedError("bad_data_folder", message) from None


def _urls(host: str, port: int) -> list[str]:
    """The server's addresses: on this machine and, if it listens on all interfaces, in the network."""
    if host in ("0.0.0.0", "::"):
        return [f"http://localhost:{port}/", *(f"http://{address}:{port}/" for address in _own_addresses())]
    shown = "localhost" if host == "127.0.0.1" else f"[{host}]" if ":" in host else host
    return [f"http://{shown}:{port}/"]


def _own_addresses() -> list[str]:
    """This machine's address in its network, if any, found without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        return [str(probe.getsockname()[0])]
    return []
