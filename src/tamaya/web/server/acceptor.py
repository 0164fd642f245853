"""The accept loop, and how processes share connections."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from collections.abc import Callable, MutableSequence
from contextlib import suppress

from tamaya.web.server.admission import ConnectionLimiter

LEAD = 4
LEAD_FACTOR = 1.1
"""A process is ahead of another if it has more than `LEAD_FACTOR` times its connections plus `LEAD`."""


class LoadShare:
    """The connections of each process in shared memory.

    The numbers are hints: they may be slightly outdated, and a process that died leaves its last one behind.
    """

    def __init__(self, counts: MutableSequence[int], index: int) -> None:
        self._counts, self._place = counts, index
        self.is_ahead(0)

    def is_ahead(self, connections: int) -> bool:
        """Publish the connections of this process; whether another has so few that it should take the next one."""
        self._counts[self._place] = connections
        return connections > LEAD_FACTOR * min(self._counts) + LEAD


logger = logging.getLogger(__name__)
BATCH_SIZE = 32
"""The connections accepted before the event loop runs other callbacks."""
YIELD_SECONDS = 0.002
"""The seconds during which a process that is ahead leaves connections to others."""
RETRY_DELAY = 0.1
"""The seconds until the next attempt after the system runs out of descriptors."""
LOG_INTERVAL = 60.0


class Acceptor:
    """Accepts connections from a listening socket.

    Unlike the servers of asyncio and uvloop, it closes idle connections and tries again when descriptors run out, and logs that
    once. If `siblings` accept from the same socket, it accepts one connection at a time, and pauses while it is ahead of them.
    """

    def __init__(
        self,
        listener: socket.socket,
        make_protocol: Callable[[], asyncio.Protocol],
        connections: ConnectionLimiter,
        siblings: LoadShare | None = None,
    ) -> None:
        self._listener, self._make_protocol, self._connections, self._siblings = listener, make_protocol, connections, siblings
        self._loop = asyncio.get_running_loop()
        self._pending: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._logged = -LOG_INTERVAL
        listener.setblocking(False)

    def open(self) -> None:
        """Start to accept connections."""
        self._timer = None
        self._loop.add_reader(self._listener.fileno(), self._on_readable)

    def close(self) -> None:
        """Stop accepting connections; open ones stay open."""
        if self._timer:
            self._timer.cancel()
        with suppress(OSError, ValueError):
            self._loop.remove_reader(self._listener.fileno())

    async def wait_closed(self) -> None:
        """Return at once; uvicorn calls this at shutdown."""

    def _on_readable(self) -> None:
        if self._siblings is None:
            self._accept(BATCH_SIZE)
        elif self._siblings.is_ahead(len(self._connections) + len(self._pending)):
            self.close()
            self._timer = self._loop.call_later(YIELD_SECONDS, self._resume)
        else:
            self._accept(1)

    def _resume(self) -> None:
        """Accept a connection that no other process took."""
        self.open()
        self._accept(1)

    def _accept(self, most: int) -> None:
        for _ in range(most):
            try:
                connection, _ = self._listener.accept()
            except (BlockingIOError, InterruptedError):
                return
            except ConnectionAbortedError:
                continue
            except OSError as error:
                self._pause(error)
                return
            task = self._loop.create_task(self._connect(connection))
            self._pending.add(task)
            task.add_done_callback(self._pending.discard)

    async def _connect(self, connection: socket.socket) -> None:
        try:
            connection.setblocking(False)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await self._loop.connect_accepted_socket(self._make_protocol, connection)
        except OSError:  # the client has disconnected
            connection.close()

    def _pause(self, error: OSError) -> None:
        """Close idle connections and stop accepting for a moment."""
        if time.monotonic() - self._logged >= LOG_INTERVAL:
            self._logged = time.monotonic()
            logger.error("accept failed with %d open connections: %s", len(self._connections), os.strerror(error.errno or 0))
        self.close()
        self._connections.make_room(BATCH_SIZE)
        self._timer = self._loop.call_later(RETRY_DELAY, self.open)
