"""Where tables are kept: adapters of the table's `Store`, and the migrations of their databases."""

from tamaya.storage.checks import examine
from tamaya.storage.migrate import upgrade
from tamaya.storage.sqlite import SqliteStore

__all__ = ["SqliteStore", "examine", "upgrade"]
