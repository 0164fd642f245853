"""Tables in a SQL database: the reads. All writes go through the `WriteQueue`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Engine, RowMapping, bindparam, func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from tamaya.rules import UnavailableError
from tamaya.storage import queries
from tamaya.storage.errors import retry_reads
from tamaya.storage.queries import is_offered_to
from tamaya.storage.schema import coachings, events, people, tables
from tamaya.storage.sessions import SqlSessionStore
from tamaya.storage.write_queue import WriteQueue
from tamaya.table.sessions import SessionStore
from tamaya.table.state import Phase
from tamaya.table.store import (
    EVERY_GAME,
    EventBatch,
    GameFilter,
    GameKind,
    GameProgress,
    GameStats,
    Partner,
    RetentionPolicy,
    SweepResult,
    TableSummary,
)
from tamaya.table.telemetry import NO_METRICS, Metrics

LAST_READS = 2.0
"""Seconds that a store which is closed leaves those who read; a connection that is taken from them stays open."""

_SUMMARY = [column.label(column.key) for column in tables.c if column is not tables.c.abandoned_at]
_THIS = events.c.code == bindparam("code")
_LINES = select(events.c.line).where(_THIS, events.c.sequence > bindparam("after")).order_by(events.c.sequence)
_COUNT = select(func.max(events.c.sequence)).where(_THIS)
_NEWEST = (tables.c.updated_at.desc(), tables.c.code)


class SqlStore:
    """The events of all tables in one database. Reading never waits for writing, and all writing of a process is done by one
    writer."""

    def __init__(
        self, reading: AsyncEngine, writing: Engine, meter: Metrics = NO_METRICS, check: Callable[[], None] = lambda: None
    ) -> None:
        self._reading, self._writer, self.meter = reading, WriteQueue(writing, meter, check), meter
        self.reads = set[asyncio.Future[Any]]()
        self.sessions: SessionStore = SqlSessionStore(reading, self._writer, meter, self.reads)

    async def append(self, batches: Sequence[EventBatch]) -> None:
        """Keep these, all or none, on disk when this returns.

        `TakenError` if one of the numbers is taken; `MalformedError` if the events before them are not there, which
        happens when the table was swept meanwhile.
        """
        await self._writer.append(batches)

    @retry_reads
    async def read_events(self, code: str, after: int = 0) -> list[str]:
        """The events of a table that follow number `after`."""
        async with self._reading.connect() as connection:
            return list(await connection.scalars(_LINES, {"code": code, "after": after}))

    @retry_reads
    async def last_sequence(self, code: str) -> int:
        """How many events a table has; none if there is no such table (any more)."""
        async with self._reading.connect() as connection:
            return await connection.scalar(_COUNT, {"code": code}) or 0

    @retry_reads
    async def tables_of(
        self, person: str, wanted: GameFilter = EVERY_GAME, limit: int = 50, skip: int = 0
    ) -> list[TableSummary]:
        """The tables of a person: those that are not over first, by when they were last touched, then by when they ended."""
        chosen, ended = queries.is_wanted(person, wanted), people.c.ended
        going = select(people.c.code).where(chosen, ended.is_(None)).join(tables).order_by(*_NEWEST)
        over = select(people.c.code).where(chosen, ended.is_not(None)).order_by(ended.desc(), people.c.code)
        async with self._reading.connect() as connection:
            codes = list(await connection.scalars(going))
            before = len(codes)
            codes = codes[skip : skip + limit]
            codes += await connection.scalars(over.limit(limit - len(codes)).offset(max(0, skip - before)))
            rows = (await connection.execute(select(*_SUMMARY).where(tables.c.code.in_(codes)))).mappings()
        found = {row["code"]: _listed(row) for row in rows}
        return [found[code] for code in codes if code in found]

    @retry_reads
    async def summary_of(self, person: str, wanted: GameFilter = EVERY_GAME) -> GameStats:
        """What the games of a person came to."""
        chosen = queries.is_wanted(person, wanted)
        async with self._reading.connect() as connection:
            rows = (await connection.execute(queries.by_setting(chosen))).all()
            counted = [(row, queries.count_in(row)) for row in rows if row.counted]
            if not counted:
                return GameStats(sum(queries.count_in(row).games for row in rows))
            first, last = min(row[3] for row, _ in counted), max(row[4] for row, _ in counted)
            days = queries.days_of_a_stretch(sum(count.games for _, count in counted), first, last)
            with_whom = (await connection.execute(queries.by_partner(person, wanted))).all()
            stretches = (await connection.execute(queries.over_time(chosen, days))).all()
        return GameStats(
            sum(queries.count_in(row).games for row in rows),
            queries.added_up((row.edition, count) for row, count in counted),
            queries.added_up((row.players, count) for row, count in counted),
            {queries.partner_in(row): queries.count_in(row) for row in with_whom},
            tuple(map(queries.stretch_in, stretches)),
            days,
        )

    @retry_reads
    async def partners_of(self, person: str, limit: int = 100) -> list[Partner]:
        """With whom a person has ended games, the most frequent first."""
        async with self._reading.connect() as connection:
            return [queries.partner_in(row) for row in await connection.execute(queries.all_partners(person, limit))]

    @retry_reads
    async def finished_codes(self, person: str) -> list[str]:
        """The codes of a person's ended games, the oldest first."""
        ended = select(people.c.code).where(people.c.person == person, people.c.ended.is_not(None))
        async with self._reading.connect() as connection:
            return list(await connection.scalars(ended.order_by(people.c.ended, people.c.code)))

    async def save_analysis(self, code: str, text: str) -> None:
        """Keep what a coach found out about the game of a table, in place of what was known; nothing if it is gone."""
        await self._writer.save_analysis(code, text)

    @retry_reads
    async def load_analysis(self, code: str) -> str | None:
        """What a coach found out about the game of a table."""
        async with self._reading.connect() as connection:
            return await connection.scalar(select(coachings.c.text).where(coachings.c.code == code))

    @retry_reads
    async def open_tables(self, person: str = "", limit: int = 50) -> list[TableSummary]:
        """The tables that a person without a seat there may join, newest first, and few of each host."""
        joinable = select(*_SUMMARY).where(is_offered_to(person))
        async with self._reading.connect() as connection:
            rows = (await connection.execute(joinable.order_by(*_NEWEST).limit(limit))).mappings()
            return [_listed(row) for row in rows]

    async def remove(self, code: str, sequence: int) -> None:
        """Delete a table with all its events, for good, if it has so many; otherwise `TakenError`."""
        await self._writer.remove(code, sequence)

    async def delete_solo_games(self, person: str) -> tuple[str, ...]:
        """Delete, for good and at once, every ended game that is this person's alone; returns their codes."""
        return await self._writer.delete_solo_games(person)

    async def sweep(self, keeping: RetentionPolicy, now: float) -> SweepResult:
        """Mark the abandoned tables, and forget some of those that have been marked for long enough."""
        return await self._writer.sweep(keeping, now)

    async def probe(self) -> Sequence[str]:
        """What keeps the database from keeping anything."""
        problems = []
        for attempt, problem in ((self.open_tables, "cannot be read"), (self._writer.probe, "cannot be written")):
            try:
                await attempt()
            except (UnavailableError, SQLAlchemyError):
                problems.append(f"the database {problem}")
        return problems

    async def close(self) -> None:
        """Finish writing, then let go of the database."""
        await self._writer.close()
        if self.reads:
            await asyncio.wait(self.reads, timeout=LAST_READS)
        await self._reading.dispose()


def _listed(row: RowMapping) -> TableSummary:
    progress = row["progress"] and msgspec.convert(row["progress"], GameProgress)
    several = {name: tuple(row[name] or ()) for name in ("names", "player_ids", "player_names", "bots")}
    read = {"phase": Phase(row["phase"]), "progress": progress, "kind": GameKind(row["kind"] or "")}
    read["offered"] = row["offered"] or ""
    return TableSummary(**{**row, **several, **read})
