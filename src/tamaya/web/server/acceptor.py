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

SLACK = 4
SHARE = 1.1
"""A process has more than another from so many connections and so many times as many on: less would not be felt."""


class LoadShare:
    """How many connections each process has, in memory that all of them share, and the place of this one there. What one writes
    there the others may read a moment late, and a process that died leaves its last number: it is a hint and no more."""

    def __init__(self, held: MutableSequence[int], place: int) -> None:
        self._held, self._place = held, place
        self.has_more(0)

    def has_more(self, connections: int) -> bool:
        """Note how many this one has; whether that is more than another has, which can well take the next."""
        self._held[self._place] = connections
        return connections > SHARE * min(self._held) + SLACK


logger = logging.getLogger(__name__)
AT_ONCE = 32
"""So many connections are taken before others get their turn."""
GIVING_WAY = 0.002
"""The seconds that other processes at the same socket have to take a connection, where this one has more than they."""
REST = 0.1
"""The seconds until the next try where the system has no room for one more."""
TOLD_EVERY = 60.0


class Acceptor:
    """Takes connections from a socket that listens. Event loops have this too, but where descriptors run out one of them
    turns newcomers away and the other complains two thousand times; this one makes room and tries again. Where `siblings` take
    connections from the same socket, it takes one at a time, and gives way while it has more than they."""

    def __init__(
        self,
        listener: socket.socket,
        make: Callable[[], asyncio.Protocol],
        known: ConnectionLimiter,
        siblings: LoadShare | None = None,
    ) -> None:
        self._listener, self._make, self._known, self._siblings = listener, make, known, siblings
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
        if self._siblings is None:
            self._take(AT_ONCE)
        elif self._siblings.has_more(len(self._known) + len(self._coming)):
            self.close()
            self._resting = self._loop.call_later(GIVING_WAY, self._take_what_is_left)
        else:
            self._take(1)

    def _take_what_is_left(self) -> None:
        """Take a connection that nobody else took."""
        self.open()
        self._take(1)

    def _take(self, most: int) -> None:
        for _ in range(most):
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
