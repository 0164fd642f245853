"""The one writer of a database: everything that is waiting is written together, so many moves cost one trip to the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Text,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    not_,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import insert as upsert

from tamaya.rules import MalformedError, say
from tamaya.storage.players import SEATING, has_changed, save_players
from tamaya.storage.schema import coachings, events, people, tables
from tamaya.table.history import GameKind
from tamaya.table.ports import EventBatch, Keeping, Listing, Swept, TakenError
from tamaya.table.seats import Phase

_LAST = select(func.max(events.c.sequence)).where(events.c.code == tables.c.code).scalar_subquery()
_KNOWN = (tables.c.code, tables.c.ended, *(tables.c[name] for name in SEATING))
_STANDING = select(*_KNOWN, _LAST.label("last")).where(tables.c.code.in_(bindparam("codes", expanding=True)))
_upsert = upsert(tables)
_SAVE_LISTING = _upsert.on_conflict_do_update(
    index_elements=[tables.c.code],
    set_={column.name: _upsert.excluded[column.name] for column in tables.c if not column.primary_key},
)
_ADD_EVENTS = insert(events)
_NEWEST_AND_COUNT = select(func.max(tables.c.touched), func.count()).select_from(tables)
_coach = upsert(coachings).from_select(
    ["code", "text"], select(tables.c.code, bindparam("coaching", type_=Text)).where(tables.c.code == bindparam("table"))
)
_KEEP_COACHING = _coach.on_conflict_do_update(index_elements=[coachings.c.code], set_={"text": _coach.excluded["text"]})
_DELETE_TABLE = delete(tables).where(tables.c.code == bindparam("table"))
_DELETE_EVENTS = delete(events).where(events.c.code == bindparam("table"))


@dataclass(eq=False, slots=True)
class _Call:
    """One append that waits for its answer."""

    batches: Sequence[EventBatch]
    answer: asyncio.Future[None]
    refusal: Exception | None = None


@dataclass(slots=True)
class _Group:
    """What one transaction writes: the events that follow those in the database, and the last listing of each table. A game
    that was over, by these events or before them, has `ended` when it first was."""

    last: dict[str, int]
    ended: dict[str, float | None]
    rows: list[dict[str, Any]] = field(default_factory=list)
    listings: dict[str, Listing] = field(default_factory=dict)

    def take(self, batches: Sequence[EventBatch]) -> Exception | None:
        """Add all of these, or none and return the reason."""
        last = dict[str, int]()
        for batch in batches:
            code = batch.listing.code
            missing = batch.first - 1 - last.get(code, self.last.get(code, 0))
            if missing:
                return TakenError(code, batch.first) if missing < 0 else _forgotten(code)
            last[code] = batch.first - 1 + len(batch.lines)
        self.last |= last
        for batch in batches:
            if batch.lines:
                self._take(batch)
        return None

    def _take(self, batch: EventBatch) -> None:
        listing, ended = batch.listing, self.ended.get(batch.listing.code)
        if listing.ended is not None and ended is not None:
            listing = replace(listing, ended=ended)
        self.listings[listing.code] = listing
        self.ended[listing.code] = listing.ended
        self.rows += _rows(batch)


class Writer:
    """Gathers appends and writes them in groups, in a thread of its own: a group is handed over once, not by statement.
    Its engine begins every transaction with the write lock."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="writer")
        self._waiting: list[_Call] = []
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    async def append(self, batches: Sequence[EventBatch]) -> None:
        """Write these, all or none. The writing goes on even if the caller stops waiting."""
        if self._closed:
            raise RuntimeError("the store is closed")
        loop = asyncio.get_running_loop()
        call = _Call(batches, loop.create_future())
        self._waiting.append(call)
        if self._task is None:
            self._task = loop.create_task(self._work(), name="writer")
        await call.answer

    async def sweep(self, keeping: Keeping, now: float) -> Swept:
        """Have abandoned tables marked, and some of those forgotten that have been marked for long enough."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._sweep, keeping, now)

    async def remove(self, code: str, sequence: int) -> None:
        """Delete a table that has so many events; `TakenError` if it has not."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._remove, code, sequence)

    async def remove_own(self, person: str) -> tuple[str, ...]:
        """Delete every ended game that is this person's alone."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._remove_own, person)

    async def keep_coaching(self, code: str, text: str) -> None:
        """Keep what a coach found out about the game of a table, if it is still there."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._keep_coaching, code, text)

    async def close(self) -> None:
        """Write what is waiting and accept nothing more."""
        self._closed = True
        if self._task is not None:
            await asyncio.shield(self._task)
        await asyncio.to_thread(self._thread.shutdown)
        self._engine.dispose()

    async def _work(self) -> None:
        """Write until nothing is waiting. While one group is being written, the next one gathers."""
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                group, self._waiting = self._waiting, []
                try:
                    await loop.run_in_executor(self._thread, self._write, group)
                except Exception as problem:
                    for call in group:
                        call.refusal = problem
                _answer(group)
        finally:
            self._task = None

    def _write(self, calls: Sequence[_Call]) -> None:
        with self._engine.begin() as connection:
            codes = {batch.listing.code for call in calls for batch in call.batches}
            standing = {row["code"]: row for row in connection.execute(_STANDING, {"codes": list(codes)}).mappings()}
            group = _Group(
                {code: row["last"] for code, row in standing.items()}, {code: row["ended"] for code, row in standing.items()}
            )
            for call in calls:
                call.refusal = group.take(call.batches)
            if group.rows:
                connection.execute(_SAVE_LISTING, [_listing_row(listing) for listing in group.listings.values()])
                connection.execute(_ADD_EVENTS, group.rows)
                changed = [one for one in group.listings.values() if has_changed(one, standing.get(one.code))]
                save_players(connection, changed)

    def _keep_coaching(self, code: str, text: str) -> None:
        with self._engine.begin() as connection:
            connection.execute(_KEEP_COACHING, {"table": code, "coaching": text})

    def _remove(self, code: str, sequence: int) -> None:
        with self._engine.begin() as connection:
            if connection.scalar(select(func.max(events.c.sequence)).where(events.c.code == code)) != sequence:
                raise TakenError(code, sequence)
            _delete(connection, [code])

    def _remove_own(self, person: str) -> tuple[str, ...]:
        other = people.alias()
        shared = exists().where(other.c.code == people.c.code, other.c.person != person)
        own = select(people.c.code).where(people.c.person == person, people.c.ended.is_not(None), not_(shared))
        with self._engine.begin() as connection:
            codes = tuple(connection.scalars(own))
            _delete(connection, codes)
        return codes

    def _sweep(self, keeping: Keeping, now: float) -> Swept:
        with self._engine.begin() as connection:
            newest, count = connection.execute(_NEWEST_AND_COUNT).one()
            if not count:
                return Swept()
            today = min(now, newest)
            abandoned = _abandoned(keeping, today)
            marked = tables.c.marked
            lifted = and_(marked.is_not(None), or_(not_(abandoned), marked > today))
            connection.execute(update(tables).where(lifted).values(marked=None))
            due = select(tables.c.code).where(marked <= today - keeping.marked_for).order_by(marked, tables.c.code)
            some = due.limit(max(1, int(count * keeping.share)))
            codes = list(connection.scalars(some))
            _delete(connection, codes)
            fresh = connection.execute(update(tables).where(abandoned, marked.is_(None)).values(marked=today))
            return Swept(newest, fresh.rowcount, tuple(codes))


