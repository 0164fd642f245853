"""The store in a SQL database: reads, while all writes go through the `WriteQueue`."""

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

CLOSE_TIMEOUT = 2.0
"""Seconds for which closing waits for reads; a connection taken away from a read would stay open."""

_SUMMARY = [column.label(column.key) for column in tables.c if column is not tables.c.abandoned_at]
_IS_TABLE = events.c.code == bindparam("code")
_LINES = select(events.c.line).where(_IS_TABLE, events.c.sequence > bindparam("after")).order_by(events.c.sequence)
_COUNT = select(func.max(events.c.sequence)).where(_IS_TABLE)
_NEWEST = (tables.c.updated_at.desc(), tables.c.code)


class SqlStore:
    """Implements `Store` for any SQL database. Reads never wait for writes, of which each process has one queue."""

    def __init__(
        self, reading: AsyncEngine, writing: Engine, meter: Metrics = NO_METRICS, check: Callable[[], None] = lambda: None
    ) -> None:
        self._reading, self._writer, self.meter = reading, WriteQueue(writing, meter, check), meter
        self.reads = set[asyncio.Future[Any]]()
        self.sessions: SessionStore = SqlSessionStore(reading, self._writer, meter, self.reads)

    async def append(self, batches: Sequence[EventBatch]) -> None:
        """Write these batches, all or none; they are on disk when this returns."""
        await self._writer.append(batches)

    @retry_reads
    async def read_events(self, code: str, after: int = 0) -> list[str]:
        """The events of a table that follow number `after`."""
        async with self._reading.connect() as connection:
            return list(await connection.scalars(_LINES, {"code": code, "after": after}))

    @retry_reads
    async def last_sequence(self, code: str) -> int:
        """The number of a table's last event; 0 if the table does not exist."""
        async with self._reading.connect() as connection:
            return await connection.scalar(_COUNT, {"code": code}) or 0

    @retry_reads
    async def tables_of(
        self, person: str, wanted: GameFilter = EVERY_GAME, limit: int = 50, skip: int = 0
    ) -> list[TableSummary]:
        """The tables of a person: unfinished ones by their last event, then finished ones by when they ended, newest first."""
        chosen, ended = queries.matches(person, wanted), people.c.ended
        unfinished = select(people.c.code).where(chosen, ended.is_(None)).join(tables).order_by(*_NEWEST)
        finished = select(people.c.code).where(chosen, ended.is_not(None)).order_by(ended.desc(), people.c.code)
        async with self._reading.connect() as connection:
            codes = list(await connection.scalars(unfinished))
            unfinished_count = len(codes)
            codes = codes[skip : skip + limit]
            codes += await connection.scalars(finished.limit(limit - len(codes)).offset(max(0, skip - unfinished_count)))
            rows = (await connection.execute(select(*_SUMMARY).where(tables.c.code.in_(codes)))).mappings()
        found = {row["code"]: _read_summary(row) for row in rows}
        return [found[code] for code in codes if code in found]

    @retry_reads
    async def summary_of(self, person: str, wanted: GameFilter = EVERY_GAME) -> GameStats:
        """The statistics of a person's games."""
        chosen = queries.matches(person, wanted)
        async with self._reading.connect() as connection:
            rows = (await connection.execute(queries.by_setting(chosen))).all()
            counted = [(row, queries.read_count(row)) for row in rows if row.counted]
            if not counted:
                return GameStats(sum(queries.read_count(row).games for row in rows))
            first, last = min(row[3] for row, _ in counted), max(row[4] for row, _ in counted)
            days = queries.period_days(sum(count.games for _, count in counted), first, last)
            partner_rows = (await connection.execute(queries.by_partner(person, wanted))).all()
            period_rows = (await connection.execute(queries.over_time(chosen, days))).all()
        return GameStats(
            sum(queries.read_count(row).games for row in rows),
            queries.sum_by_key((row.edition, count) for row, count in counted),
            queries.sum_by_key((row.players, count) for row, count in counted),
            {queries.read_partner(row): queries.read_count(row) for row in partner_rows},
            tuple(map(queries.read_period, period_rows)),
            days,
        )

    @retry_reads
    async def partners_of(self, person: str, limit: int = 100) -> list[Partner]:
        """The partners of a person's finished games, the most frequent first."""
        async with self._reading.connect() as connection:
            return [queries.read_partner(row) for row in await connection.execute(queries.all_partners(person, limit))]

    @retry_reads
    async def finished_codes(self, person: str) -> list[str]:
        """The codes of a person's finished games, the oldest first."""
        ended = select(people.c.code).where(people.c.person == person, people.c.ended.is_not(None))
        async with self._reading.connect() as connection:
            return list(await connection.scalars(ended.order_by(people.c.ended, people.c.code)))

    async def save_analysis(self, code: str, text: str) -> None:
        """Save or replace the analysis of a table's game, if the table exists."""
        await self._writer.save_analysis(code, text)

    @retry_reads
    async def load_analysis(self, code: str) -> str | None:
        """The saved analysis of a table's game, if there is one."""
        async with self._reading.connect() as connection:
            return await connection.scalar(select(coachings.c.text).where(coachings.c.code == code))

    @retry_reads
    async def open_tables(self, person: str = "", limit: int = 50) -> list[TableSummary]:
        """The open tables that a person can join, newest first, and few of each host."""
        joinable = select(*_SUMMARY).where(is_offered_to(person))
        async with self._reading.connect() as connection:
            rows = (await connection.execute(joinable.order_by(*_NEWEST).limit(limit))).mappings()
            return [_read_summary(row) for row in rows]

    async def remove(self, code: str, sequence: int) -> None:
        """Delete a table with all its events, or raise `ConflictError` unless `sequence` is its last event."""
        await self._writer.remove(code, sequence)

    async def delete_solo_games(self, person: str) -> tuple[str, ...]:
        """Delete every finished game that belongs to this person alone, and return their codes."""
        return await self._writer.delete_solo_games(person)

    async def sweep(self, policy: RetentionPolicy, now: float) -> SweepResult:
        """Delete some of the tables marked long enough ago, and mark those abandoned since."""
        return await self._writer.sweep(policy, now)

    async def probe(self) -> Sequence[str]:
        """Try to read and to write; a short phrase for each problem."""
        problems = []
        for attempt, problem in ((self.open_tables, "cannot be read"), (self._writer.probe, "cannot be written")):
            try:
                await attempt()
            except (UnavailableError, SQLAlchemyError):
                problems.append(f"the database {problem}")
        return problems

    async def close(self) -> None:
        """Finish pending writes and reads, then close all connections."""
        await self._writer.close()
        if self.reads:
            await asyncio.wait(self.reads, timeout=CLOSE_TIMEOUT)
        await self._reading.dispose()


def _read_summary(row: RowMapping) -> TableSummary:
    progress = row["progress"] and msgspec.convert(row["progress"], GameProgress)
    several = {name: tuple(row[name] or ()) for name in ("names", "player_ids", "player_names", "bots")}
    read = {"phase": Phase(row["phase"]), "progress": progress, "kind": GameKind(row["kind"] or "")}
    read["offered"] = row["offered"] or ""
    return TableSummary(**{**row, **several, **read})
