"""``tamaya serve``: the web table."""

from __future__ import annotations

import gc
import os
import socket
import sys
import webbrowser
from contextlib import suppress

import click
import uvicorn

from tamaya.cli.common import in_language
from tamaya.i18n import Catalogue
from tamaya.rules import MalformedError, say
from tamaya.web import create_app
from tamaya.web.options import read_options

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
    listener = _listen(host, port)
    url = f"http://{_shown(host)}:{listener.getsockname()[1]}/"
    click.echo(speak(say("Tamaya is ready at {url}", url=url)))
    click.echo(speak(say("Stop it with Ctrl+C; every table goes on where it was.")))
    sys.stdout.flush()
    if opens if opens is not None else _has_screen():
        with suppress(webbrowser.Error):
            webbrowser.open(url)
    app = create_app(options)
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1, access_log=False, server_header=False)
    _spare_the_collector()
    with suppress(KeyboardInterrupt):
        _Server(config).run(sockets=[listener])


def _spare_the_collector() -> None:
    """Let full garbage collections be rare: with many live pages each takes a fifth of a second and finds next to nothing."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 1_000)


class _Server(uvicorn.Server):
    """A server that ends its streams before it stops, so that it need not wait for them."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.config.app.state.house.tables.bus.close()  # type: ignore[union-attr]
        await super().shutdown(sockets)


def _listen(host: str, port: int | None) -> socket.socket:
    """A listening socket: on the wanted port, else on the usual one or, if that is taken, on any."""
    wishes = [port] if port is not None else [PORT, 0]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    problem: OSError | None = None
    for wish in wishes:
        try:
            return socket.create_server((host, wish), family=family, backlog=2048)
        except OSError as found:
            problem = found
    assert problem is not None
    message = say("Nothing can listen at {place}: {problem}", place=f"{host}:{wishes[0]}", problem=str(problem.strerror))
    raise MalformedError("cannot_listen", message)


def _shown(host: str) -> str:
    return "localhost" if host in ("127.0.0.1", "0.0.0.0") else f"[{host}]" if ":" in host else host


def _has_screen() -> bool:
    windows = sys.platform in ("win32", "darwin") or any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    return sys.stdout.isatty() and windows
