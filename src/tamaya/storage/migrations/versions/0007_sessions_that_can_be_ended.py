"""Sessions are stored, so that they can be listed and ended, and login links until they are used."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the tables; a visitor with a cookie gets a session with their next change."""
    op.create_table(
        "sessions",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
        sa.Column("device", sa.String, nullable=False),
    )
    op.create_index("sessions_by_person", "sessions", ["person"])
    op.create_index("sessions_by_time", "sessions", ["seen"])
    op.create_table(
        "links",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("made", sa.Float, nullable=False),
    )
    op.create_index("links_by_person", "links", ["person"])
    op.create_table(
        "closings",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("made", sa.Float, nullable=False),
    )
