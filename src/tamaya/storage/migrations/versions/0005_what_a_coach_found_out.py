"""Analyses of games are stored beside them."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the table, empty."""
    op.create_table(
        "coachings",
        sa.Column("code", sa.String, sa.ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
    )
