"""Tables in one SQLite file: nothing to set up, and what is confirmed survives a crash of the machine."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import msgspec
from sqlalchemy import Engine, Select, select
from sqlalchemy.ext.asyncio import AsyncEngine

from tamaya.storage.engines import reading_engine, writing_engine
from tamaya.storage.migrate import upgrade
from tamaya.storage.schema import events, people, tables
from tamaya.storage.writer import Writer
from tamaya.table.ports import EventBatch, Keeping, Listing, Progress, Swept
from tamaya.table.table import Phase

_listing = [column for column in tables.c if column is not tables.c.marked]


class SqliteStore:
    """The events of all tables in one file. Reading never waits for writing, and all writing is done by one writer."""

    def __init__(self, reading: AsyncEngine, writing: Engine) -> None:
        self._reading, self._writer = reading, Writer(writing)

    @classmethod
    async def open(cls, path: str | os.PathLike[str]) -> Self:
        """Open the store in that file, after creating it or bringing it up to date. Close it when it is no longer needed."""
        file = Path(path)
        await asyncio.to_thread(upgrade, file)
        return cls(reading_engine(file), writing_engine(file))

    async def append(self, batches: Sequence[EventBatch]) -> None:
        """Keep these, all or none, on disk when this returns.

        `TakenError` if one of the numbers is taken; `MalformedError` if the events before them are not there, which
        happens when the table was swept meanwhile.
        """
        await self._writer.append(batches)

    async def lines(self, code: str, after: int = 0) -> list[str]:
        """The events of a table that follow number `after`."""
        wanted = select(events.c.line).where(events.c.code == code, events.c.sequence > after).order_by(events.c.sequence)
        async with self._reading.connect() as connection:
            return list(await connection.scalars(wanted))

    async def tables_of(self, person: str, limit: int = 50) -> list[Listing]:
        """The tables at which a person sits: those that are not over first, then by when they were last touched."""
        own = select(*_listing).join(people).where(people.c.person == person)
        return await self._listings(own.order_by(tables.c.phase == Phase.ENDED.value).limit(limit))

    async def listed(self, limit: int = 50) -> list[Listing]:
        """The open tables that anybody may join, newest first."""
        joinable = select(*_listing).where(tables.c.phase == Phase.OPEN.value, tables.c.listed)
        return await self._listings(joinable.limit(limit))

    async def _listings(self, wanted: Select[Any]) -> list[Listing]:
        async with self._reading.connect() as connection:
            rows = (await connection.execute(wanted.order_by(tables.c.touched.desc(), tables.c.code))).mappings()
            return [_listed(row) for row in rows]

    async def sweep(self, keeping: Keeping, now: float) -> Swept:
        """Mark the abandoned tables, and forget some of those that have been marked for long enough."""
        return await self._writer.sweep(keeping, now)

    async def close(self) -> None:
        """Finish writing, then close the file."""
        await self._writer.close()
        await self._reading.dispose()


def _listed(row: Mapping[str, Any]) -> Listing:
    progress = row["progress"] and msgspec.convert(row["progress"], Progress)
    read = {"phase": Phase(row["phase"]), "names": tuple(row["names"]), "people": tuple(row["people"]), "progress": progress}
    return Listing(**{**row, **read})
