"""Presence: who has a page of a table open, in this process or in another."""

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
"""Whoever is in a process that has been silent for so many seconds is there no longer."""
BATCH_SIZE = 50
"""How many comings and goings are told in one message."""

PresenceEntry = tuple[str, str]
"""A place and a person who is there."""


class _Message(msgspec.Struct, array_like=True, omit_defaults=True):
    """What a process tells: who came and who went, or its whole list in so many parts; or it `asks` for those of the others."""

    joined: list[PresenceEntry] = []
    left: list[PresenceEntry] = []
    part: int = 0
    parts: int = 0
    asks: bool = False


@dataclass
class _OtherProcess:
    """Another process: when it was last heard, who is there, and what has come so far of its whole list."""

    heard: float
    entries: set[PresenceEntry] = field(default_factory=set)
    listed: set[PresenceEntry] = field(default_factory=set)


class PresenceSync:
    """Keeps the list of all processes. Whoever comes and goes is told without noise: news of that is for them to publish, after
    it. `changed` hears of the places at which something turns out to be otherwise, as when a process has died."""

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
        """Somebody is at a place in this process."""
        self._own.add((place, person))
        self._queue(self._joined, (place, person))

    def leave(self, place: str, person: str) -> None:
        """Nobody has a page open for them there any more in this process."""
        self._own.discard((place, person))
        self._queue(self._left, (place, person))

    def remote(self, place: str) -> frozenset[str]:
        """Who is at a place in other processes."""
        return frozenset(self._places.get(place, ()))

    def request_lists(self) -> None:
        """Want to know whom the others have, and tell whom this process has: after a start, or when news was missed."""
        self._broadcast(_Message(asks=True))
        self._broadcast_list()

    def _queue(self, changes: list[PresenceEntry], stay: PresenceEntry) -> None:
        if not self._bus.shared:
            return
        if (stay in self._joined) or (stay in self._left):
            self._send()  # one after the other, so that the order is kept
        changes.append(stay)
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
        stays = sorted(self._own)
        parts = [stays[start : start + BATCH_SIZE] for start in range(0, max(len(stays), 1), BATCH_SIZE)]
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
            came, went = other.listed - other.entries, other.entries - other.listed
            self._update(other, came, went)
            self._report_changes(came | went)

    def _update(self, other: _OtherProcess, came: set[PresenceEntry], went: set[PresenceEntry]) -> None:
        self._remove(other, other.entries & went)
        for place, person in came - other.entries:
            other.entries.add((place, person))
            people = self._places.setdefault(place, {})
            people[person] = people.get(person, 0) + 1

    def _report_changes(self, stays: Iterable[PresenceEntry]) -> None:
        for place in {place for place, _ in stays}:
            self._changed(place)

    def _remove(self, other: _OtherProcess, stays: Iterable[PresenceEntry]) -> None:
        for place, person in stays:
            other.entries.discard((place, person))
            people = self._places[place]
            people[person] -= 1
            if not people[person]:
                del people[person]
            if not people:
                del self._places[place]

    def _on_heartbeat(self, sender: str, text: str) -> None:
        """Hear that a process lives, and forget those of which nobody has heard for long."""
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
"""How many seconds after closing the page somebody counts as away; reloading takes less."""
ANNOUNCE_INTERVAL = 0.25
"""How many seconds lie at least between two times that all pages of a place are drawn anew."""
UpdateClient = Callable[[Client], None]
IsVisible = Callable[[], bool]
"""Whether the pages of a place show that somebody is there, as it stands when they come or go."""


def always_visible() -> bool:
    """For a place that shows everybody."""
    return True


class Presence:
    """Counts live pages. Nobody counts as away until the people of a table have had time to arrive."""

    def __init__(self, tables: TableService, limits: RateLimiter) -> None:
        self._tables, self._limits = tables, limits
        self._page_counts: Counter[tuple[str, str]] = Counter()
        self._leaving: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self._gathering: dict[str, asyncio.TimerHandle] = {}
        self._unreported: dict[str, Table] = {}
        """Tables of which nobody was said to be away, as people were still gathering there."""
        self._present: dict[str, set[str]] = {}
        """Who is where: the same as `_here`, by place."""
        self._publishing: set[asyncio.Task[None]] = set()
        self._paused: dict[str, bool] = {}
        self._sync = PresenceSync(tables.bus, self.announce)

    @contextmanager
    def page_open(self, code: str, person: str, caller: Client, shown: IsVisible = always_visible) -> Iterator[UpdateClient]:
        """Count somebody as present while their page is open: at the table of that code, or wherever else the bus has news
        from under that name. The pages there are drawn anew when they come and go, if they are `shown`. Yields what counts
        them otherwise from then on."""
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
        """Let all pages that are open there be drawn anew: at once or, soon after the last time, together with what follows."""
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
        """Everybody who has a page open there, or has just closed it."""
        return self._sync.remote(code) | self._present.get(code, frozenset())

    def away(self, table: Table) -> frozenset[str]:
        """The people of a table who have no page of it open, once they have had time to arrive."""
        if table.code in self._gathering:
            self._unreported[table.code] = table
            return frozenset()
        nobody = table.code not in self._present and not self._sync.remote(table.code)
        return frozenset() if nobody else self.missing(table)

    def missing(self, table: Table) -> frozenset[str]:
        """The people of a table who have no page of it open, whether they have had time to or not."""
        elsewhere = self._sync.remote(table.code)
        people = {seat.person for seat in table.seats if seat.person}
        return frozenset(person for person in people - elsewhere if (table.code, person) not in self._page_counts)
