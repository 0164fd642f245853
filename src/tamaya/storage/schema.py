"""The schema of the database. The migrations lead to it, which a test checks."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Boolean, Column, Float, ForeignKey, Index, Integer, MetaData, String, Table, Text, text

metadata = MetaData()
"""Every table of the database."""

events = Table(
    "events",
    metadata,
    Column("code", String, primary_key=True),
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    Column("line", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""What has happened at each table: the one source of truth. The primary key gives each number to one writer only."""

_ON_OFFER = text("offered IS NOT NULL")

tables = Table(
    "tables",
    metadata,
    Column("code", String, primary_key=True),
    Column("phase", String, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("edition", String, nullable=False),
    Column("players", Integer, nullable=False),
    Column("names", JSON, nullable=False),
    Column("people", JSON, key="player_ids", nullable=False),
    Column("touched", Float, key="updated_at", nullable=False),
    Column("marked", Float, key="abandoned_at"),
    Column("progress", JSON(none_as_null=True)),
    Column("called", JSON(none_as_null=True), key="player_names"),
    Column("bots", JSON(none_as_null=True)),
    Column("kind", String),
    Column("ended", Float),
    Column("offered", String),
    Index("tables_by_phase", "phase", "updated_at"),
    Index("tables_on_offer", "offered", "updated_at", sqlite_where=_ON_OFFER, postgresql_where=_ON_OFFER),
)
"""What lists show of each table, written together with its events so that no list has to read them; and since when it is
marked as abandoned, which every event undoes. `offered` is the host of one that anybody may join."""


def _result() -> tuple[Column[Any], ...]:
    """What somebody's games are looked for and added up by: `score` is what a game counts, nothing if it was lost; `counted`
    says whether it is over and a game of its own."""
    return (
        Column("edition", String, nullable=False),
        Column("players", Integer, nullable=False),
        Column("ended", Float),
        Column("counted", Boolean, nullable=False),
        Column("score", Integer),
        Column("lost", Boolean, nullable=False),
        Column("perfect", Boolean, nullable=False),
    )


people = Table(
    "people",
    metadata,
    Column("code", String, ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Column("person", String, primary_key=True),
    *_result(),
    Index("people_by_time", "person", "ended", "counted", "score"),
    Index("people_by_setting", "person", "counted", "edition", "players", "score", "lost", "perfect", "ended"),
    sqlite_with_rowid=False,
)
"""Whose tables they are. All of it follows from `tables`; here it lies side by side in indexes, so that ten thousand games of
one person are read in one go."""

partners = Table(
    "partners",
    metadata,
    Column("person", String, primary_key=True),
    Column("bot", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("code", String, ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    *_result(),
    Index("partners_by_code", "code"),
    sqlite_with_rowid=False,
)
"""With whom each person plays, at which table: with people by their names, and with each kind of bot once, without a name."""

coachings = Table(
    "coachings",
    metadata,
    Column("code", String, ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Column("text", Text, nullable=False),
)
"""What a coach found out about games that are over. It can be found out again, at a cost."""

sessions = Table(
    "sessions",
    metadata,
    Column("id", String, primary_key=True),
    Column("person", String, nullable=False),
    Column("made", Float, nullable=False),
    Column("seen", Float, nullable=False),
    Column("device", String, nullable=False),
    Index("sessions_by_person", "person"),
    Index("sessions_by_time", "seen"),
)
"""Browsers that act for somebody: a session whose row is gone has ended."""

links = Table(
    "links",
    metadata,
    Column("id", String, primary_key=True),
    Column("person", String, nullable=False),
    Column("text", Text, nullable=False),
    Column("made", Float, nullable=False),
    Index("links_by_person", "person"),
)
"""Personal links that nobody has used yet, with what the cookie of the other device is going to say."""

closings = Table(
    "closings",
    metadata,
    Column("person", String, primary_key=True),
    Column("made", Float, nullable=False),
)
"""People who have ended all their other sessions: cookies that have none, and so cannot be ended one by one, are refused."""
