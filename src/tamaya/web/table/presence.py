"""Presence: who has a page of a table open, in this process or another."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import msgspec

from tamaya.table import Bus, Table, TableService
from tamaya.web.http.rate_limits import Client, RateLimiter

TOPIC = "roll"
PROCESS_TIMEOUT = 20.0
"""Seconds of silence after which another process counts as dead."""
BATCH_SIZE = 50
"""Changes per message."""

PresenceEntry = tuple[str, str]
"""A place and a person with a page open there."""


class _Message(msgspec.Struct, array_like=True, omit_defaults=True):
    """Who joined and left, or a part of the full list; `asks` requests the lists of the others."""

    joined: list[PresenceEntry] = []
    left: list[PresenceEntry] = []
    part: int = 0
    parts: int = 0
    asks: bool = False


@dataclass
class _OtherProcess:
    """What is known of another process: its last message, its entries, and the full list as far as received."""

    heard: float
    entries: set[PresenceEntry] = field(default_factory=set)
    listed: set[PresenceEntry] = field(default_factory=set)


class PresenceSync:
    """Presence across processes: each broadcasts joins and leaves, and requests full lists at start.

    `changed` is called for places that a full list or a dead process changes; the caller publishes joins and leaves itself.
    """

    def __init__(self, bus: Bus, changed: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._bus, self._changed, self._clock = bus, changed, clock
        self._own: set[PresenceEntry] = set()
        self._others: dict[str, _OtherProcess] = {}
        self._places: dict[str, dict[str, int]] = {}
        self._joined: list[PresenceEntry] = []
        self._left: list[PresenceEntry] = []
        self._sending: asyncio.Handle | None = None
        bus.on_broadcast(TOPIC, self._on_message)
        bus.on_broadcast("beat", self._on_heartbeat)
        bus.on_broadcast("gap", lambda sender, text: self.request_lists())
        self.request_lists()

    def join(self, place: str, person: str) -> None:
        """Record that a person has a page open in this process."""
        self._own.add((place, person))
        self._queue(self._joined, (place, person))

    def leave(self, place: str, person: str) -> None:
        """Record that a person has closed their last page in this process."""
        self._own.discard((place, person))
        self._queue(self._left, (place, person))

    def remote(self, place: str) -> frozenset[str]:
        """The people at a place in other processes."""
        return frozenset(self._places.get(place, ()))

    def request_lists(self) -> None:
        """Exchange full lists, at start and after lost messages."""
        self._broadcast(_Message(asks=True))
        self._broadcast_list()

    def _queue(self, changes: list[PresenceEntry], entry: PresenceEntry) -> None:
        if not self._bus.shared:
            return
        if (entry in self._joined) or (entry in self._left):
            self._send()  # keeps the order of two changes of one entry
        changes.append(entry)
        if len(self._joined) + len(self._left) >= BATCH_SIZE:
            self._send()
        elif self._sending is None:
            self._sending = asyncio.get_running_loop().call_soon(self._send)

    def _send(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None
        if self._joined or self._left:
            self._broadcast(_Message(self._joined, self._left))
            self._joined, self._left = [], []

    def _broadcast_list(self) -> None:
        entries = sorted(self._own)
        parts = [entries[start : start + BATCH_SIZE] for start in range(0, max(len(entries), 1), BATCH_SIZE)]
        for number, part in enumerate(parts):
            self._broadcast(_Message(part, part=number, parts=len(parts)))

    def _broadcast(self, message: _Message) -> None:
        if self._bus.shared:
            self._bus.broadcast(TOPIC, msgspec.json.encode(message).decode())

    def _on_message(self, sender: str, text: str) -> None:
        message = msgspec.json.decode(text, type=_Message)
        other = self._others.setdefault(sender, _OtherProcess(self._clock()))
        other.heard = self._clock()
        if message.asks:
            self._broadcast_list()
            return
        if not message.parts:
            self._update(other, {*message.joined}, {*message.left})
            return
        other.listed = {*message.joined} if message.part == 0 else other.listed | {*message.joined}
        if message.part == message.parts - 1:
            joined, left = other.listed - other.entries, other.entries - other.listed
            self._update(other, joined, left)
            self._report_changes(joined | left)

    def _update(self, other: _OtherProcess, joined: set[PresenceEntry], left: set[PresenceEntry]) -> None:
        self._remove(other, other.entries & left)
        for place, person in joined - other.entries:
            other.entries.add((place, person))
            people = self._places.setdefault(place, {})
            people[person] = people.get(person, 0) + 1

    def _report_changes(self, entries: Iterable[PresenceEntry]) -> None:
        for place in {place for place, _ in entries}:
            self._changed(place)

    def _remove(self, other: _OtherProcess, entries: Iterable[PresenceEntry]) -> None:
        for place, person in entries:
            other.entries.discard((place, person))
            people = self._places[place]
            people[person] -= 1
            if not people[person]:
                del people[person]
            if not people:
                del self._places[place]

    def _on_heartbeat(self, sender: str, text: str) -> None:
        """Note the heartbeat, and remove processes that are silent."""
        now = self._clock()
        if sender in self._others:
            self._others[sender].heard = now
        for name, other in list(self._others.items()):
            if now - other.heard > PROCESS_TIMEOUT:
                gone = set(other.entries)
                self._remove(other, gone)
                del self._others[name]
                self._report_changes(gone)


LEAVE_GRACE = 5.0
"""Seconds after closing the last page until a person counts as away; reloading takes less."""
ANNOUNCE_INTERVAL = 0.25
"""The shortest time in seconds between two announcements at one place."""
UpdateClient = Callable[[Client], None]
IsVisible = Callable[[], bool]
"""Whether pages of a place show this person's coming and going."""


