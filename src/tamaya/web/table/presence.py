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
SILENT_FOR = 20.0
"""Whoever is in a process that has been silent for so many seconds is there no longer."""
TOGETHER = 50
"""How many comings and goings are told in one message."""

Stay = tuple[str, str]
"""A place and a person who is there."""


class _Message(msgspec.Struct, array_like=True, omit_defaults=True):
    """What a process tells: who came and who went, or its whole list in so many parts; or it `asks` for those of the others."""

    came: list[Stay] = []
    went: list[Stay] = []
    part: int = 0
    parts: int = 0
    asks: bool = False


@dataclass
class _Other:
    """Another process: when it was last heard, who is there, and what has come so far of its whole list."""

    heard: float
    stays: set[Stay] = field(default_factory=set)
    listed: set[Stay] = field(default_factory=set)


class PresenceSync:
    """Keeps the list of all processes. Whoever comes and goes is told without noise: news of that is for them to publish, after
    it. `changed` hears of the places at which something turns out to be otherwise, as when a process has died."""

    def __init__(self, bus: Bus, changed: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._bus, self._changed, self._clock = bus, changed, clock
        self._mine: set[Stay] = set()
        self._others: dict[str, _Other] = {}
        self._places: dict[str, dict[str, int]] = {}
        self._came: list[Stay] = []
        self._went: list[Stay] = []
        self._sending: asyncio.Handle | None = None
        bus.on_broadcast(TOPIC, self._hear)
        bus.on_broadcast("beat", self._beat)
        bus.on_broadcast("gap", lambda sender, text: self.ask())
        self.ask()

    def join(self, place: str, person: str) -> None:
        """Somebody is at a place in this process."""
        self._mine.add((place, person))
        self._note(self._came, (place, person))

    def leave(self, place: str, person: str) -> None:
        """Nobody has a page open for them there any more in this process."""
        self._mine.discard((place, person))
        self._note(self._went, (place, person))

    def remote(self, place: str) -> frozenset[str]:
        """Who is at a place in other processes."""
        return frozenset(self._places.get(place, ()))

    def ask(self) -> None:
        """Want to know whom the others have, and tell whom this process has: after a start, or when news was missed."""
        self._tell(_Message(asks=True))
        self._tell_all()

    def _note(self, changes: list[Stay], stay: Stay) -> None:
        if not self._bus.shared:
            return
        if (stay in self._came) or (stay in self._went):
            self._send()  # one after the other, so that the order is kept
        changes.append(stay)
        if len(self._came) + len(self._went) >= TOGETHER:
            self._send()
        elif self._sending is None:
            self._sending = asyncio.get_running_loop().call_soon(self._send)

    def _send(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None
        if self._came or self._went:
            self._tell(_Message(self._came, self._went))
            self._came, self._went = [], []

    def _tell_all(self) -> None:
        stays = sorted(self._mine)
        parts = [stays[start : start + TOGETHER] for start in range(0, max(len(stays), 1), TOGETHER)]
        for number, part in enumerate(parts):
            self._tell(_Message(part, part=number, parts=len(parts)))

    def _tell(self, message: _Message) -> None:
        if self._bus.shared:
            self._bus.broadcast(TOPIC, msgspec.json.encode(message).decode())

    def _hear(self, sender: str, text: str) -> None:
        message = msgspec.json.decode(text, type=_Message)
        other = self._others.setdefault(sender, _Other(self._clock()))
        other.heard = self._clock()
        if message.asks:
            self._tell_all()
            return
        if not message.parts:
            self._update(other, {*message.came}, {*message.went})
            return
        other.listed = {*message.came} if message.part == 0 else other.listed | {*message.came}
        if message.part == message.parts - 1:
            came, went = other.listed - other.stays, other.stays - other.listed
            self._update(other, came, went)
            self._tell_changed(came | went)

    def _update(self, other: _Other, came: set[Stay], went: set[Stay]) -> None:
        self._forget(other, other.stays & went)
        for place, person in came - other.stays:
            other.stays.add((place, person))
            people = self._places.setdefault(place, {})
            people[person] = people.get(person, 0) + 1

    def _tell_changed(self, stays: Iterable[Stay]) -> None:
        for place in {place for place, _ in stays}:
            self._changed(place)

    def _forget(self, other: _Other, stays: Iterable[Stay]) -> None:
        for place, person in stays:
            other.stays.discard((place, person))
            people = self._places[place]
            people[person] -= 1
            if not people[person]:
                del people[person]
            if not people:
                del self._places[place]

    def _beat(self, sender: str, text: str) -> None:
        """Hear that a process lives, and forget those of which nobody has heard for long."""
        now = self._clock()
        if sender in self._others:
            self._others[sender].heard = now
        for name, other in list(self._others.items()):
            if now - other.heard > SILENT_FOR:
                gone = set(other.stays)
                self._forget(other, gone)
                del self._others[name]
                self._tell_changed(gone)


LEAVE_GRACE = 5.0
"""How many seconds after closing the page somebody counts as away; reloading takes less."""
PAUSE = 0.25
"""How many seconds lie at least between two times that all pages of a place are drawn anew."""
Recount = Callable[[Client], None]
Shown = Callable[[], bool]
"""Whether the pages of a place show that somebody is there, as it stands when they come or go."""


def always() -> bool:
    """For a place that shows everybody."""
    return True


class Presence:
    """Counts live pages. Nobody counts as away until the people of a table have had time to arrive."""

    def __init__(self, tables: TableService, limits: RateLimiter) -> None:
        self._tables, self._limits = tables, limits
        self._here: Counter[tuple[str, str]] = Counter()
        self._leaving: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self._gathering: dict[str, asyncio.TimerHandle] = {}
        self._spared: dict[str, Table] = {}
        """Tables of which nobody was said to be away, as people were still gathering there."""
        self._present: dict[str, set[str]] = {}
        """Who is where: the same as `_here`, by place."""
        self._telling: set[asyncio.Task[None]] = set()
        self._resting: dict[str, bool] = {}
        self._roll = PresenceSync(tables.bus, self.tell)

    @contextmanager
    def page_open(self, code: str, person: str, caller: Client, shown: Shown = always) -> Iterator[Recount]:
        """Count somebody as present while their page is open: at the table of that code, or wherever else the bus has news
        from under that name. The pages there are drawn anew when they come and go, if they are `shown`. Yields what counts
        them otherwise from then on."""
        key = code, person
        with self._limits.stream(caller) as recount:
            self._arrived(key, shown)
            try:
                yield recount
            finally:
                self._here[key] -= 1
                if self._here[key] <= 0:
                    self._leaving[key] = asyncio.get_running_loop().call_later(LEAVE_GRACE, self._left, key, shown)

    def _arrived(self, key: tuple[str, str], shown: Shown) -> None:
        code, person = key
        if leaving := self._leaving.pop(key, None):
            leaving.cancel()
        if key not in self._here:
            if code not in self._present:
                self._gathering[code] = asyncio.get_running_loop().call_later(LEAVE_GRACE, self._all_came, code)
            self._present.setdefault(code, set()).add(person)
            self._roll.join(*key)
            if shown():
                self.tell(code)
        self._here[key] += 1

    def _all_came(self, code: str) -> None:
        del self._gathering[code]
        table = self._spared.pop(code, None)
        if table and self.missing(table):
            self.tell(code)

    def _left(self, key: tuple[str, str], shown: Shown) -> None:
        del self._leaving[key], self._here[key]
        code, person = key
        self._present[code].discard(person)
        self._roll.leave(code, person)
        if not self._present[code]:
            del self._present[code]
            if gathering := self._gathering.pop(code, None):
                gathering.cancel()
                self._spared.pop(code, None)
        if shown():
            self.tell(code)

    def tell(self, code: str) -> None:
        """Let all pages that are open there be drawn anew: at once or, soon after the last time, together with what follows."""
        if code in self._resting:
            self._resting[code] = True
            return
        self._resting[code] = False
        loop = asyncio.get_running_loop()
        loop.call_later(PAUSE, self._rested, code)
        telling = loop.create_task(self._tables.bus.publish(code, 0))
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)

    def _rested(self, code: str) -> None:
        if self._resting.pop(code):
            self.tell(code)

    def here(self, code: str) -> frozenset[str]:
        """Everybody who has a page open there, or has just closed it."""
        return self._roll.remote(code) | self._present.get(code, frozenset())

    def away(self, table: Table) -> frozenset[str]:
        """The people of a table who have no page of it open, once they have had time to arrive."""
        if table.code in self._gathering:
            self._spared[table.code] = table
            return frozenset()
        nobody = table.code not in self._present and not self._roll.remote(table.code)
        return frozenset() if nobody else self.missing(table)

    def missing(self, table: Table) -> frozenset[str]:
        """The people of a table who have no page of it open, whether they have had time to or not."""
        elsewhere = self._roll.remote(table.code)
        people = {seat.person for seat in table.seats if seat.person}
        return frozenset(person for person in people - elsewhere if (table.code, person) not in self._here)