def _abandoned(keeping: Keeping, today: float) -> ColumnElement[bool]:
    """Which tables nobody has touched for too long; of the games that are over, only those from elsewhere can be among them."""
    kept = [(tables.c.phase == phase.value, seconds) for phase, seconds in keeping.kept_for.items()]
    if keeping.brought_for is not None:
        brought = and_(tables.c.phase == Phase.ENDED.value, func.coalesce(tables.c.kind, "") == GameKind.BROUGHT.value)
        kept.append((brought, keeping.brought_for))
    return or_(*(and_(such, tables.c.touched < today - seconds) for such, seconds in kept))


def _rows(batch: EventBatch) -> Iterator[dict[str, Any]]:
    for sequence, line in enumerate(batch.lines, batch.first):
        yield {"code": batch.listing.code, "sequence": sequence, "line": line}


def _listing_row(listing: Listing) -> dict[str, Any]:
    return {
        "code": listing.code,
        "phase": listing.phase.value,
        "listed": listing.listed,
        "edition": listing.edition,
        "players": listing.players,
        "names": listing.names,
        "people": listing.people,
        "touched": listing.touched,
        "marked": None,
        "progress": listing.progress and msgspec.to_builtins(listing.progress),
        "called": listing.called,
        "bots": listing.bots,
        "kind": listing.kind.value,
        "ended": listing.ended,
        "offered": listing.offered or None,
    }


def _delete(connection: Connection, codes: Sequence[str]) -> None:
    """Delete tables; the database deletes who sat at them."""
    if codes:
        connection.execute(_DELETE_TABLE, [{"table": code} for code in codes])
        connection.execute(_DELETE_EVENTS, [{"table": code} for code in codes])


def _forgotten(code: str) -> MalformedError:
    """The events before these are not there: the table was swept while somebody still looked at it."""
    return MalformedError("unknown_table", say("There is no table “{code}”; check the link.", code=code))


def _answer(calls: Iterable[_Call]) -> None:
    for call in calls:
        if call.answer.done():
            continue
        if call.refusal is None:
            call.answer.set_result(None)
        else:
            call.answer.set_exception(call.refusal)
