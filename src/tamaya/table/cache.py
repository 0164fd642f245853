"""The per-process LRU cache of tables, checked against the store."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from time import monotonic

from tamaya.rules import MalformedError, say
from tamaya.table.events import decode
from tamaya.table.ports import CODE_LENGTH, CODE_LETTERS, Bus, Store
from tamaya.table.state import Phase
from tamaya.table.table import Table

STALE_AFTER = 10.0
"""Where several processes serve the same tables, the store is asked about a table that is looked at after so many seconds
without news: whoever wrote the last event may have ended before telling."""


class TableCache:
    """So many tables, those that were used last. Where other processes serve them too, what is known can be old."""

    def __init__(self, store: Store, bus: Bus, most: int) -> None:
        self._store, self._bus, self._most = store, bus, most
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._looked: dict[str, tuple[int, float]] = {}
        self._reading: dict[tuple[str, int], asyncio.Task[Table]] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    async def get(self, code: str) -> Table:
        """The table of that code. What is over may have been deleted meanwhile, and another process may have gone on: where
        others serve the same tables, the store is asked."""
        table = self._tables.get(code)
        if table and (self._bus.shared or table.phase is Phase.ENDED):
            await self._look_after(table)
        return await self.get_cached(code)

    async def get_cached(self, code: str) -> Table:
        """The table as this process knows it; one that it does not know is read."""
        table = self._tables.get(code)
        if table is None:
            lines = await self._store.read_events(code) if _is_code(code) else []
            if not lines:
                raise MalformedError("unknown_table", say("There is no table “{code}”; check the link.", code=code[:20]))
            table = self._tables.get(code) or self.put(Table(code, map(decode, lines)))
        self._tables.move_to_end(code)
        return table

    async def _look_after(self, table: Table) -> None:
        kept = await self._store.last_sequence(table.code)
        if not kept:
            self.evict(table.code)
        elif kept > table.sequence:
            await self.load_new_events(table)
        else:
            self._note_look(table.code)

    async def refresh(self, code: str, sequence: int) -> Table:
        """The table with at least so many events, which another process may have written. What is known to be so far is taken
        as it is; but where news may have been missed, and now and then in any case, the store is asked."""
        known = self._tables.get(code)
        doubtful = known is None or known.phase is Phase.ENDED or (self._bus.shared and self._is_doubtful(code))
        table = await (self.get(code) if doubtful else self.get_cached(code))
        for _ in range(2):  # the first time, somebody else's read may have begun too early
            if table.sequence < sequence:
                table = await self.load_new_events(table)
        return table

    def _is_doubtful(self, code: str) -> bool:
        gaps, when = self._looked.get(code, (-1, 0.0))
        return gaps != self._bus.gaps or monotonic() - when > STALE_AFTER

    def _note_look(self, code: str) -> None:
        if self._bus.shared:
            self._looked[code] = self._bus.gaps, monotonic()

    async def load_new_events(self, table: Table) -> Table:
        """The table with what follows in the store; those who want the same wait for the same."""
        key = table.code, table.sequence
        reading = self._reading.get(key)
        if reading is None:
            reading = self._reading[key] = asyncio.ensure_future(self._read_on(table))
            reading.add_done_callback(lambda done: self._read_through(key, done))
        return await asyncio.shield(reading)

    def _read_through(self, key: tuple[str, int], done: asyncio.Task[Table]) -> None:
        self._reading.pop(key, None)
        if not done.cancelled():
            done.exception()  # whoever waits for it gets it, and perhaps nobody does any more

    async def _read_on(self, table: Table) -> Table:
        lines = await self._store.read_events(table.code, table.sequence)
        newest = self._tables.get(table.code, table)
        return newest if newest.sequence > table.sequence else self.put(table.after(map(decode, lines)))

    async def announce(self, table: Table) -> None:
        """Know what a table has become, and tell everybody who listens."""
        self.put(table)
        await self._bus.publish(table.code, table.sequence)

    def put(self, table: Table) -> Table:
        """Know the table from now on as it is here."""
        self._tables[table.code] = table
        self._note_look(table.code)
        while len(self._tables) > self._most:
            self.evict(next(iter(self._tables)))
        return table

    def evict(self, code: str) -> None:
        """Know the table no longer."""
        self._tables.pop(code, None)
        self._looked.pop(code, None)


def _is_code(text: str) -> bool:
    return len(text) == CODE_LENGTH and set(text) <= set(CODE_LETTERS)
