"""SQLite and PostgreSQL adapters of the `Store` port, and the migrations of their schema."""

from tamaya.storage.postgres import PostgresStore, address_for_drivers, upgrade_postgres
from tamaya.storage.sessions import SqlSessionStore
from tamaya.storage.sql_store import SqlStore
from tamaya.storage.sqlite import SqliteStore, upgrade
from tamaya.storage.sqlite_checks import check_integrity

__all__ = [
    "PostgresStore",
    "SqlSessionStore",
    "SqlStore",
    "SqliteStore",
    "address_for_drivers",
    "check_integrity",
    "upgrade",
    "upgrade_postgres",
]
