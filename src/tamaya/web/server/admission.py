"""Limits on connections, in total and per address, and the choice of which to close when one is reached."""

from __future__ import annotations

import time
from collections.abc import Callable

from tamaya.web.http.client import address_of
from tamaya.web.server.connection import UNREAD_WAITS, HttpConnection, Timeouts, Wait

DEFAULT_TIMEOUTS = Timeouts()
CHECK_ROUNDS = 10
"""The number of batches in which all connections are checked, so that a check does not delay requests."""
MAX_CANDIDATES = 256
"""The connections considered for closing when a new one needs room."""
IDLE_WAITS = frozenset({Wait.REQUEST, Wait.HEAD})
SLOW_WAITS = UNREAD_WAITS | {Wait.BODY}


def _trust_none(host: str) -> bool:
    return False


class ConnectionGroup:
    """Connections that share a limit: new ones, which have not sent a request yet, and active ones, each oldest first."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._new: dict[HttpConnection, None] = {}
        self._active: dict[HttpConnection, None] = {}

    def __len__(self) -> int:
        return len(self._new) + len(self._active)

    def add(self, connection: HttpConnection) -> None:
        """Add a new connection."""
        self._new[connection] = None

    def mark_active(self, connection: HttpConnection) -> None:
        """Mark a connection as active: it has sent a request."""
        del self._new[connection]
        self._active[connection] = None

    def remove(self, connection: HttpConnection) -> None:
        """Remove a connection."""
        self._new.pop(connection, None)
        self._active.pop(connection, None)

    def connections(self) -> list[HttpConnection]:
        """All connections."""
        return [*self._new, *self._active]

    def next_to_close(self) -> HttpConnection | None:
        """The most dispensable connection: the oldest without a request, else an idle one, else a slow one."""
        for connection in self._new:
            return connection
        return self._find_waiting(IDLE_WAITS) or self._find_waiting(SLOW_WAITS)

    def _find_waiting(self, waits: frozenset[Wait]) -> HttpConnection | None:
        for _ in range(min(MAX_CANDIDATES, len(self._active))):
            connection = next(iter(self._active))
            del self._active[connection]
            self._active[connection] = None  # moves it to the end of the queue
            if connection.current_wait() in waits:
                return connection
        return None


class ConnectionLimiter:
    """Limits connections in total and per address.

    At a limit, an idle or slow connection is closed in favour of a new one; if there is none, the new one is refused. Trusted
    proxies, which carry many clients, have no limit per address.
    """

    def __init__(
        self,
        limit: int,
        address_limit: int,
        *,
        trusted: Callable[[str], bool] = _trust_none,
        timeouts: Timeouts = DEFAULT_TIMEOUTS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._all, self._address_limit = ConnectionGroup(limit), address_limit
        self._by_address: dict[str, ConnectionGroup] = {}
        self._trusted, self._timeouts, self._clock = trusted, timeouts, clock
        self._to_check: list[HttpConnection] = []
        self._batch_size = 0

    def __len__(self) -> int:
        return len(self._all)

    def add(self, connection: HttpConnection) -> bool:
        """Add a new connection; False if it has to be refused."""
        address = "" if self._trusted(connection.host) else address_of(connection.host)
        own = self._by_address.get(address, ConnectionGroup(self._address_limit)) if address else None
        groups = (own, self._all) if own is not None else (self._all,)
        for group in groups:
            if len(group) >= group.limit and not self._drop_one(group):
                return False
        for group in groups:
            group.add(connection)
        if own is not None:
            self._by_address[address] = own
        connection.groups = groups
        return True

    def mark_active(self, connection: HttpConnection) -> None:
        """Mark a connection as active: it has sent a request."""
        for group in connection.groups:
            group.mark_active(connection)

    def remove(self, connection: HttpConnection) -> None:
        """Remove a closed connection."""
        for group in connection.groups:
            group.remove(connection)
        if len(connection.groups) > 1 and not connection.groups[0]:
            self._by_address.pop(address_of(connection.host), None)
        connection.groups = ()

    def make_room(self, count: int) -> None:
        """Close up to N idle or slow connections."""
        for _ in range(count):
            if not self._drop_one(self._all):
                return

    def _drop_one(self, group: ConnectionGroup) -> bool:
        connection = group.next_to_close()
        if connection:
            self._drop(connection)
        return connection is not None

    def _drop(self, connection: HttpConnection) -> None:
        self.remove(connection)
        connection.drop()

    def drop_unread(self) -> None:
        """Close all connections with unread output."""
        for connection in self._all.connections():
            if connection.current_wait() in UNREAD_WAITS:
                self._drop(connection)

    def check_batch(self) -> None:
        """Check the next batch of connections, and close those that have timed out."""
        if not self._to_check:
            self._to_check = self._all.connections()
            self._batch_size = -(-len(self._to_check) // CHECK_ROUNDS)
        part, self._to_check = self._to_check[: self._batch_size], self._to_check[self._batch_size :]
        now = self._clock()
        for connection in part:
            if connection.groups and connection.is_overdue(now, self._timeouts):
                self._drop(connection)
