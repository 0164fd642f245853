"""The accept loop, and the share of connections that a process takes."""

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
"""A process has more than another from so many connections and so many times as many on: less would not be felt."""


class LoadShare:
    """How many connections each process has, in memory that all of them share, and the place of this one there. What one writes
    there the others may read a moment late, and a process that died leaves its last number: it is a hint and no more."""

    def __init__(self, counts: MutableSequence[int], place: int) -> None:
        self._counts, self._place = counts, place
        self.is_ahead(0)

    def is_ahead(self, connections: int) -> bool:
        """Note how many this one has; whether that is more than another has, which can well take the next."""
        self._counts[self._place] = connections
        return connections > LEAD_FACTOR * min(self._counts) + LEAD


logger = logging.getLogger(__name__)
BATCH_SIZE = 32
"""So many connections are taken before others get their turn."""
YIELD_SECONDS = 0.002
"""The seconds that other processes at the same socket have to take a connection, where this one has more than they."""
RETRY_DELAY = 0.1
"""The seconds until the next try where the system has no room for one more."""
LOG_INTERVAL = 60.0


class Acceptor:
    """Takes connections from a socket that listens. Event loops have this too, but where descriptors run out one of them
    turns newcomers away and the other complains two thousand times; this one makes room and tries again. Where `siblings` take
    connections from the same socket, it takes one at a time, and gives way while it has more than they."""

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
        """Let connections in."""
        self._timer = None
        self._loop.add_reader(self._listener.fileno(), self._on_readable)

    def close(self) -> None:
        """Let nobody in any more; whoever is in stays."""
        if self._timer:
            self._timer.cancel()
        with suppress(OSError, ValueError):
            self._loop.remove_reader(self._listener.fileno())

    async def wait_closed(self) -> None:
        """Nothing is left to be waited for."""

    def _on_readable(self) -> None:
        if self._siblings is None:
            self._accept(BATCH_SIZE)
        elif self._siblings.is_ahead(len(self._connections) + len(self._pending)):
            self.close()
            self._timer = self._loop.call_later(YIELD_SECONDS, self._resume)
        else:
            self._accept(1)

    def _resume(self) -> None:
        """Take a connection that nobody else took."""
        self.open()
        self._accept(1)

    def _accept(self, most: int) -> None:
        for _ in range(most):
            try:
                wire, _ = self._listener.accept()
            except (BlockingIOError, InterruptedError):
                return
            except ConnectionAbortedError:
                continue
            except OSError as problem:
                self._pause(problem)
                return
            task = self._loop.create_task(self._connect(wire))
            self._pending.add(task)
            task.add_done_callback(self._pending.discard)

    async def _connect(self, wire: socket.socket) -> None:
        try:
            wire.setblocking(False)
            wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await self._loop.connect_accepted_socket(self._make_protocol, wire)
        except OSError:  # it has gone meanwhile
            wire.close()

    def _pause(self, problem: OSError) -> None:
        """Take nobody for a moment, in which some have to go."""
        if time.monotonic() - self._logged >= LOG_INTERVAL:
            self._logged = time.monotonic()
            logger.error("no more than %d connections can be held: %s", len(self._connections), os.strerror(problem.errno or 0))
        self.close()
        self._connections.make_room(BATCH_SIZE)
        self._timer = self._loop.call_later(RETRY_DELAY, self.open)