def always_visible() -> bool:
    """For places that show everyone."""
    return True


class Presence:
    """Counts open pages. A table's people count as away only after they have had time to arrive."""

    def __init__(self, tables: TableService, limits: RateLimiter) -> None:
        self._tables, self._limits = tables, limits
        self._page_counts: Counter[tuple[str, str]] = Counter()
        self._leaving: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self._gathering: dict[str, asyncio.TimerHandle] = {}
        self._unreported: dict[str, Table] = {}
        """Tables whose absent people were not reported yet, because people were still arriving."""
        self._present: dict[str, set[str]] = {}
        """The keys of `_page_counts`, by place."""
        self._publishing: set[asyncio.Task[None]] = set()
        self._paused: dict[str, bool] = {}
        self._sync = PresenceSync(tables.bus, self.announce)

    @contextmanager
    def page_open(self, code: str, person: str, caller: Client, shown: IsVisible = always_visible) -> Iterator[UpdateClient]:
        """Count a person as present at a place (a table's code or another bus channel) while their page is open. Yields a
        callback that updates the client for rate limits. Pages there are rendered again on joins and leaves that are
        `shown`."""
        key = code, person
        with self._limits.stream(caller) as recount:
            self._join(key, shown)
            try:
                yield recount
            finally:
                self._page_counts[key] -= 1
                if self._page_counts[key] <= 0:
                    self._leaving[key] = asyncio.get_running_loop().call_later(LEAVE_GRACE, self._leave, key, shown)

    def _join(self, key: tuple[str, str], shown: IsVisible) -> None:
        code, person = key
        if leaving := self._leaving.pop(key, None):
            leaving.cancel()
        if key not in self._page_counts:
            if code not in self._present:
                self._gathering[code] = asyncio.get_running_loop().call_later(LEAVE_GRACE, self._end_gathering, code)
            self._present.setdefault(code, set()).add(person)
            self._sync.join(*key)
            if shown():
                self.announce(code)
        self._page_counts[key] += 1

    def _end_gathering(self, code: str) -> None:
        del self._gathering[code]
        table = self._unreported.pop(code, None)
        if table and self.missing(table):
            self.announce(code)

    def _leave(self, key: tuple[str, str], shown: IsVisible) -> None:
        del self._leaving[key], self._page_counts[key]
        code, person = key
        self._present[code].discard(person)
        self._sync.leave(code, person)
        if not self._present[code]:
            del self._present[code]
            if gathering := self._gathering.pop(code, None):
                gathering.cancel()
                self._unreported.pop(code, None)
        if shown():
            self.announce(code)

    def announce(self, code: str) -> None:
        """Have all pages of a place rendered again: at once, or together with further changes after a pause."""
        if code in self._paused:
            self._paused[code] = True
            return
        self._paused[code] = False
        loop = asyncio.get_running_loop()
        loop.call_later(ANNOUNCE_INTERVAL, self._end_pause, code)
        telling = loop.create_task(self._tables.bus.publish(code, 0))
        self._publishing.add(telling)
        telling.add_done_callback(self._publishing.discard)

    def _end_pause(self, code: str) -> None:
        if self._paused.pop(code):
            self.announce(code)

    def present(self, code: str) -> frozenset[str]:
        """The people with a page open there, or closed within the grace period."""
        return self._sync.remote(code) | self._present.get(code, frozenset())

    def away(self, table: Table) -> frozenset[str]:
        """The table's people without an open page, once they have had time to arrive."""
        if table.code in self._gathering:
            self._unreported[table.code] = table
            return frozenset()
        is_empty = table.code not in self._present and not self._sync.remote(table.code)
        return frozenset() if is_empty else self.missing(table)

    def missing(self, table: Table) -> frozenset[str]:
        """The table's people without an open page."""
        elsewhere = self._sync.remote(table.code)
        people = {seat.person for seat in table.seats if seat.person}
        return frozenset(person for person in people - elsewhere if (table.code, person) not in self._page_counts)
