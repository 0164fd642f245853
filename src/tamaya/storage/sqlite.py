"""Tables in one SQLite file: nothing to set up, and what is confirmed survives a crash of the machine."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Self

from tamaya.storage.engines import reading_engine, writing_engine
from tamaya.storage.migrate import upgrade
from tamaya.storage.store import SqlStore


class SqliteStore(SqlStore):
    """The events of all tables in one file."""

    @classmethod
    async def open(cls, path: str | os.PathLike[str]) -> Self:
        """Open the store in that file, after creating it or bringing it up to date. Close it when it is no longer needed."""
        file = Path(path)
        await asyncio.to_thread(upgrade, file)
        return cls(reading_engine(file), writing_engine(file))
