"""What a coach found out about a game is kept beside it."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the table; nothing has been found out yet."""
    op.create_table(
        "coachings",
        sa.Column("code", sa.String, sa.ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
    )
