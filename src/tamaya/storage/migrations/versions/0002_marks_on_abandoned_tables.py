"""Abandoned tables are marked before they are deleted."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the marks; no table has one yet."""
    op.add_column("tables", sa.Column("marked", sa.Float))
