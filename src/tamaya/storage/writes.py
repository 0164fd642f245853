"""Whose tables they are and who plays at them, kept beside the list of tables wherever that changes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Table,
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
from sqlalchemy.dialects import postgresql, sqlite

from tamaya.rules import MalformedError, say
from tamaya.storage.schema import coachings, events, partners, people, tables
from tamaya.table.state import Phase
from tamaya.table.store import ConflictError, EventBatch, GameKind, RetentionPolicy, SweepResult, TableSummary

SEATING = ("player_ids", "player_names", "names", "bots")
"""What `tables` says of who plays at each."""

_REMOVE = [delete(table).where(table.c.code == bindparam("table")) for table in (people, partners)]
_ADD_PEOPLE = insert(people)
_ADD_PARTNERS = insert(partners)


def has_changed(listing: TableSummary, before: RowMapping | None) -> bool:
    """Whether what is kept of a table's players is no longer right: most events are moves, which change nothing of it."""
    if before is None or before["ended"] != listing.ended:
        return True
    return any(before[name] != list(getattr(listing, name)) for name in SEATING)


def save_players(connection: Connection, listings: Sequence[TableSummary]) -> None:
    """Keep whose tables these are and with whom they play there, with what each game came to."""
    if not listings:
        return
    for removal in _REMOVE:
        connection.execute(removal, [{"table": listing.code} for listing in listings])
    rows = [{**_result(listing), "person": person} for listing in listings for person in sorted({*listing.player_ids})]
    if rows:
        connection.execute(_ADD_PEOPLE, rows)
    partners_of_all = [row for listing in listings for row in _partners_of(listing)]
    if partners_of_all:
        connection.execute(_ADD_PARTNERS, partners_of_all)


def _result(listing: TableSummary) -> dict[str, Any]:
    progress = listing.progress if listing.ended is not None else None
    return {
        "code": listing.code,
        "edition": listing.edition,
        "players": listing.players,
        "ended": listing.ended,
        "counted": progress is not None and listing.kind is GameKind.PLAIN,
        "score": progress and (0 if progress.lost else progress.points),
        "lost": progress is not None and progress.lost,
        "perfect": progress is not None and progress.perfect,
    }


def _partners_of(listing: TableSummary) -> Iterator[dict[str, Any]]:
    result = _result(listing)
    called = zip_longest(listing.player_ids, listing.player_names[: len(listing.player_ids)], fillvalue="")
    for person, own in dict(called).items():
        seats = zip_longest(listing.names, listing.bots[: len(listing.names)], fillvalue="")
        for bot, name in sorted({(bot, "" if bot else name) for name, bot in seats if name not in ("", own)}):
            yield {**result, "person": person, "bot": bot, "name": name}


_THESE = tables.c.code.in_(bindparam("codes", expanding=True))
_LAST = select(func.max(events.c.sequence)).where(events.c.code == tables.c.code).scalar_subquery()
_KNOWN = (tables.c.code, tables.c.ended, *(tables.c[name].label(name) for name in SEATING))
_STANDING = select(*_KNOWN, _LAST.label("last")).where(_THESE)
_LOCK = select(tables.c.code).where(_THESE).order_by(tables.c.code).with_for_update(key_share=True)
_ADD_EVENTS = insert(events)
_LINES = select(events.c.line).where(
    events.c.code == bindparam("table"), events.c.sequence.between(bindparam("first"), bindparam("last"))
)
_NEWEST_AND_COUNT = select(func.max(tables.c.updated_at), func.count()).select_from(tables)
_DELETE_TABLE = delete(tables).where(tables.c.code == bindparam("table"))
_DELETE_EVENTS = delete(events).where(events.c.code == bindparam("table"))
_PROBE = {"code": "", "line": "." * 8192}
"""A row that no table has, as large as an evening's talk: room for it has to be found."""
_DELETE_PROBE = delete(events).where(events.c.code == "", events.c.sequence == bindparam("number"))
_INSERTS: Mapping[str, Callable[[Table], Any]] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def _saving_listing(dialect: str) -> Any:
    saving = _INSERTS[dialect](tables)
    changed = {column.key: saving.excluded[column.key] for column in tables.c if not column.primary_key}
    return saving.on_conflict_do_update(index_elements=[tables.c.code], set_=changed)


def _keeping_coaching(dialect: str) -> Any:
    told = select(tables.c.code, bindparam("coaching", type_=Text)).where(tables.c.code == bindparam("table"))
    keeping = _INSERTS[dialect](coachings).from_select(["code", "text"], told)
    return keeping.on_conflict_do_update(index_elements=[coachings.c.code], set_={"text": keeping.excluded["text"]})


_SAVE_LISTING = {dialect: _saving_listing(dialect) for dialect in _INSERTS}
_KEEP_COACHING = {dialect: _keeping_coaching(dialect) for dialect in _INSERTS}


@dataclass(slots=True)
class _Group:
    """What one transaction writes: the events that follow those in the database, and the last listing of each table. A game
    that was over, by these events or before them, has `ended` when it first was."""

    last: dict[str, int]
    ended: dict[str, float | None]
    rows: list[dict[str, Any]] = field(default_factory=list)
    listings: dict[str, TableSummary] = field(default_factory=dict)

    def take(self, batches: Sequence[EventBatch]) -> Exception | None:
        """Add all of these, or none and return the reason."""
        last = dict[str, int]()
        for batch in batches:
            code = batch.listing.code
            missing = batch.first - 1 - last.get(code, self.last.get(code, 0))
            if missing:
                return ConflictError(code, batch.first) if missing < 0 else _forgotten(code)
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


