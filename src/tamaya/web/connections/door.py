"""Where connections come in."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress

from tamaya.web.connections.crowd import Connections

logger = logging.getLogger(__name__)
AT_ONCE = 32
"""So many connections are taken before others get their turn."""
REST = 0.1
"""The seconds until the next try where the system has no room for one more."""
TOLD_EVERY = 60.0


class Door:
    """Takes connections from a socket that listens. Event loops have this too, but where descriptors run out one of them
    turns newcomers away and the other complains two thousand times; this one makes room and tries again."""

    def __init__(self, listener: socket.socket, make: Callable[[], asyncio.Protocol], known: Connections) -> None:
        self._listener, self._make, self._known = listener, make, known
        self._loop = asyncio.get_running_loop()
        self._coming: set[asyncio.Task[None]] = set()
        self._resting: asyncio.TimerHandle | None = None
        self._told = -TOLD_EVERY
        listener.setblocking(False)

    def open(self) -> None:
        """Let connections in."""
        self._resting = None
        self._loop.add_reader(self._listener.fileno(), self._let_in)

    def close(self) -> None:
        """Let nobody in any more; whoever is in stays."""
        if self._resting:
            self._resting.cancel()
        with suppress(OSError, ValueError):
            self._loop.remove_reader(self._listener.fileno())

    async def wait_closed(self) -> None:
        """Nothing is left to be waited for."""

    def _let_in(self) -> None:
        for _ in range(AT_ONCE):
            try:
                wire, _ = self._listener.accept()
            except (BlockingIOError, InterruptedError):
                return
            except ConnectionAbortedError:
                continue
            except OSError as problem:
                self._rest(problem)
                return
            task = self._loop.create_task(self._connect(wire))
            self._coming.add(task)
            task.add_done_callback(self._coming.discard)

    async def _connect(self, wire: socket.socket) -> None:
        try:
            wire.setblocking(False)
            wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await self._loop.connect_accepted_socket(self._make, wire)
        except OSError:  # it has gone meanwhile
            wire.close()

    def _rest(self, problem: OSError) -> None:
        """Take nobody for a moment, in which some have to go."""
        if time.monotonic() - self._told >= TOLD_EVERY:
            self._told = time.monotonic()
            logger.error("no more than %d connections can be held: %s", len(self._known), os.strerror(problem.errno or 0))
        self.close()
        self._known.make_room(AT_ONCE)
        self._resting = self._loop.call_later(REST, self.open)
