"""Whose tables they are and who plays at them, kept beside the list of tables wherever that changes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from sqlalchemy import Connection, RowMapping, bindparam, delete, insert
from sqlalchemy.sql.base import Executable

from tamaya.storage.schema import partners, people
from tamaya.table.history import GameKind
from tamaya.table.ports import Listing

_REMOVE = [delete(table).where(table.c.code == bindparam("table")) for table in (people, partners)]
_ADD_PEOPLE = insert(people)
_ADD_PARTNERS = insert(partners)


def has_changed(listing: Listing, before: RowMapping | None) -> bool:
    """Whether what is kept of a table's players is no longer right: most events are moves, which change nothing of it."""
    if before is None or (before["ended"] is None) != (listing.ended is None):
        return True
    return any(before[name] != list(getattr(listing, name)) for name in ("people", "called", "names", "bots"))


def save_players(connection: Connection, listings: Sequence[Listing]) -> None:
    """Keep who plays at these tables, and what each of them came to."""
    if not listings:
        return
    for removal in _REMOVE:
        connection.execute(removal, [{"table": listing.code} for listing in listings])
    _add(connection, _ADD_PEOPLE, [row for listing in listings for row in _people_of(listing)])
    _add(connection, _ADD_PARTNERS, [row for listing in listings for row in _partners_of(listing)])


def _add(connection: Connection, statement: Executable, rows: list[dict[str, Any]]) -> None:
    if rows:
        connection.execute(statement, rows)


def _people_of(listing: Listing) -> Iterator[dict[str, Any]]:
    progress = listing.progress if listing.ended is not None else None
    shared = {
        "code": listing.code,
        "edition": listing.edition,
        "players": listing.players,
        "ended": listing.ended,
        "counted": progress is not None and listing.kind is GameKind.PLAIN,
        "score": progress and (0 if progress.lost else progress.points),
        "lost": progress is not None and progress.lost,
        "perfect": progress is not None and progress.perfect,
    }
    called = zip_longest(listing.people, listing.called[: len(listing.people)], fillvalue="")
    for person, name in dict(called).items():
        yield {**shared, "person": person, "called": name}


def _partners_of(listing: Listing) -> Iterator[dict[str, Any]]:
    seats: Iterable[tuple[str, str]] = zip_longest(listing.names, listing.bots[: len(listing.names)], fillvalue="")
    for bot, name in sorted({(bot, "" if bot else name) for name, bot in seats if name}):
        yield {"code": listing.code, "bot": bot, "name": name}
