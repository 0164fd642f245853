"""Every adapter of every port. One more line here, and all the promises of the port are asked of it too."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tamaya.live import LocalBus
from tamaya.live.postgres import PostgresBus
from tamaya.storage import PostgresStore, SessionStore, SqliteStore
from tamaya.table import Bus, Store
from tests.postgres import fresh_database


@dataclass(frozen=True)
class Kind:
    """A kind of store: where a fresh one is to be, as text that another process can be told, and how to open it."""

    place: Callable[[Path], str]
    open: Callable[[str], Awaitable[Store]]


STORES: Mapping[str, Kind] = {
    "sqlite": Kind(lambda folder: str(folder / "tables.db"), SqliteStore.open),
    "postgresql": Kind(lambda folder: fresh_database(), PostgresStore.open),
}


async def _local() -> Bus:
    return LocalBus()


async def _postgres() -> Bus:
    return await PostgresBus.open(fresh_database())


BUSES: Mapping[str, Callable[[], Awaitable[Bus]]] = {
    "local": _local,
    "postgresql": _postgres,
}


@asynccontextmanager
async def _in_sqlite(folder: Path) -> AsyncIterator[SessionStore]:
    store = await SqliteStore.open(folder / "tables.db")
    try:
        yield store.sessions
    finally:
        await store.close()


@asynccontextmanager
async def _in_postgres(folder: Path) -> AsyncIterator[SessionStore]:
    place = folder / "address"
    if not place.exists():
        place.write_text(fresh_database())
    store = await PostgresStore.open(place.read_text())
    try:
        yield store.sessions
    finally:
        await store.close()


SESSIONS: Mapping[str, Callable[[Path], AbstractAsyncContextManager[SessionStore]]] = {
    "sqlite": _in_sqlite,
    "postgresql": _in_postgres,
}
"""Each opens the sessions in a folder, as often as it is asked."""
