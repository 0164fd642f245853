"""Copies of a whole database: backups while the server runs, restoring one, and moving from SQLite to PostgreSQL."""

from tamaya.storage.copies.backups import (
    Backup,
    back_up,
    backups_in,
    count_backup,
    delete_older,
    newest_backup,
    read_key,
    write_key,
)
from tamaya.storage.copies.restoring import move, restore
from tamaya.storage.copies.rows import Contents, contents

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
