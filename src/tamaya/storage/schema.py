"""The schema of the database. The migrations lead to it, which a test checks."""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Column, Float, ForeignKey, Index, Integer, MetaData, String, Table, Text

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

tables = Table(
    "tables",
    metadata,
    Column("code", String, primary_key=True),
    Column("phase", String, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("edition", String, nullable=False),
    Column("players", Integer, nullable=False),
    Column("names", JSON, nullable=False),
    Column("people", JSON, nullable=False),
    Column("touched", Float, nullable=False),
    Column("marked", Float),
    Column("progress", JSON(none_as_null=True)),
    Column("called", JSON(none_as_null=True)),
    Column("bots", JSON(none_as_null=True)),
    Column("kind", String),
    Column("ended", Float),
    Index("tables_by_phase", "phase", "touched"),
)
"""What lists show of each table, written together with its events so that no list has to read them; and since when it is
marked as abandoned, which every event undoes."""

people = Table(
    "people",
    metadata,
    Column("code", String, ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Column("person", String, primary_key=True),
    Column("called", String, nullable=False),
    Column("edition", String, nullable=False),
    Column("players", Integer, nullable=False),
    Column("ended", Float),
    Column("counted", Boolean, nullable=False),
    Column("score", Integer),
    Column("lost", Boolean, nullable=False),
    Column("perfect", Boolean, nullable=False),
    Index("people_by_person", "person", "ended", "counted", "edition", "players", "score", "lost", "perfect", "called"),
    sqlite_with_rowid=False,
)
"""Whose tables they are, with what somebody's games are looked for and added up by. All of it follows from `tables`; here the
index has it side by side, so that ten thousand games of one person are read in one go. `score` is what a game counts, nothing
if it was lost; `counted` says whether it is a game of its own."""

partners = Table(
    "partners",
    metadata,
    Column("code", String, ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Column("bot", String, primary_key=True),
    Column("name", String, primary_key=True),
    sqlite_with_rowid=False,
)
"""Who plays at each table: people by their names, and each kind of bot once, without a name."""
