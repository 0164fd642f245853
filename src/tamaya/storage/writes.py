"""SQL that changes the database, each function within a transaction of the `WriteQueue`."""

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

PLAYER_COLUMNS = ("player_ids", "player_names", "names", "bots")
"""The columns of `tables` from which `people` and `partners` follow."""

_REMOVE = [delete(table).where(table.c.code == bindparam("table")) for table in (people, partners)]
_INSERT_PEOPLE = insert(people)
_INSERT_PARTNERS = insert(partners)


def have_players_changed(summary: TableSummary, before: RowMapping | None) -> bool:
    """Whether the rows of a table's players are outdated; most events are moves, which do not change them."""
    if before is None or before["ended"] != summary.ended:
        return True
    return any(before[name] != list(getattr(summary, name)) for name in PLAYER_COLUMNS)


def save_players(connection: Connection, summaries: Sequence[TableSummary]) -> None:
    """Replace the rows of these tables in `people` and `partners`."""
    if not summaries:
        return
    for removal in _REMOVE:
        connection.execute(removal, [{"table": summary.code} for summary in summaries])
    rows = [{**_result_columns(summary), "person": person} for summary in summaries for person in sorted({*summary.player_ids})]
    if rows:
        connection.execute(_INSERT_PEOPLE, rows)
    partners_of_all = [row for summary in summaries for row in _partners_of(summary)]
    if partners_of_all:
        connection.execute(_INSERT_PARTNERS, partners_of_all)


def _result_columns(summary: TableSummary) -> dict[str, Any]:
    progress = summary.progress if summary.ended is not None else None
    return {
        "code": summary.code,
        "edition": summary.edition,
        "players": summary.players,
        "ended": summary.ended,
        "counted": progress is not None and summary.kind is GameKind.PLAIN,
        "score": progress and (0 if progress.lost else progress.points),
        "lost": progress is not None and progress.lost,
        "perfect": progress is not None and progress.perfect,
    }


def _partners_of(summary: TableSummary) -> Iterator[dict[str, Any]]:
    result = _result_columns(summary)
    names_by_id = zip_longest(summary.player_ids, summary.player_names[: len(summary.player_ids)], fillvalue="")
    for person, own in dict(names_by_id).items():
        seats = zip_longest(summary.names, summary.bots[: len(summary.names)], fillvalue="")
        for bot, name in sorted({(bot, "" if bot else name) for name, bot in seats if name not in ("", own)}):
            yield {**result, "person": person, "bot": bot, "name": name}


_HAS_CODE = tables.c.code.in_(bindparam("codes", expanding=True))
_LAST_SEQUENCE = select(func.max(events.c.sequence)).where(events.c.code == tables.c.code).scalar_subquery()
_STORED_COLUMNS = (tables.c.code, tables.c.ended, *(tables.c[name].label(name) for name in PLAYER_COLUMNS))
_CURRENT_STATE = select(*_STORED_COLUMNS, _LAST_SEQUENCE.label("last")).where(_HAS_CODE)
_LOCK = select(tables.c.code).where(_HAS_CODE).order_by(tables.c.code).with_for_update(key_share=True)
_INSERT_EVENTS = insert(events)
_LINES = select(events.c.line).where(
    events.c.code == bindparam("table"), events.c.sequence.between(bindparam("first"), bindparam("last"))
)
_NEWEST_AND_COUNT = select(func.max(tables.c.updated_at), func.count()).select_from(tables)
_DELETE_TABLE = delete(tables).where(tables.c.code == bindparam("table"))
_DELETE_EVENTS = delete(events).where(events.c.code == bindparam("table"))
_PROBE = {"code": "", "line": "." * 8192}
"""A row of no table, as large as an evening's chat, so that a full disk is noticed."""
_DELETE_PROBE = delete(events).where(events.c.code == "", events.c.sequence == bindparam("number"))
_DIALECT_INSERTS: Mapping[str, Callable[[Table], Any]] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def _saving_summary(dialect: str) -> Any:
    saving = _DIALECT_INSERTS[dialect](tables)
    changed = {column.key: saving.excluded[column.key] for column in tables.c if not column.primary_key}
    return saving.on_conflict_do_update(index_elements=[tables.c.code], set_=changed)


