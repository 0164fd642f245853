"""Where tables and sessions are kept: adapters of the table's `Store`, and the migrations of their databases."""

from tamaya.storage.postgres import PostgresStore, address_for_drivers, upgrade_postgres
from tamaya.storage.sessions import Session, SessionStore, SignedOutError, Ticket, kept_of
from tamaya.storage.sql_store import SqlStore
from tamaya.storage.sqlite import SqliteStore, upgrade
from tamaya.storage.sqlite_checks import examine

__all__ = [
    "PostgresStore",
    "Session",
    "SessionStore",
    "SignedOutError",
    "SqlStore",
    "SqliteStore",
    "Ticket",
    "address_for_drivers",
    "examine",
    "kept_of",
    "upgrade",
    "upgrade_postgres",
]
