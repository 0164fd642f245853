"""Run the server of ``tamaya serve`` and ``tamaya replay``: where it listens, how it starts and ends."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn
from starlette.applications import Starlette
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from tamaya.rules import MalformedError, say
from tamaya.web.ops.logs import configure_logging
from tamaya.web.server import Acceptor, ConnectionLimiter, HttpConnection, LoadShare, Timeouts

if TYPE_CHECKING:
    from tamaya.web.services import Services

TIMEOUTS = Timeouts()
MAX_PER_ADDRESS = 1000
"""Connections of one address at a time; a whole club may sit behind it."""
RESERVED_DESCRIPTORS = 256
"""Descriptors that are left to the database, to files and to processes, or a quarter of all where that is less."""
LAST_REQUESTS_DELAY = 0.2
"""The seconds in which those can ask who have just come when the server is asked to stop."""
SHUTDOWN_TIMEOUT = 3
"""The seconds that requests have to come to their end once the server is asked to stop."""
READ_TIMEOUT = 1.0
"""The seconds after which those are cut off then who do not read."""
RECONNECTS_PER_MS = 2.0
"""Pages that come back in a millisecond, when all have to."""
SEND_BUFFER = 128 * 1024
"""What the system keeps for a connection that does not read; it takes twice that, and left to itself several MiB."""


async def _nothing() -> None:
    """Nothing has to be done before people are told."""


def run_server(
    app: Starlette,
    listener: socket.socket,
    ready: Callable[[], None],
    *,
    proxy: str = "",
    prepare: Callable[[], Awaitable[None]] = _nothing,
    log: str = "text",
    siblings: LoadShare | None = None,
) -> None:
    """Serve until Ctrl+C or SIGTERM; when the application has started and `prepare` is done, `ready` tells people. A second
    Ctrl+C or SIGTERM ends everything at once. `siblings` are other processes at the same socket."""
    _raise_file_limit()
    _tune_garbage_collector()
    config = uvicorn.Config(
        app,
        http="h11",  # httptools reads headers without end and any number of requests ahead
        ws="none",
        log_config=None,
        log_level="warning",
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=proxy,
    )
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends as orderly as Ctrl+C, and gives back what was lent
    with suppress(KeyboardInterrupt):
        _Server(config, ready, prepare, log, siblings).run(sockets=[listener])


def _raise_file_limit() -> None:
    """Let as many pages be live as the system lets this process have files; the usual limit is for one user's shell."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _tune_garbage_collector() -> None:
    """Let garbage collections be short, and full ones rare: with many live pages a full one takes a fifth of a second and
    finds next to nothing, and everybody waits meanwhile. The hourly sweep makes one. If they were shorter still, more of what
    requests leave behind would be taken for something that lasts."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 5, 100_000)


def _max_connections() -> int:
    """How many connections a process can have and still open files."""
    with suppress(ImportError, OSError):
        import resource

        descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        if descriptors != resource.RLIM_INFINITY:
            return max(1, descriptors - min(RESERVED_DESCRIPTORS, descriptors // 4))
    return 10_000


class _Server(uvicorn.Server):
    """A server that says when it is ready, lets nobody keep it waiting, and hands its streams over before it stops."""

    def __init__(
        self,
        config: uvicorn.Config,
        ready: Callable[[], None],
        prepare: Callable[[], Awaitable[None]],
        log: str,
        siblings: LoadShare | None,
    ) -> None:
        super().__init__(config)
        self._ready, self._prepare, self._log, self._siblings = ready, prepare, log, siblings
        trusted = ProxyHeadersMiddleware(config.app, config.forwarded_allow_ips).trusted_hosts  # type: ignore[arg-type]
        most = _max_connections()
        self._connections = ConnectionLimiter(
            most, min(MAX_PER_ADDRESS, -(-most // 2)), trusted=trusted.__contains__, timeouts=TIMEOUTS
        )

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        configure_logging(self._log)
        await super().serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup([])
        if self.started:
            await self._prepare()
            for listener in sockets or ():
                await self._open(listener)
            self._ready()

    async def _open(self, listener: socket.socket) -> None:
        def make() -> HttpConnection:
            return HttpConnection(self.config, self.server_state, self.lifespan.state, limiter=self._connections)

        door = Acceptor(listener, make, self._connections, self._siblings)
        try:
            door.open()
            self.servers.append(door)  # type: ignore[arg-type]
        except NotImplementedError:  # on Windows
            self.servers.append(await asyncio.get_running_loop().create_server(make, sock=listener))

    async def on_tick(self, counter: int) -> bool:
        self._connections.check_batch()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for door in self.servers:
            door.close()
        await asyncio.sleep(LAST_REQUESTS_DELAY)
        for wire in list(self.server_state.connections):
            wire.shutdown()
        asyncio.get_running_loop().call_later(READ_TIMEOUT, self._connections.drop_unread)
        services: Services = self.config.app.state.services  # type: ignore[union-attr]
        services.reconnect_spread_ms = len(self._connections) / RECONNECTS_PER_MS
        services.tables.bus.end_streams()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if sig == signal.SIGINT and self._siblings is not None:
            return  # Ctrl+C is for the process that looks after this one and asks it to stop
        if self.should_exit:
            signal.signal(sig, signal.SIG_DFL)
            signal.raise_signal(sig)
        super().handle_exit(sig, frame)


def listen(host: str, ports: Sequence[int]) -> socket.socket:
    """A socket that listens on the first of these ports that is free; 0 stands for any that is."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    problem: OSError | None = None
    for wanted in ports:
        try:
            both = host == "::" and socket.has_dualstack_ipv6()
            listener = socket.create_server((host, wanted), family=family, backlog=2048, dualstack_ipv6=both)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
            return listener
        except OSError as found:
            problem = found
    assert problem is not None
    message = say("Nothing can listen at {place}: {problem}", place=f"{host}:{ports[0]}", problem=str(problem.strerror))
    raise MalformedError("cannot_listen", message)


def open_browser(url: str, enabled: bool | None) -> None:
    """Show an address in a browser if that is wanted or, where nobody said, if there is a screen."""
    if enabled if enabled is not None else _has_screen():
        with suppress(webbrowser.Error):
            webbrowser.open(url)


def _has_screen() -> bool:
    windows = sys.platform in ("win32", "darwin") or any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    return sys.stdout.isatty() and windows