def _saving_analysis(dialect: str) -> Any:
    row = select(tables.c.code, bindparam("analysis", type_=Text)).where(tables.c.code == bindparam("table"))
    saving = _DIALECT_INSERTS[dialect](coachings).from_select(["code", "text"], row)
    return saving.on_conflict_do_update(index_elements=[coachings.c.code], set_={"text": saving.excluded["text"]})


_SAVE_SUMMARY = {dialect: _saving_summary(dialect) for dialect in _DIALECT_INSERTS}
_SAVE_ANALYSIS = {dialect: _saving_analysis(dialect) for dialect in _DIALECT_INSERTS}


@dataclass(slots=True)
class _Group:
    """What one transaction writes: new events, and the last summary of each table.

    `last` and `ended` are each table's last event and end so far; a game that was over keeps its first end.
    """

    last: dict[str, int]
    ended: dict[str, float | None]
    event_rows: list[dict[str, Any]] = field(default_factory=list)
    summaries: dict[str, TableSummary] = field(default_factory=dict)

    def add(self, batches: Sequence[EventBatch]) -> Exception | None:
        """Add all of these batches, or none and return the error."""
        last = dict[str, int]()
        for batch in batches:
            code = batch.summary.code
            missing = batch.first - 1 - last.get(code, self.last.get(code, 0))
            if missing:
                return ConflictError(code, batch.first) if missing < 0 else _unknown_table(code)
            last[code] = batch.first - 1 + len(batch.lines)
        self.last |= last
        for batch in batches:
            if batch.lines:
                self._take(batch)
        return None

    def _take(self, batch: EventBatch) -> None:
        summary, ended = batch.summary, self.ended.get(batch.summary.code)
        if summary.ended is not None and ended is not None:
            summary = replace(summary, ended=ended)
        self.summaries[summary.code] = summary
        self.ended[summary.code] = summary.ended
        self.event_rows += _event_rows(batch)


def append(connection: Connection, again: bool, calls: Sequence[Sequence[EventBatch]]) -> list[Exception | None]:
    """Write the batches of several calls, each all or nothing; returns the error of each call.

    `again` says that an earlier attempt may have been committed: a call whose exact events are stored has succeeded.
    """
    codes = sorted({batch.summary.code for batches in calls for batch in batches})
    _lock_tables(connection, codes)
    stored = {row["code"]: row for row in connection.execute(_CURRENT_STATE, {"codes": codes}).mappings()}
    group = _Group({code: row["last"] for code, row in stored.items()}, {code: row["ended"] for code, row in stored.items()})
    failures = [None if again and _is_stored(connection, batches) else group.add(batches) for batches in calls]
    if group.event_rows:
        summaries = sorted(group.summaries.values(), key=lambda summary: summary.code)
        connection.execute(_SAVE_SUMMARY[connection.dialect.name], [_summary_row(summary) for summary in summaries])
        connection.execute(_INSERT_EVENTS, group.event_rows)
        save_players(connection, [one for one in summaries if have_players_changed(one, stored.get(one.code))])
    return failures


def _lock_tables(connection: Connection, codes: Sequence[str]) -> None:
    """Lock these tables until the transaction ends, in a fixed order to avoid deadlocks; SQLite has one writer anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(_LOCK, {"codes": codes})


def _is_stored(connection: Connection, batches: Sequence[EventBatch]) -> bool:
    return all(
        list(connection.scalars(_LINES, {"table": batch.summary.code, "first": first, "last": first})) == [line]
        for batch in batches
        for first, line in enumerate(batch.lines, batch.first)
    )


def probe(connection: Connection, number: int) -> None:
    """Insert and delete a row; each process has its own `number`, so that none waits for another."""
    connection.execute(_DELETE_PROBE, {"number": number})
    connection.execute(_INSERT_EVENTS, [{**_PROBE, "sequence": number}])
    connection.execute(_DELETE_PROBE, {"number": number})


def save_analysis(connection: Connection, code: str, text: str) -> None:
    """Save the analysis of a table's game, if the table exists."""
    connection.execute(_SAVE_ANALYSIS[connection.dialect.name], {"table": code, "analysis": text})


