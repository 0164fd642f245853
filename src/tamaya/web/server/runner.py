"""Runs the server of ``tamaya serve`` and ``tamaya replay``: its socket, start and graceful stop."""

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
"""Concurrent connections of one address, which a whole club may share."""
RESERVED_DESCRIPTORS = 256
"""File descriptors not used for connections: this many, or a quarter of all if that is less."""
LAST_REQUESTS_DELAY = 0.2
"""The seconds at shutdown in which new connections can still send their request."""
SHUTDOWN_TIMEOUT = 3
"""The seconds that running requests have at shutdown."""
READ_TIMEOUT = 1.0
"""The seconds that clients have at shutdown to read their output."""
RECONNECTS_PER_MS = 2.0
"""How many live pages reconnect per millisecond after a shutdown."""
SEND_BUFFER = 128 * 1024
"""The kernel's buffer of unread output per connection; Linux doubles the number, and would use several MiB by default."""


async def _nothing() -> None:
    pass


def run_server(
    app: Starlette,
    listener: socket.socket,
    on_ready: Callable[[], None],
    *,
    proxy: str = "",
    prepare: Callable[[], Awaitable[None]] = _nothing,
    log_format: str = "text",
    siblings: LoadShare | None = None,
) -> None:
    """Serve until Ctrl+C or SIGTERM; a second one stops the server at once.

    `prepare` runs when the application has started, `ready` is called when the server accepts connections. `siblings` counts
    the connections of other processes at the same socket.
    """
    _raise_file_limit()
    _tune_garbage_collector()
    config = uvicorn.Config(
        app,
        http="h11",  # httptools reads endless headers, and reads ahead without limit
        ws="none",
        log_config=None,
        log_level="warning",
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=proxy,
    )
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # stops as gracefully as Ctrl+C, and releases resources
    with suppress(KeyboardInterrupt):
        _Server(config, on_ready, prepare, log_format, siblings).run(sockets=[listener])


def _raise_file_limit() -> None:
    """Raise the soft limit on open files to the hard limit, as each live page needs one."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _tune_garbage_collector() -> None:
    """Make garbage collections short and full ones rare.

    With many live pages a full collection blocks the event loop for a fifth of a second and finds next to nothing; the hourly
    sweep makes one. With lower thresholds, more short-lived objects would reach the oldest generation.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 5, 100_000)


def _max_connections() -> int:
    """How many connections this process can hold, besides the reserved descriptors."""
    with suppress(ImportError, OSError):
        import resource

        descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        if descriptors != resource.RLIM_INFINITY:
            return max(1, descriptors - min(RESERVED_DESCRIPTORS, descriptors // 4))
    return 10_000


class _Server(uvicorn.Server):
    """A uvicorn server with connection limits, a callback when it is ready, and a handover of streams at shutdown."""

    def __init__(
        self,
        config: uvicorn.Config,
        on_ready: Callable[[], None],
        prepare: Callable[[], Awaitable[None]],
        log_format: str,
        siblings: LoadShare | None,
    ) -> None:
        super().__init__(config)
        self._on_ready, self._prepare, self._log_format, self._siblings = on_ready, prepare, log_format, siblings
        trusted = ProxyHeadersMiddleware(config.app, config.forwarded_allow_ips).trusted_hosts  # type: ignore[arg-type]
        most = _max_connections()
        self._connections = ConnectionLimiter(
            most, min(MAX_PER_ADDRESS, -(-most // 2)), trusted=trusted.__contains__, timeouts=TIMEOUTS
        )

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        configure_logging(self._log_format)
        await super().serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup([])
        if self.started:
            await self._prepare()
            for listener in sockets or ():
                await self._open(listener)
            self._on_ready()

    async def _open(self, listener: socket.socket) -> None:
        def make() -> HttpConnection:
            return HttpConnection(self.config, self.server_state, self.lifespan.state, limiter=self._connections)

        acceptor = Acceptor(listener, make, self._connections, self._siblings)
        try:
            acceptor.open()
            self.servers.append(acceptor)  # type: ignore[arg-type]
        except NotImplementedError:  # on Windows
            self.servers.append(await asyncio.get_running_loop().create_server(make, sock=listener))

    async def on_tick(self, counter: int) -> bool:
        self._connections.check_batch()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for acceptor in self.servers:
            acceptor.close()
        await asyncio.sleep(LAST_REQUESTS_DELAY)
        for connection in list(self.server_state.connections):
            connection.shutdown()
        asyncio.get_running_loop().call_later(READ_TIMEOUT, self._connections.drop_unread)
        services: Services = self.config.app.state.services  # type: ignore[union-attr]
        services.reconnect_spread_ms = len(self._connections) / RECONNECTS_PER_MS
        services.tables.bus.end_streams()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if sig == signal.SIGINT and self._siblings is not None:
            return  # the supervisor handles Ctrl+C and stops this process
        if self.should_exit:
            signal.signal(sig, signal.SIG_DFL)
            signal.raise_signal(sig)
        super().handle_exit(sig, frame)


def listen(host: str, ports: Sequence[int]) -> socket.socket:
    """A socket that listens on the first free one of these ports; 0 stands for any."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    error: OSError | None = None
    for wanted in ports:
        try:
            both = host == "::" and socket.has_dualstack_ipv6()
            listener = socket.create_server((host, wanted), family=family, backlog=2048, dualstack_ipv6=both)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
            return listener
        except OSError as found:
            error = found
    assert error is not None
    message = say("Nothing can listen at {place}: {problem}", place=f"{host}:{ports[0]}", problem=str(error.strerror))
    raise MalformedError("cannot_listen", message)


def open_browser(url: str, enabled: bool | None) -> None:
    """Open a URL in a browser if `enabled`, or if None and there is a screen."""
    if enabled if enabled is not None else _has_screen():
        with suppress(webbrowser.Error):
            webbrowser.open(url)


def _has_screen() -> bool:
    windows = sys.platform in ("win32", "darwin") or any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    return sys.stdout.isatty() and windows
