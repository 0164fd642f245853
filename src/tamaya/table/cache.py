"""The per-process LRU cache of tables, checked against the store."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from time import monotonic

from tamaya.rules import MalformedError, say
from tamaya.table.events import decode
from tamaya.table.ports import CODE_LENGTH, CODE_LETTERS, Bus
from tamaya.table.state import Phase
from tamaya.table.store import Store
from tamaya.table.table import Table

STALE_AFTER = 10.0
"""Seconds without news after which a table is checked against the store, where several processes serve it: the process that
wrote the last event may have ended before it published it."""


class TableCache:
    """The `size` tables used last. Where several processes serve them, a cached table may be outdated."""

    def __init__(self, store: Store, bus: Bus, size: int) -> None:
        self._store, self._bus, self._size = store, bus, size
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._checked: dict[str, tuple[int, float]] = {}
        self._loading: dict[tuple[str, int], asyncio.Task[Table]] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    async def get(self, code: str) -> Table:
        """The current table. The store is asked if other processes serve the same tables, and also if the game has ended: it
        may have been deleted."""
        table = self._tables.get(code)
        if table and (self._bus.shared or table.phase is Phase.ENDED):
            await self._check(table)
        return await self.get_cached(code)

    async def get_cached(self, code: str) -> Table:
        """The table as it is cached; otherwise as the store has it."""
        table = self._tables.get(code)
        if table is None:
            lines = await self._store.read_events(code) if _is_code(code) else []
            if not lines:
                raise MalformedError("unknown_table", say("There is no table “{code}”; check the link.", code=code[:20]))
            table = self._tables.get(code) or self.put(Table(code, map(decode, lines)))
        self._tables.move_to_end(code)
        return table

    async def _check(self, table: Table) -> None:
        stored = await self._store.last_sequence(table.code)
        if not stored:
            self.evict(table.code)
        elif stored > table.sequence:
            await self.load_new_events(table)
        else:
            self._mark_checked(table.code)

    async def refresh(self, code: str, sequence: int) -> Table:
        """The table with at least `sequence` events. A cached one that has them is not checked against the store, unless news
        may have been missed or the last check is long ago."""
        cached = self._tables.get(code)
        doubtful = cached is None or cached.phase is Phase.ENDED or (self._bus.shared and self._may_be_stale(code))
        table = await (self.get(code) if doubtful else self.get_cached(code))
        for _ in range(2):  # the first time, this may join a load that began before the event was written
            if table.sequence < sequence:
                table = await self.load_new_events(table)
        return table

    def _may_be_stale(self, code: str) -> bool:
        gaps, when = self._checked.get(code, (-1, 0.0))
        return gaps != self._bus.gaps or monotonic() - when > STALE_AFTER

    def _mark_checked(self, code: str) -> None:
        if self._bus.shared:
            self._checked[code] = self._bus.gaps, monotonic()

    async def load_new_events(self, table: Table) -> Table:
        """The table with the events that follow in the store; concurrent callers share one load."""
        key = table.code, table.sequence
        task = self._loading.get(key)
        if task is None:
            task = self._loading[key] = asyncio.ensure_future(self._load_after(table))
            task.add_done_callback(lambda done: self._forget_load(key, done))
        return await asyncio.shield(task)

    def _forget_load(self, key: tuple[str, int], done: asyncio.Task[Table]) -> None:
        self._loading.pop(key, None)
        if not done.cancelled():
            done.exception()  # callers get it, but all of them may have been cancelled

    async def _load_after(self, table: Table) -> Table:
        lines = await self._store.read_events(table.code, table.sequence)
        newest = self._tables.get(table.code, table)
        return newest if newest.sequence > table.sequence else self.put(table.after(map(decode, lines)))

    async def announce(self, table: Table) -> None:
        """Cache a changed table and publish the change."""
        self.put(table)
        await self._bus.publish(table.code, table.sequence)

    def put(self, table: Table) -> Table:
        """Cache a table in its current state."""
        self._tables[table.code] = table
        self._mark_checked(table.code)
        while len(self._tables) > self._size:
            self.evict(next(iter(self._tables)))
        return table

    def evict(self, code: str) -> None:
        """Drop a table from the cache."""
        self._tables.pop(code, None)
        self._checked.pop(code, None)


def _is_code(text: str) -> bool:
    return len(text) == CODE_LENGTH and set(text) <= set(CODE_LETTERS)
