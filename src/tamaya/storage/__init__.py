"""Where tables and sessions are kept: adapters of the table's `Store`, and the migrations of their databases."""

from tamaya.storage.postgres import PostgresStore, address_for_drivers, upgrade_postgres
from tamaya.storage.sessions import Session, SessionClaim, SessionStore, SignedOutError, hash_secret
from tamaya.storage.sql_store import SqlStore
from tamaya.storage.sqlite import SqliteStore, upgrade
from tamaya.storage.sqlite_checks import check_integrity

__all__ = [
    "PostgresStore",
    "Session",
    "SessionClaim",
    "SessionStore",
    "SignedOutError",
    "SqlStore",
    "SqliteStore",
    "address_for_drivers",
    "check_integrity",
    "hash_secret",
    "upgrade",
    "upgrade_postgres",
]
