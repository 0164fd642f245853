"""Copying all rows between databases of either kind, with proof that nothing was lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Table, func, insert, inspect, select, text

from tamaya.rules import MalformedError, say
from tamaya.storage.schema import events, metadata

CHUNK_SIZE = 1000
"""How many rows are in memory at a time."""
DIGEST_MODULUS = 2**256

ProgressCallback = Callable[[float], None]
"""Called with each share of the work that is done; they add up to 1."""
Contents = Mapping[str, tuple[int, int]]
"""The number of rows in each table of a database and the sum of their digests, which does not depend on their order: databases
sort differently."""


def no_progress(share: float) -> None:
    """Ignore the progress."""


def count_rows(connection: Connection) -> int:
    """The number of rows in all tables of a database."""
    return sum(connection.scalar(select(func.count()).select_from(table)) or 0 for table in metadata.sorted_tables)


def has_content(connection: Connection) -> bool:
    """Whether a database has anything but empty tables of this schema."""
    names = set(inspect(connection).get_table_names()) - {"alembic_version"}
    ours = [table for name, table in metadata.tables.items() if name in names]
    return len(names) > len(ours) or any(connection.execute(select(1).select_from(table).limit(1)).first() for table in ours)


def copy_and_compare(source: Connection, target: Connection, watch: ProgressCallback = no_progress) -> Contents:
    """Copy every row of one database to another, whose tables are empty, then read both again. Raises if they differ: the
    caller commits only afterwards."""
    total = max(1, 3 * count_rows(source))

    def tick(rows: int) -> None:
        watch(rows / total)

    for table in metadata.sorted_tables:
        keys = table.columns.keys()
        for chunk in _chunks(source, table):
            target.execute(insert(table), [dict(zip(keys, row, strict=True)) for row in chunk])
            tick(len(chunk))
        _advance_sequence(target, table)
    expected, copied = contents(source, tick), contents(target, tick)
    differing = tuple(name for name in expected if expected[name] != copied[name])
    if differing:
        message = say("The copy differs from the original, in: {tables}. Nothing was changed.", tables=differing)
        raise MalformedError("copy_differs", message)
    return copied


def contents(connection: Connection, tick: Callable[[int], None] = no_progress) -> Contents:
    """Row counts and digests of a database, to compare it with another one."""
    found = {}
    for table in metadata.sorted_tables:
        rows = total = 0
        for chunk in _chunks(connection, table):
            rows += len(chunk)
            total += sum(int.from_bytes(sha256(repr(tuple(row)).encode()).digest()) for row in chunk)
            tick(len(chunk))
        found[table.name] = (rows, total % DIGEST_MODULUS)
    return found


def refuse_gaps(connection: Connection) -> None:
    """Refuse a database in which events of a table are missing."""
    number = events.c.sequence
    complete = (func.min(number) == 1) & (func.max(number) == func.count())
    broken = select(events.c.code).group_by(events.c.code).having(~complete).limit(1)
    if connection.scalar(broken) is not None:
        raise MalformedError("events_missing", say("The database is damaged: events of a table are missing."))


def _chunks(connection: Connection, table: Table) -> Iterator[Any]:
    """The rows of a table in chunks, in the order of their primary key, in which inserting them is fast."""
    rows_in_order = select(table).order_by(*table.primary_key).execution_options(yield_per=CHUNK_SIZE)
    with connection.execute(rows_in_order) as rows:
        yield from rows.partitions()


def _advance_sequence(target: Connection, table: Table) -> None:
    """Set PostgreSQL's sequence of an autoincrement column to its last value."""
    column = table.autoincrement_column
    if target.dialect.name == "postgresql" and column is not None:
        names = {"table": table.name, "column": column.name}
        last = target.scalar(select(func.max(column)))
        numbering = target.scalar(text("SELECT pg_get_serial_sequence(:table, :column)"), names)
        if numbering and last:
            target.execute(text("SELECT setval(:numbering, :last)"), {"numbering": numbering, "last": last})
