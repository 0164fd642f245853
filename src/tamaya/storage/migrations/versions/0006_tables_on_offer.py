"""Open tables are found by their host."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

TABLES = sa.table(
    "tables",
    sa.column("code"),
    sa.column("phase"),
    sa.column("listed", sa.Boolean),
    sa.column("names", sa.JSON),
    sa.column("offered"),
)
EVENTS = sa.table("events", sa.column("code"), sa.column("sequence"), sa.column("line"))


def upgrade() -> None:
    """Add the column and its index; the first event of an existing table names its host."""
    op.add_column("tables", sa.Column("offered", sa.String))
    begun = TABLES.join(EVENTS, EVENTS.c.code == TABLES.c.code)
    waiting = sa.select(TABLES.c.code, TABLES.c.names, EVENTS.c.line).select_from(begun)
    waiting = waiting.where(TABLES.c.phase == "open", TABLES.c.listed, EVENTS.c.sequence == 1)
    for code, names, line in op.get_bind().execute(waiting).all():
        if "" in names:
            op.execute(TABLES.update().where(TABLES.c.code == code).values(offered=json.loads(line).get("host") or None))
    known = sa.text("offered IS NOT NULL")
    op.create_index("tables_on_offer", "tables", ["offered", "touched"], sqlite_where=known, postgresql_where=known)
