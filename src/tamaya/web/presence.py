"""Who is at the table right now: whoever has a live page of it open, in this process or in another."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tamaya.live.roll import Roll
from tamaya.table import Table, Tables
from tamaya.web.limits import Caller, Limits

GRACE = 5.0
"""How many seconds after closing the page somebody counts as away; reloading takes less."""
PAUSE = 0.25
"""How many seconds lie at least between two times that all pages of a place are drawn anew."""
Recount = Callable[[Caller], None]
Shown = Callable[[], bool]
"""Whether the pages of a place show that somebody is there, as it stands when they come or go."""


def always() -> bool:
    """For a place that shows everybody."""
    return True


class Presence:
    """Counts live pages. Nobody counts as away until the people of a table have had time to arrive."""

    def __init__(self, tables: Tables, limits: Limits) -> None:
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
        self._roll = Roll(tables.bus, self.tell)

    @contextmanager
    def page_open(self, code: str, person: str, caller: Caller, shown: Shown = always) -> Iterator[Recount]:
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
                    self._leaving[key] = asyncio.get_running_loop().call_later(GRACE, self._left, key, shown)

    def _arrived(self, key: tuple[str, str], shown: Shown) -> None:
        code, person = key
        if leaving := self._leaving.pop(key, None):
            leaving.cancel()
        if key not in self._here:
            if code not in self._present:
                self._gathering[code] = asyncio.get_running_loop().call_later(GRACE, self._all_came, code)
            self._present.setdefault(code, set()).add(person)
            self._roll.come(*key)
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
        self._roll.go(code, person)
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
        return self._roll.elsewhere(code) | self._present.get(code, frozenset())

    def away(self, table: Table) -> frozenset[str]:
        """The people of a table who have no page of it open, once they have had time to arrive."""
        if table.code in self._gathering:
            self._spared[table.code] = table
            return frozenset()
        nobody = table.code not in self._present and not self._roll.elsewhere(table.code)
        return frozenset() if nobody else self.missing(table)

    def missing(self, table: Table) -> frozenset[str]:
        """The people of a table who have no page of it open, whether they have had time to or not."""
        elsewhere = self._roll.elsewhere(table.code)
        people = {seat.person for seat in table.seats if seat.person}
        return frozenset(person for person in people - elsewhere if (table.code, person) not in self._here)
