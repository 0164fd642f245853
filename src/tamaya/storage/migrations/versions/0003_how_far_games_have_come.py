"""Lists of tables say how far each game has come."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the progress; of games that were played before, it is known from their next event on."""
    op.add_column("tables", sa.Column("progress", sa.JSON))
