"""Whose tables they are and who plays at them, kept beside the list of tables wherever that changes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from sqlalchemy import Connection, RowMapping, bindparam, delete, insert

from tamaya.storage.schema import partners, people
from tamaya.table.history import GameKind
from tamaya.table.ports import Listing

SEATING = ("people", "called", "names", "bots")
"""What `tables` says of who plays at each."""

_REMOVE = [delete(table).where(table.c.code == bindparam("table")) for table in (people, partners)]
_ADD_PEOPLE = insert(people)
_ADD_PARTNERS = insert(partners)


def has_changed(listing: Listing, before: RowMapping | None) -> bool:
    """Whether what is kept of a table's players is no longer right: most events are moves, which change nothing of it."""
    if before is None or before["ended"] != listing.ended:
        return True
    return any(before[name] != list(getattr(listing, name)) for name in SEATING)


def save_players(connection: Connection, listings: Sequence[Listing]) -> None:
    """Keep whose tables these are and with whom they play there, with what each game came to."""
    if not listings:
        return
    for removal in _REMOVE:
        connection.execute(removal, [{"table": listing.code} for listing in listings])
    rows = [{**_result(listing), "person": person} for listing in listings for person in sorted({*listing.people})]
    if rows:
        connection.execute(_ADD_PEOPLE, rows)
    partners_of_all = [row for listing in listings for row in _partners_of(listing)]
    if partners_of_all:
        connection.execute(_ADD_PARTNERS, partners_of_all)


def _result(listing: Listing) -> dict[str, Any]:
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


def _partners_of(listing: Listing) -> Iterator[dict[str, Any]]:
    result = _result(listing)
    called = zip_longest(listing.people, listing.called[: len(listing.people)], fillvalue="")
    for person, own in dict(called).items():
        seats = zip_longest(listing.names, listing.bots[: len(listing.names)], fillvalue="")
        for bot, name in sorted({(bot, "" if bot else name) for name, bot in seats if name not in ("", own)}):
            yield {**result, "person": person, "bot": bot, "name": name}
