"""How many connections a process holds, and which is closed when there are too many."""

from __future__ import annotations

import time
from collections.abc import Callable

from tamaya.web.http.client import address_of
from tamaya.web.server.connection import UNREAD, HttpConnection, Timeouts, Wait

PATIENT = Timeouts()
ROUNDS = 10
"""In so many parts all connections are looked at, a part each time, so that no page has to wait for it."""
LOOKS = 256
"""So many connections are asked at most whether they can go, for one that comes."""
SILENT = frozenset({Wait.REQUEST, Wait.HEAD})
SLOW = UNREAD | {Wait.BODY}


def _nobody(host: str) -> bool:
    return False


class ConnectionGroup:
    """Connections that share a limit, in the order in which they came: those that have never asked for anything, and others."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._strangers: dict[HttpConnection, None] = {}
        self._others: dict[HttpConnection, None] = {}

    def __len__(self) -> int:
        return len(self._strangers) + len(self._others)

    def add(self, wire: HttpConnection) -> None:
        """Count one that has just come."""
        self._strangers[wire] = None

    def has_asked(self, wire: HttpConnection) -> None:
        """Count it among those that have asked for something."""
        del self._strangers[wire]
        self._others[wire] = None

    def remove(self, wire: HttpConnection) -> None:
        """Count it no longer."""
        self._strangers.pop(wire, None)
        self._others.pop(wire, None)

    def wires(self) -> list[HttpConnection]:
        """All of them."""
        return [*self._strangers, *self._others]

    def first_to_go(self) -> HttpConnection | None:
        """Whom nobody misses: the oldest that never asked for anything, then one that is silent, then one that is slow."""
        for wire in self._strangers:
            return wire
        return self._one_of(SILENT) or self._one_of(SLOW)

    def _one_of(self, waits: frozenset[Wait]) -> HttpConnection | None:
        for _ in range(min(LOOKS, len(self._others))):
            wire = next(iter(self._others))
            del self._others[wire]
            self._others[wire] = None  # whoever was looked at is last to be looked at again
            if wire.waits_for() in waits:
                return wire
        return None


class ConnectionLimiter:
    """Counts connections in all and by address. Where there is no room, one that keeps the server waiting makes place for one
    that comes; only where there is none is the newcomer refused. Proxies that are trusted speak for many people: their
    connections count in all alone."""

    def __init__(
        self,
        most: int,
        most_of_one: int,
        *,
        trusted: Callable[[str], bool] = _nobody,
        patience: Timeouts = PATIENT,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._all, self._most_of_one = ConnectionGroup(most), most_of_one
        self._by_address: dict[str, ConnectionGroup] = {}
        self._trusted, self._patience, self._clock = trusted, patience, clock
        self._to_look_at: list[HttpConnection] = []
        self._part = 0

    def __len__(self) -> int:
        return len(self._all)

    def add(self, wire: HttpConnection) -> bool:
        """Count a connection that has come, unless there is no room for it."""
        address = "" if self._trusted(wire.host) else address_of(wire.host)
        own = self._by_address.get(address, ConnectionGroup(self._most_of_one)) if address else None
        crowds = (own, self._all) if own is not None else (self._all,)
        for crowd in crowds:
            if len(crowd) >= crowd.most and not self._make_room(crowd):
                return False
        for crowd in crowds:
            crowd.add(wire)
        if own is not None:
            self._by_address[address] = own
        wire.crowds = crowds
        return True

    def has_asked(self, wire: HttpConnection) -> None:
        """Note that a connection has asked for something."""
        for crowd in wire.crowds:
            crowd.has_asked(wire)

    def remove(self, wire: HttpConnection) -> None:
        """Count a connection no longer."""
        for crowd in wire.crowds:
            crowd.remove(wire)
        if len(wire.crowds) > 1 and not wire.crowds[0]:
            self._by_address.pop(address_of(wire.host), None)
        wire.crowds = ()

    def make_room(self, wires: int) -> None:
        """End so many connections that keep the server waiting, if there are."""
        for _ in range(wires):
            if not self._make_room(self._all):
                return

    def _make_room(self, crowd: ConnectionGroup) -> bool:
        wire = crowd.first_to_go()
        if wire:
            self._end(wire)
        return wire is not None

    def _end(self, wire: HttpConnection) -> None:
        self.remove(wire)
        wire.drop()

    def end_slow(self) -> None:
        """End everybody who has not read what was sent."""
        for wire in self._all.wires():
            if wire.waits_for() in UNREAD:
                self._end(wire)

    def look_at_some(self) -> None:
        """Look at the next part of all connections, and end those that are late."""
        if not self._to_look_at:
            self._to_look_at = self._all.wires()
            self._part = -(-len(self._to_look_at) // ROUNDS)
        part, self._to_look_at = self._to_look_at[: self._part], self._to_look_at[self._part :]
        now = self._clock()
        for wire in part:
            if wire.crowds and wire.is_late(now, self._patience):
                self._end(wire)