def append(connection: Connection, again: bool, calls: Sequence[Sequence[EventBatch]]) -> list[Exception | None]:
    """Write what several callers want to be kept, each all or nothing; returns why which of them are refused.

    `again` says that the same was tried before and that nobody knows what came of it: whatever is there to the letter was kept.
    """
    codes = sorted({batch.listing.code for batches in calls for batch in batches})
    _lock(connection, codes)
    standing = {row["code"]: row for row in connection.execute(_STANDING, {"codes": codes}).mappings()}
    group = _Group(
        {code: row["last"] for code, row in standing.items()}, {code: row["ended"] for code, row in standing.items()}
    )
    refusals = [None if again and _is_kept(connection, batches) else group.take(batches) for batches in calls]
    if group.rows:
        listings = sorted(group.listings.values(), key=lambda listing: listing.code)
        connection.execute(_SAVE_LISTING[connection.dialect.name], [_listing_row(listing) for listing in listings])
        connection.execute(_ADD_EVENTS, group.rows)
        save_players(connection, [one for one in listings if has_changed(one, standing.get(one.code))])
    return refusals


def _lock(connection: Connection, codes: Sequence[str]) -> None:
    """Let nobody else change these tables before this transaction ends; always in the same order, so that no two wait for each
    other."""
    if connection.dialect.name == "postgresql":
        connection.execute(_LOCK, {"codes": codes})


def _is_kept(connection: Connection, batches: Sequence[EventBatch]) -> bool:
    return all(
        list(connection.scalars(_LINES, {"table": batch.listing.code, "first": first, "last": first})) == [line]
        for batch in batches
        for first, line in enumerate(batch.lines, batch.first)
    )


def probe(connection: Connection, number: int) -> None:
    """Write something and take it away again, under a number of one's own: processes do not wait for each other."""
    connection.execute(_DELETE_PROBE, {"number": number})
    connection.execute(_ADD_EVENTS, [{**_PROBE, "sequence": number}])
    connection.execute(_DELETE_PROBE, {"number": number})


def save_analysis(connection: Connection, code: str, text: str) -> None:
    """Keep what a coach found out about the game of a table, if it is still there."""
    connection.execute(_KEEP_COACHING[connection.dialect.name], {"table": code, "coaching": text})


def remove(connection: Connection, code: str, sequence: int, again: bool) -> None:
    """Delete a table that has so many events; `TakenError` if it has not. Where this was tried `again` and it is gone, it was
    deleted the first time."""
    _lock(connection, [code])
    last = connection.scalar(select(func.max(events.c.sequence)).where(events.c.code == code))
    if again and last is None:
        return
    if last != sequence:
        raise ConflictError(code, sequence)
    _delete(connection, [code])


def delete_solo_games(connection: Connection, person: str) -> tuple[str, ...]:
    """Delete every ended game that is this person's alone."""
    other = people.alias()
    shared = exists().where(other.c.code == people.c.code, other.c.person != person)
    own = select(people.c.code).where(people.c.person == person, people.c.ended.is_not(None), not_(shared))
    codes = tuple(connection.scalars(own.order_by(people.c.code)))
    _delete(connection, codes)
    return codes


def sweep(connection: Connection, keeping: RetentionPolicy, now: float) -> SweepResult:
    """Mark the abandoned tables, and forget some of those that have been marked for long enough."""
    newest, count = connection.execute(_NEWEST_AND_COUNT).one()
    if not count:
        return SweepResult()
    today = min(now, newest)
    abandoned = _abandoned(keeping, today)
    marked = tables.c.abandoned_at
    lifted = and_(marked.is_not(None), or_(not_(abandoned), marked > today))
    connection.execute(update(tables).where(lifted).values(abandoned_at=None))
    due = select(tables.c.code).where(marked <= today - keeping.marked_for).order_by(marked, tables.c.code)
    some = due.limit(max(1, int(count * keeping.share))).with_for_update(skip_locked=True)
    codes = list(connection.scalars(some))
    _delete(connection, codes)
    fresh = connection.execute(update(tables).where(abandoned, marked.is_(None)).values(abandoned_at=today))
    return SweepResult(newest, fresh.rowcount, tuple(codes))


def _abandoned(keeping: RetentionPolicy, today: float) -> ColumnElement[bool]:
    """Which tables nobody has touched for too long; of the games that are over, only those from elsewhere can be among them."""
    kept = [(tables.c.phase == phase.value, seconds) for phase, seconds in keeping.kept_for.items()]
    if keeping.brought_for is not None:
        brought = and_(tables.c.phase == Phase.ENDED.value, func.coalesce(tables.c.kind, "") == GameKind.BROUGHT.value)
        kept.append((brought, keeping.brought_for))
    return or_(*(and_(such, tables.c.updated_at < today - seconds) for such, seconds in kept))


def _rows(batch: EventBatch) -> Iterator[dict[str, Any]]:
    for sequence, line in enumerate(batch.lines, batch.first):
        yield {"code": batch.listing.code, "sequence": sequence, "line": line}


def _listing_row(listing: TableSummary) -> dict[str, Any]:
    return {
        "code": listing.code,
        "phase": listing.phase.value,
        "listed": listing.listed,
        "edition": listing.edition,
        "players": listing.players,
        "names": listing.names,
        "player_ids": listing.player_ids,
        "updated_at": listing.updated_at,
        "abandoned_at": None,
        "progress": listing.progress and msgspec.to_builtins(listing.progress),
        "player_names": listing.player_names,
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
