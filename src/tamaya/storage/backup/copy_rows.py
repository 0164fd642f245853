"""Every row of a database into another one, whichever kind either is, and proof that nothing was lost on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Table, func, insert, inspect, select, text

from tamaya.rules import MalformedError, say
from tamaya.storage.schema import events, metadata

CHUNK = 1000
"""So many rows are in memory at a time."""
DIGESTS = 2**256

ProgressCallback = Callable[[float], None]
"""Is told of each share of the work that is done, of 1 in all."""
Contents = Mapping[str, tuple[int, int]]
"""How many rows each table of a database has, and the sum of their digests: the same in whatever order they lie, on which
databases do not agree."""


def no_progress(share: float) -> None:
    """Nobody wants to know how far it is."""


def count_rows(connection: Connection) -> int:
    """How many rows a database has in all its tables."""
    return sum(connection.scalar(select(func.count()).select_from(table)) or 0 for table in metadata.sorted_tables)


def holds_something(connection: Connection) -> bool:
    """Whether there is anything in a database but our own tables without a row."""
    names = set(inspect(connection).get_table_names()) - {"alembic_version"}
    ours = [table for name, table in metadata.tables.items() if name in names]
    return len(names) > len(ours) or any(connection.execute(select(1).select_from(table).limit(1)).first() for table in ours)


def copy_and_compare(source: Connection, target: Connection, watch: ProgressCallback = no_progress) -> Contents:
    """Put every row of one database into another one, which has the same tables and nothing in them; then read both again.
    Refused if they differ: whoever calls this commits only after it."""
    every = max(1, 3 * count_rows(source))

    def tick(rows: int) -> None:
        watch(rows / every)

    for table in metadata.sorted_tables:
        keys = table.columns.keys()
        for chunk in _chunks(source, table):
            target.execute(insert(table), [dict(zip(keys, row, strict=True)) for row in chunk])
            tick(len(chunk))
        _count_on(target, table)
    there, here = contents(source, tick), contents(target, tick)
    differing = tuple(name for name in there if there[name] != here[name])
    if differing:
        message = say("The copy differs from the original, in: {tables}. Nothing was changed.", tables=differing)
        raise MalformedError("copy_differs", message)
    return here


def contents(connection: Connection, tick: Callable[[int], None] = no_progress) -> Contents:
    """What a database holds, to compare it with another one."""
    found = {}
    for table in metadata.sorted_tables:
        rows = total = 0
        for chunk in _chunks(connection, table):
            rows += len(chunk)
            total += sum(int.from_bytes(sha256(repr(tuple(row)).encode()).digest()) for row in chunk)
            tick(len(chunk))
        found[table.name] = (rows, total % DIGESTS)
    return found


def refuse_gaps(connection: Connection) -> None:
    """Refuse a database in which a table's events are not all those from the first to the last."""
    number = events.c.sequence
    complete = (func.min(number) == 1) & (func.max(number) == func.count())
    broken = select(events.c.code).group_by(events.c.code).having(~complete).limit(1)
    if connection.scalar(broken) is not None:
        raise MalformedError("events_missing", say("The database is damaged: events of a table are missing."))


def _chunks(connection: Connection, table: Table) -> Iterator[Any]:
    """The rows of a table, some at a time, in the order of their keys, in which they are quickly put in again."""
    every = select(table).order_by(*table.primary_key).execution_options(yield_per=CHUNK)
    with connection.execute(every) as rows:
        yield from rows.partitions()


def _count_on(target: Connection, table: Table) -> None:
    """Where PostgreSQL numbers the rows of a table itself, let it go on after the last of them."""
    column = table.autoincrement_column
    if target.dialect.name == "postgresql" and column is not None:
        place = {"table": table.name, "column": column.name}
        last = target.scalar(select(func.max(column)))
        numbering = target.scalar(text("SELECT pg_get_serial_sequence(:table, :column)"), place)
        if numbering and last:
            target.execute(text("SELECT setval(:numbering, :last)"), {"numbering": numbering, "last": last})
