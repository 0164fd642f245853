"""Files that somebody takes away, and disks that are full, as far as a test can bring that about."""

from __future__ import annotations

from pathlib import Path

from tamaya.storage import SqliteStore

UNBOUNDED = 2**30


def allow_pages(store: SqliteStore, pages: int) -> None:
    """Let the file grow to so many pages, or leave it as large as it is if it has more: SQLite then says that the disk is
    full, as it does when there is no room left."""
    with store._writer._engine.connect() as connection:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")


def damage(path: Path) -> None:
    """Write something senseless into the middle of a database that nobody has open, past its first page."""
    content = bytearray(path.read_bytes())
    page = int.from_bytes(content[16:18], "big")
    assert len(content) > 2 * page
    content[page : 2 * page] = b"\xa5" * page
    path.write_bytes(content)
