"""Somebody's games are found and added up by what they came to."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

BOTS = """
UPDATE tables SET bots = (
    SELECT json_group_array(coalesce((
        SELECT json_extract(line, '$.bot') FROM events
        WHERE events.code = tables.code AND line LIKE '{"event":"bot"%' AND json_extract(line, '$.name') = seat.value
        ORDER BY sequence DESC LIMIT 1), '')) FROM (SELECT value FROM json_each(tables.names) ORDER BY key) AS seat)
"""
CALLED = """
UPDATE tables SET called = (
    SELECT json_group_array(coalesce((
        SELECT json_extract(line, '$.name') FROM events
        WHERE events.code = tables.code AND line LIKE '{"event":"sat"%' AND json_extract(line, '$.person') = one.value
        ORDER BY sequence DESC LIMIT 1), '')) FROM (SELECT value FROM json_each(tables.people) ORDER BY key) AS one)
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
INSERT INTO people (code, person, called, edition, players, ended, counted, score, lost, perfect)
SELECT code, one.value, coalesce(json_extract(called, '$[' || one.key || ']'), ''), edition, players, ended,
    kind = '' AND ended IS NOT NULL AND progress IS NOT NULL,
    CASE WHEN ended IS NULL THEN NULL WHEN json_extract(progress, '$.lost') THEN 0 ELSE json_extract(progress, '$.points') END,
    ended IS NOT NULL AND coalesce(json_extract(progress, '$.lost'), 0),
    ended IS NOT NULL AND coalesce(json_extract(progress, '$.perfect'), 0)
FROM tables, json_each(tables.people) AS one WHERE true GROUP BY code, one.value
"""
PARTNERS = """
INSERT OR IGNORE INTO partners (code, bot, name)
SELECT code, json_extract(bots, '$[' || seat.key || ']'),
    CASE json_extract(bots, '$[' || seat.key || ']') WHEN '' THEN seat.value ELSE '' END
FROM tables, json_each(tables.names) AS seat WHERE seat.value != ''
"""


def upgrade() -> None:
    """Add what is new, and find it out for the games that are there: who plays in them from their events, the rest from what
    lists show of them. A game of which too little is known is listed, and not counted."""
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
        sa.Column("called", sa.String, nullable=False),
        sa.Column("edition", sa.String, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("ended", sa.Float),
        sa.Column("counted", sa.Boolean, nullable=False),
        sa.Column("score", sa.Integer),
        sa.Column("lost", sa.Boolean, nullable=False),
        sa.Column("perfect", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    columns = ["person", "ended", "counted", "edition", "players", "score", "lost", "perfect", "called"]
    op.create_index("people_by_person", "people", columns)
    op.create_table(
        "partners",
        sa.Column("code", sa.String, sa.ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
        sa.Column("bot", sa.String, primary_key=True),
        sa.Column("name", sa.String, primary_key=True),
        sqlite_with_rowid=False,
    )
    for statement in (BOTS, CALLED, KIND, ENDED, PERFECT, PEOPLE, PARTNERS):
        op.execute(sa.text(statement.replace(":", "\\:")))
