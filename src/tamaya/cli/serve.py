"""``tamaya serve``: the web table."""

from __future__ import annotations

import gc
import os
import socket
import sqlite3
import sys
import webbrowser
from collections.abc import Callable
from contextlib import suppress

import click
import uvicorn
from sqlalchemy.exc import SQLAlchemyError

from tamaya.cli.common import in_language
from tamaya.i18n import Catalogue
from tamaya.rules import MalformedError, say
from tamaya.storage import upgrade
from tamaya.web import create_app
from tamaya.web.options import Options, database, read_options, signing_key

PORT = 8000


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 lets others in.")
@click.option("--port", type=click.IntRange(0, 65535), help=f"The port to listen on. [default: {PORT}, or a free one]")
@click.option("--data", metavar="FOLDER", help="Where tables are kept. [default: tamaya-data]")
@click.option("--address", metavar="URL", help="The address that people type, where a proxy hides it.")
@click.option("--open/--no-open", "opens", default=None, help="Open a browser. [default: if there is a screen]")
@in_language
def serve(speak: Catalogue, host: str, port: int | None, data: str | None, address: str | None, opens: bool | None) -> None:
    """Serve the web table."""
    options = read_options(data=data, address=address)
    _prepare(options)
    listener = _listen(host, port)
    urls = [f"{options.address.rstrip('/')}/"] if options.address else _urls(host, listener.getsockname()[1])

    def ready() -> None:
        for url in urls:
            click.echo(speak(say("Tamaya is ready at {url}", url=url)))
        click.echo(speak(say("Stop it with Ctrl+C; every table goes on where it was.")))
        sys.stdout.flush()
        if opens if opens is not None else _has_screen():
            with suppress(webbrowser.Error):
                webbrowser.open(urls[0])

    _allow_many_streams()
    _spare_the_collector()
    config = uvicorn.Config(
        create_app(options),
        http="h11",  # httptools reads headers without end and any number of requests ahead
        log_level="warning",
        timeout_graceful_shutdown=1,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=options.proxy,
    )
    with suppress(KeyboardInterrupt):
        _Server(config, ready).run(sockets=[listener])


def _prepare(options: Options) -> None:
    """Make the data folder, the key and the database, or say what is in the way."""
    try:
        signing_key(options)
        upgrade(database(options))
    except (OSError, sqlite3.Error, SQLAlchemyError) as problem:
        message = say("Nothing can be kept in the folder {folder}: {problem}",
                      folder=options.data, problem=getattr(problem, "strerror", None) or type(problem).__name__)  # fmt: skip
        raise MalformedError("bad_data_folder", message) from None


def _allow_many_streams() -> None:
    """Let as many pages be live as the system lets this process have files; the usual limit is for one user's shell."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _spare_the_collector() -> None:
    """Let full garbage collections be rare: with many live pages each takes a fifth of a second and finds next to nothing.
    The hourly sweep makes one."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 1_000)


class _Server(uvicorn.Server):
    """A server that says when it is ready, and ends its streams before it stops, so that it need not wait for them."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.config.app.state.house.tables.bus.close()  # type: ignore[union-attr]
        await super().shutdown(sockets)


def _listen(host: str, port: int | None) -> socket.socket:
    """A listening socket: on the wanted port, else on the usual one or, if that is taken, on any."""
    ports = [port] if port is not None else [PORT, 0]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    problem: OSError | None = None
    for wanted in ports:
        try:
            both = host == "::" and socket.has_dualstack_ipv6()
            return socket.create_server((host, wanted), family=family, backlog=2048, dualstack_ipv6=both)
        except OSError as found:
            problem = found
    assert problem is not None
    message = say("Nothing can listen at {place}: {problem}", place=f"{host}:{ports[0]}", problem=str(problem.strerror))
    raise MalformedError("cannot_listen", message)


def _urls(host: str, port: int) -> list[str]:
    """Where a browser finds the server: on this machine and, if it listens to all, on the network."""
    if host in ("0.0.0.0", "::"):
        return [f"http://localhost:{port}/", *(f"http://{address}:{port}/" for address in _own_addresses())]
    shown = "localhost" if host == "127.0.0.1" else f"[{host}]" if ":" in host else host
    return [f"http://{shown}:{port}/"]


def _own_addresses() -> list[str]:
    """This machine's address in its network, if it is in one. Nothing is sent to find it out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        return [str(probe.getsockname()[0])]
    return []


def _has_screen() -> bool:
    windows = sys.platform in ("win32", "darwin") or any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    return sys.stdout.isatty() and windows
