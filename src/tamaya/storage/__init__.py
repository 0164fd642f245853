"""Where tables and sessions are kept: adapters of the table's `Store`, and the migrations of their databases."""

from tamaya.storage.migrate import upgrade
from tamaya.storage.sessions import Session, SessionStore, Ticket, kept_of
from tamaya.storage.sqlite import SqliteStore

__all__ = ["Session", "SessionStore", "SqliteStore", "Ticket", "kept_of", "upgrade"]
