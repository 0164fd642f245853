"""Tables in one SQLite file: nothing to set up, and what is confirmed survives a crash of the machine."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from sqlalchemy import Engine
from sqlalchemy.ext.asyncio import AsyncEngine

from tamaya.storage.checks import OpenFile, examine
from tamaya.storage.engines import reading_engine, writing_engine
from tamaya.storage.migrate import upgrade
from tamaya.storage.store import SqlStore
from tamaya.table.meter import UNMETERED, Meter


class SqliteStore(SqlStore):
    """The events of all tables in one file."""

    def __init__(self, reading: AsyncEngine, writing: Engine, file: OpenFile, meter: Meter = UNMETERED) -> None:
        super().__init__(reading, writing, meter, file.check)
        self._file = file
        file.translate_errors(reading.sync_engine)
        file.translate_errors(writing)
        file.watch_log(writing)

    @classmethod
    async def open(cls, path: str | os.PathLike[str], meter: Meter = UNMETERED) -> Self:
        """Open the store in that file, after creating it or bringing it up to date. Close it when it is no longer needed.
        One that is damaged is refused; a large one is looked through in the background."""
        file = Path(path)
        is_sound = await asyncio.to_thread(examine, file)
        await asyncio.to_thread(upgrade, file)
        opened = OpenFile(file, meter)
        if not is_sound:
            opened.examine_in_background()
        return cls(reading_engine(file), writing_engine(file), opened, meter)

    async def probe(self) -> Sequence[str]:
        """What keeps the file from keeping anything; one that is lost is not written to."""
        problems = await asyncio.to_thread(self._file.problems)
        return problems if self._file.is_lost else [*problems, *await super().probe()]

    async def close(self) -> None:
        """Finish writing, then close the file."""
        await self._file.close()
        await super().close()
