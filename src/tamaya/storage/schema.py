"""The schema of the database, to which the migrations lead (a test compares them)."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Boolean, Column, Float, ForeignKey, Index, Integer, MetaData, String, Table, Text, text

metadata = MetaData()

events = Table(
    "events",
    metadata,
    Column("code", String, primary_key=True),
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    Column("line", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""The events of all tables: the single source of truth. The primary key lets only one writer take each number."""

_IS_OFFERED = text("offered IS NOT NULL")

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
    Index("tables_on_offer", "offered", "updated_at", sqlite_where=_IS_OFFERED, postgresql_where=_IS_OFFERED),
)
"""The summary of each table, written together with its events so that lists need not read them. `abandoned_at` is when a sweep
marked the table, which every event undoes; `offered` is the host of an open table."""


def _result_columns() -> tuple[Column[Any], ...]:
    """The columns by which a person's games are filtered and added up: `score` is 0 for a lost game, and `counted` says that it
    is over and counts in statistics."""
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
    *_result_columns(),
    Index("people_by_time", "person", "ended", "counted", "score"),
    Index("people_by_setting", "person", "counted", "edition", "players", "score", "lost", "perfect", "ended"),
    sqlite_with_rowid=False,
)
"""The people of each table. All of it follows from `tables`, but here indexes cover it, so that ten thousand games of one
person are read in one go."""

partners = Table(
    "partners",
    metadata,
    Column("person", String, primary_key=True),
    Column("bot", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("code", String, ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    *_result_columns(),
    Index("partners_by_code", "code"),
    sqlite_with_rowid=False,
)
"""The partners of each person at each table: people by name, and each kind of bot once, without a name."""

coachings = Table(
    "coachings",
    metadata,
    Column("code", String, ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Column("text", Text, nullable=False),
)
"""Analyses of finished games, which could be recomputed at a cost."""

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
"""Browsers that act for a person; a session without a row has ended."""

links = Table(
    "links",
    metadata,
    Column("id", String, primary_key=True),
    Column("person", String, nullable=False),
    Column("text", Text, nullable=False),
    Column("made", Float, nullable=False),
    Index("links_by_person", "person"),
)
"""Unused login links, with the profile for the other device's cookie."""

closings = Table(
    "closings",
    metadata,
    Column("person", String, primary_key=True),
    Column("made", Float, nullable=False),
)
"""People who have ended all their other sessions: their cookies without a session are refused, too."""
