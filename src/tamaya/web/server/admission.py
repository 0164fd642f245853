"""How many connections a process holds, and which is closed when there are too many."""

from __future__ import annotations

import time
from collections.abc import Callable

from tamaya.web.http.client import address_of
from tamaya.web.server.connection import UNREAD_WAITS, HttpConnection, Timeouts, Wait

DEFAULT_TIMEOUTS = Timeouts()
CHECK_ROUNDS = 10
"""In so many parts all connections are looked at, a part each time, so that no page has to wait for it."""
MAX_CANDIDATES = 256
"""So many connections are asked at most whether they can go, for one that comes."""
IDLE_WAITS = frozenset({Wait.REQUEST, Wait.HEAD})
SLOW_WAITS = UNREAD_WAITS | {Wait.BODY}


def _trust_none(host: str) -> bool:
    return False


class ConnectionGroup:
    """Connections that share a limit, in the order in which they came: those that have never asked for anything, and others."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._new: dict[HttpConnection, None] = {}
        self._active: dict[HttpConnection, None] = {}

    def __len__(self) -> int:
        return len(self._new) + len(self._active)

    def add(self, wire: HttpConnection) -> None:
        """Count one that has just come."""
        self._new[wire] = None

    def mark_active(self, wire: HttpConnection) -> None:
        """Count it among those that have asked for something."""
        del self._new[wire]
        self._active[wire] = None

    def remove(self, wire: HttpConnection) -> None:
        """Count it no longer."""
        self._new.pop(wire, None)
        self._active.pop(wire, None)

    def connections(self) -> list[HttpConnection]:
        """All of them."""
        return [*self._new, *self._active]

    def next_to_close(self) -> HttpConnection | None:
        """Whom nobody misses: the oldest that never asked for anything, then one that is silent, then one that is slow."""
        for wire in self._new:
            return wire
        return self._find_waiting(IDLE_WAITS) or self._find_waiting(SLOW_WAITS)

    def _find_waiting(self, waits: frozenset[Wait]) -> HttpConnection | None:
        for _ in range(min(MAX_CANDIDATES, len(self._active))):
            wire = next(iter(self._active))
            del self._active[wire]
            self._active[wire] = None  # whoever was looked at is last to be looked at again
            if wire.current_wait() in waits:
                return wire
        return None


class ConnectionLimiter:
    """Counts connections in all and by address. Where there is no room, one that keeps the server waiting makes place for one
    that comes; only where there is none is the newcomer refused. Proxies that are trusted speak for many people: their
    connections count in all alone."""

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

    def add(self, wire: HttpConnection) -> bool:
        """Count a connection that has come, unless there is no room for it."""
        address = "" if self._trusted(wire.host) else address_of(wire.host)
        own = self._by_address.get(address, ConnectionGroup(self._address_limit)) if address else None
        crowds = (own, self._all) if own is not None else (self._all,)
        for crowd in crowds:
            if len(crowd) >= crowd.limit and not self._drop_one(crowd):
                return False
        for crowd in crowds:
            crowd.add(wire)
        if own is not None:
            self._by_address[address] = own
        wire.groups = crowds
        return True

    def mark_active(self, wire: HttpConnection) -> None:
        """Note that a connection has asked for something."""
        for crowd in wire.groups:
            crowd.mark_active(wire)

    def remove(self, wire: HttpConnection) -> None:
        """Count a connection no longer."""
        for crowd in wire.groups:
            crowd.remove(wire)
        if len(wire.groups) > 1 and not wire.groups[0]:
            self._by_address.pop(address_of(wire.host), None)
        wire.groups = ()

    def make_room(self, count: int) -> None:
        """End so many connections that keep the server waiting, if there are."""
        for _ in range(count):
            if not self._drop_one(self._all):
                return

    def _drop_one(self, group: ConnectionGroup) -> bool:
        wire = group.next_to_close()
        if wire:
            self._drop(wire)
        return wire is not None

    def _drop(self, wire: HttpConnection) -> None:
        self.remove(wire)
        wire.drop()

    def drop_unread(self) -> None:
        """End everybody who has not read what was sent."""
        for wire in self._all.connections():
            if wire.current_wait() in UNREAD_WAITS:
                self._drop(wire)

    def check_batch(self) -> None:
        """Look at the next part of all connections, and end those that are late."""
        if not self._to_check:
            self._to_check = self._all.connections()
            self._batch_size = -(-len(self._to_check) // CHECK_ROUNDS)
        part, self._to_check = self._to_check[: self._batch_size], self._to_check[self._batch_size :]
        now = self._clock()
        for wire in part:
            if wire.groups and wire.is_overdue(now, self._timeouts):
                self._drop(wire)
