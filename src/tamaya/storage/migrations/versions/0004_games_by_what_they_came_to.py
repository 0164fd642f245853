"""A person's games are filtered and added up by their results."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

SEATED = """
CREATE TEMPORARY TABLE seated AS
SELECT code, sequence, json_extract(line, '$.name') AS name, json_extract(line, '$.bot') AS bot,
    json_extract(line, '$.person') AS person
FROM events WHERE line LIKE '{"event":"bot"%' OR line LIKE '{"event":"sat"%'
"""
BY_TABLE = "CREATE INDEX temp.seated_by_table ON seated (code, sequence)"
BOTS = """
UPDATE tables SET bots = (
    SELECT json_group_array(coalesce((
        SELECT bot FROM seated WHERE seated.code = tables.code AND name = seat.value ORDER BY sequence DESC LIMIT 1), ''))
    FROM (SELECT value FROM json_each(tables.names) ORDER BY key) AS seat)
"""
CALLED = """
UPDATE tables SET called = (
    SELECT json_group_array(coalesce((
        SELECT name FROM seated WHERE seated.code = tables.code AND person = one.value ORDER BY sequence DESC LIMIT 1), ''))
    FROM (SELECT value FROM json_each(tables.people) ORDER BY key) AS one)
"""
KIND = """
UPDATE tables SET kind = CASE WHEN EXISTS (
    SELECT 1 FROM events WHERE events.code = tables.code AND sequence = 1 AND line LIKE '%"lesson":true%'
) THEN 'lesson' ELSE '' END
"""
ENDED = "UPDATE tables SET ended = touched WHERE phase = 'ended'"
PERFECT = """
UPDATE tables SET progress = json_set(progress, '$.perfect', json('true'))
WHERE ended IS NOT NULL AND NOT json_extract(progress, '$.lost') AND json_extract(progress, '$.points') = (
    SELECT CASE WHEN line LIKE '%multicolour=%' THEN 30 ELSE 25 END FROM events
    WHERE events.code = tables.code AND sequence = 1)
"""
PEOPLE = """
INSERT INTO people (code, person, edition, players, ended, counted, score, lost, perfect)
SELECT code, one.value, edition, players, ended,
    kind = '' AND ended IS NOT NULL AND progress IS NOT NULL,
    CASE WHEN ended IS NULL THEN NULL WHEN json_extract(progress, '$.lost') THEN 0 ELSE json_extract(progress, '$.points') END,
    ended IS NOT NULL AND coalesce(json_extract(progress, '$.lost'), 0),
    ended IS NOT NULL AND coalesce(json_extract(progress, '$.perfect'), 0)
FROM tables, json_each(tables.people) AS one WHERE true GROUP BY code, one.value
"""
PARTNERS = """
INSERT OR IGNORE INTO partners (person, bot, name, code, edition, players, ended, counted, score, lost, perfect)
SELECT people.person, json_extract(bots, '$[' || seat.key || ']'),
    CASE json_extract(bots, '$[' || seat.key || ']') WHEN '' THEN seat.value ELSE '' END,
    people.code, people.edition, people.players, people.ended, counted, score, lost, perfect
FROM tables, json_each(tables.people) AS one, json_each(tables.names) AS seat, people
WHERE people.code = tables.code AND people.person = one.value
    AND seat.value NOT IN ('', json_extract(called, '$[' || one.key || ']'))
"""


def _result() -> tuple[sa.Column[Any], ...]:
    return (
        sa.Column("edition", sa.String, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("ended", sa.Float),
        sa.Column("counted", sa.Boolean, nullable=False),
        sa.Column("score", sa.Integer),
        sa.Column("lost", sa.Boolean, nullable=False),
        sa.Column("perfect", sa.Boolean, nullable=False),
    )


def upgrade() -> None:
    """Add the columns and tables, and fill them: players from the events of each game, the rest from its summary. A game
    with too little data is listed, but not counted."""
    op.add_column("tables", sa.Column("called", sa.JSON))
    op.add_column("tables", sa.Column("bots", sa.JSON))
    op.add_column("tables", sa.Column("kind", sa.String))
    op.add_column("tables", sa.Column("ended", sa.Float))
    op.drop_index("people_by_person", "people")
    op.drop_table("people")
    op.create_table(
        "people",
        sa.Column("code", sa.String, sa.ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
        sa.Column("person", sa.String, primary_key=True),
        *_result(),
        sqlite_with_rowid=False,
    )
    op.create_index("people_by_time", "people", ["person", "ended", "counted", "score"])
    sums = ["person", "counted", "edition", "players", "score", "lost", "perfect", "ended"]
    op.create_index("people_by_setting", "people", sums)
    op.create_table(
        "partners",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("bot", sa.String, primary_key=True),
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("code", sa.String, sa.ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
        *_result(),
        sqlite_with_rowid=False,
    )
    op.create_index("partners_by_code", "partners", ["code"])
    if op.get_bind().dialect.name != "sqlite":
        return  # no other database is that old
    for statement in (SEATED, BY_TABLE, BOTS, CALLED, KIND, ENDED, PERFECT, PEOPLE, PARTNERS, "DROP TABLE seated"):
        op.execute(sa.text(statement.replace(":", "\\:")))
