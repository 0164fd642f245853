"""Lists of tables show the progress of each game."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the progress; existing games get theirs with their next event."""
    op.add_column("tables", sa.Column("progress", sa.JSON))