def remove(connection: Connection, code: str, sequence: int, again: bool) -> None:
    """Delete a table, or raise `ConflictError` unless `sequence` is its last event. `again` says that an earlier attempt may
    have deleted it."""
    _lock_tables(connection, [code])
    last = connection.scalar(select(func.max(events.c.sequence)).where(events.c.code == code))
    if again and last is None:
        return
    if last != sequence:
        raise ConflictError(code, sequence)
    _delete(connection, [code])


def delete_solo_games(connection: Connection, person: str) -> tuple[str, ...]:
    """Delete every finished game that belongs to this person alone."""
    other = people.alias()
    shared = exists().where(other.c.code == people.c.code, other.c.person != person)
    own = select(people.c.code).where(people.c.person == person, people.c.ended.is_not(None), not_(shared))
    codes = tuple(connection.scalars(own.order_by(people.c.code)))
    _delete(connection, codes)
    return codes


def sweep(connection: Connection, policy: RetentionPolicy, now: float) -> SweepResult:
    """Delete some of the tables marked long enough ago, and mark those abandoned since."""
    newest, count = connection.execute(_NEWEST_AND_COUNT).one()
    if not count:
        return SweepResult()
    today = min(now, newest)
    abandoned = _abandoned(policy, today)
    marked = tables.c.abandoned_at
    lifted = and_(marked.is_not(None), or_(not_(abandoned), marked > today))
    connection.execute(update(tables).where(lifted).values(abandoned_at=None))
    due = select(tables.c.code).where(marked <= today - policy.marked_for).order_by(marked, tables.c.code)
    some = due.limit(max(1, int(count * policy.share))).with_for_update(skip_locked=True)
    codes = list(connection.scalars(some))
    _delete(connection, codes)
    fresh = connection.execute(update(tables).where(abandoned, marked.is_(None)).values(abandoned_at=today))
    return SweepResult(newest, fresh.rowcount, tuple(codes))


def _abandoned(policy: RetentionPolicy, today: float) -> ColumnElement[bool]:
    """Tables without events for too long; of finished games, only imported ones."""
    kept = [(tables.c.phase == phase.value, seconds) for phase, seconds in policy.kept_for.items()]
    if policy.brought_for is not None:
        imported = and_(tables.c.phase == Phase.ENDED.value, func.coalesce(tables.c.kind, "") == GameKind.BROUGHT.value)
        kept.append((imported, policy.brought_for))
    return or_(*(and_(such, tables.c.updated_at < today - seconds) for such, seconds in kept))


def _event_rows(batch: EventBatch) -> Iterator[dict[str, Any]]:
    for sequence, line in enumerate(batch.lines, batch.first):
        yield {"code": batch.summary.code, "sequence": sequence, "line": line}


def _summary_row(summary: TableSummary) -> dict[str, Any]:
    return {
        "code": summary.code,
        "phase": summary.phase.value,
        "listed": summary.listed,
        "edition": summary.edition,
        "players": summary.players,
        "names": summary.names,
        "player_ids": summary.player_ids,
        "updated_at": summary.updated_at,
        "abandoned_at": None,
        "progress": summary.progress and msgspec.to_builtins(summary.progress),
        "player_names": summary.player_names,
        "bots": summary.bots,
        "kind": summary.kind.value,
        "ended": summary.ended,
        "offered": summary.offered or None,
    }


def _delete(connection: Connection, codes: Sequence[str]) -> None:
    """Delete tables; the rows that refer to them are deleted by cascade."""
    if codes:
        connection.execute(_DELETE_TABLE, [{"table": code} for code in codes])
        connection.execute(_DELETE_EVENTS, [{"table": code} for code in codes])


def _unknown_table(code: str) -> MalformedError:
    """The error for events whose predecessors are missing: the table was swept while a page still showed it."""
    return MalformedError("unknown_table", say("There is no table “{code}”; check the link.", code=code))
