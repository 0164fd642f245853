"""The server behind ``tamaya serve`` and ``tamaya replay``: a place to listen at, and how it starts and ends."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from tamaya.rules import MalformedError, say


async def _nothing() -> None:
    """Nothing has to be done before people are told."""


def run_server(
    app: Starlette,
    listener: socket.socket,
    ready: Callable[[], None],
    *,
    proxy: str = "",
    prepare: Callable[[], Awaitable[None]] = _nothing,
) -> None:
    """Serve until Ctrl+C or SIGTERM; when the application has started and `prepare` is done, `ready` tells people."""
    _allow_many_streams()
    _spare_the_collector()
    config = uvicorn.Config(
        app,
        http=_Connection,  # httptools reads headers without end and any number of requests ahead
        log_level="warning",
        timeout_graceful_shutdown=1,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=proxy,
    )
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends as orderly as Ctrl+C, and gives back what was lent
    with suppress(KeyboardInterrupt):
        _Server(config, ready, prepare).run(sockets=[listener])


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


class _Connection(H11Protocol):
    """A connection as uvicorn serves it, where a body that turns out to be malformed ends the request that it belongs to."""

    def send_400_response(self, msg: str) -> None:
        """Say so, unless an answer has begun; whoever is at work on one sees the client gone."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            if self.cycle.response_started:
                self.transport.close()
                return
        super().send_400_response(msg)


class _Server(uvicorn.Server):
    """A server that says when it is ready, and ends its streams before it stops, so that it need not wait for them."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], prepare: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self._ready, self._prepare = ready, prepare

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            await self._prepare()
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.config.app.state.house.tables.bus.close()  # type: ignore[union-attr]
        await super().shutdown(sockets)


def listen(host: str, ports: Sequence[int]) -> socket.socket:
    """A socket that listens on the first of these ports that is free; 0 stands for any that is."""
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


def open_browser(url: str, wanted: bool | None) -> None:
    """Show an address in a browser if that is wanted or, where nobody said, if there is a screen."""
    if wanted if wanted is not None else _has_screen():
        with suppress(webbrowser.Error):
            webbrowser.open(url)


def _has_screen() -> bool:
    windows = sys.platform in ("win32", "darwin") or any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    return sys.stdout.isatty() and windows
