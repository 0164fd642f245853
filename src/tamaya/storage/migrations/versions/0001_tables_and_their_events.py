"""Tables, their events and who sits there."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Build the first database."""
    op.create_table(
        "events",
        sa.Column("code", sa.String, primary_key=True),
        sa.Column("sequence", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("line", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tables",
        sa.Column("code", sa.String, primary_key=True),
        sa.Column("phase", sa.String, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("edition", sa.String, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("names", sa.JSON, nullable=False),
        sa.Column("people", sa.JSON, nullable=False),
        sa.Column("touched", sa.Float, nullable=False),
    )
    op.create_index("tables_by_phase", "tables", ["phase", "touched"])
    op.create_table(
        "people",
        sa.Column("code", sa.String, sa.ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
        sa.Column("person", sa.String, primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_index("people_by_person", "people", ["person"])
