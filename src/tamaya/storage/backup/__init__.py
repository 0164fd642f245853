"""Backups of a running server, restoring them, and moving from SQLite to PostgreSQL."""

from tamaya.storage.backup.backups import (
    Backup,
    back_up,
    backups_in,
    count_backup,
    delete_older,
    newest_backup,
    read_key,
    write_key,
)
from tamaya.storage.backup.copy_rows import Contents, contents
from tamaya.storage.backup.restoration import move, restore

__all__ = [
    "Backup",
    "Contents",
    "back_up",
    "backups_in",
    "contents",
    "count_backup",
    "delete_older",
    "move",
    "newest_backup",
    "read_key",
    "restore",
    "write_key",
]
