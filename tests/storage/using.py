"""A store in a SQLite file, for the length of a test."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from tamaya.storage import SqliteStore
from tests.table.fakes import run


def use(path: Path, step: Callable[[SqliteStore], Awaitable[None]]) -> None:
    """Let a step use the store in a file, and close it then."""

    async def steps() -> None:
        store = await SqliteStore.open(path)
        try:
            await step(store)
        finally:
            await store.close()

    run(steps())
