"""Who is at the table right now: whoever has a live page of it open in this process."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from tamaya.table import Table, Tables
from tamaya.web.limits import Caller, Limits

GRACE = 5.0
"""How many seconds after closing the page somebody counts as away; reloading takes less."""


class Presence:
    """Counts live pages. Nobody counts as away until the people of a table have had time to arrive."""

    def __init__(self, tables: Tables, limits: Limits) -> None:
        self._tables, self._limits = tables, limits
        self._here: Counter[tuple[str, str]] = Counter()
        self._leaving: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self._gathering: dict[str, asyncio.TimerHandle] = {}
        self._present: Counter[str] = Counter()
        self._telling: set[asyncio.Task[None]] = set()

    @contextmanager
    def page_open(self, code: str, person: str, caller: Caller) -> Iterator[None]:
        """Count somebody as present while their page is open: at the table of that code, or wherever else the bus has news
        from under that name."""
        key = code, person
        with self._limits.stream(caller):
            self._arrived(key)
            try:
                yield
            finally:
                self._here[key] -= 1
                if self._here[key] <= 0:
                    self._leaving[key] = asyncio.get_running_loop().call_later(GRACE, self._left, key)

    def _arrived(self, key: tuple[str, str]) -> None:
        code, _ = key
        if leaving := self._leaving.pop(key, None):
            leaving.cancel()
        if key not in self._here:
            if not self._present[code]:
                self._gathering[code] = asyncio.get_running_loop().call_later(GRACE, self._all_came, code)
            self._present[code] += 1
            self.tell(code)
        self._here[key] += 1

    def _all_came(self, code: str) -> None:
        del self._gathering[code]
        self.tell(code)

    def _left(self, key: tuple[str, str]) -> None:
        del self._leaving[key], self._here[key]
        _count_down(self._present, key[0])
        if key[0] not in self._present and (gathering := self._gathering.pop(key[0], None)):
            gathering.cancel()
        self.tell(key[0])

    def tell(self, code: str) -> None:
        """Let all pages that are open there be drawn anew."""
        telling = asyncio.get_running_loop().create_task(self._tables.bus.publish(code, 0))
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)

    def here(self, code: str) -> frozenset[str]:
        """Everybody who has a page open there, or has just closed it."""
        return frozenset(person for place, person in self._here if place == code) if code in self._present else frozenset()

    def away(self, table: Table) -> frozenset[str]:
        """The people of a table who have no page of it open, once they have had time to arrive."""
        if table.code in self._gathering or table.code not in self._present:
            return frozenset()
        return self.missing(table)

    def missing(self, table: Table) -> frozenset[str]:
        """The people of a table who have no page of it open, whether they have had time to or not."""
        return frozenset(seat.person for seat in table.seats if seat.person and (table.code, seat.person) not in self._here)


def _count_down(counter: Counter[str], name: str) -> None:
    counter[name] -= 1
    if counter[name] <= 0:
        del counter[name]
