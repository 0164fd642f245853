"""Every adapter of every port. One more line here, and all the promises of the port are asked of it too."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tamaya.live import LocalBus
from tamaya.storage import SessionStore, SqliteStore
from tamaya.table import Bus, Store


@dataclass(frozen=True)
class Kind:
    """A kind of store: where a fresh one is to be, as text that another process can be told, and how to open it."""

    place: Callable[[Path], str]
    open: Callable[[str], Awaitable[Store]]


STORES: Mapping[str, Kind] = {
    "sqlite": Kind(lambda folder: str(folder / "tables.db"), SqliteStore.open),
}


@asynccontextmanager
async def _in_sqlite(folder: Path) -> AsyncIterator[SessionStore]:
    store = await SqliteStore.open(folder / "tables.db")
    try:
        yield store.sessions
    finally:
        await store.close()


SESSIONS: Mapping[str, Callable[[Path], AbstractAsyncContextManager[SessionStore]]] = {
    "sqlite": _in_sqlite,
}
"""Each opens the sessions in a folder, as often as it is asked."""

BUSES: Mapping[str, Callable[[], Bus]] = {
    "local": LocalBus,
}
