"""Where tables are kept: adapters of the table's `Store`, and the migrations of their databases."""

from tamaya.storage.checks import examine
from tamaya.storage.migrate import upgrade
from tamaya.storage.postgres import PostgresStore, upgrade_postgres
from tamaya.storage.sqlite import SqliteStore
from tamaya.storage.store import SqlStore

__all__ = ["PostgresStore", "SqlStore", "SqliteStore", "examine", "upgrade", "upgrade_postgres"]
