"""Every adapter of every port; the contract tests run over all of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tamaya.bus import LocalBus
from tamaya.bus.postgres import PostgresBus
from tamaya.storage import PostgresStore, SqliteStore
from tamaya.table import Bus, Store
from tests.postgres import cut_all_connections, fresh_database
from tests.support.databases import migrated_database, migrated_file
from tests.support.memory_store import MemoryStore


@dataclass(frozen=True)
class Kind:
    """A kind of store: a fresh place for one, and how to open it."""

    place: Callable[[Path], Any]
    open: Callable[[Any], Awaitable[Store]]


async def _in_memory(place: MemoryStore) -> Store:
    return MemoryStore(beside=place)


PERSISTENT_STORES: Mapping[str, Kind] = {
    "sqlite": Kind(lambda folder: str(migrated_file(folder / "tables.db")), SqliteStore.open),
    "postgresql": Kind(lambda folder: migrated_database(), PostgresStore.open),
}
"""Stores that outlive a process. Their places are strings, which can be passed to another process."""

STORES: Mapping[str, Kind] = {"memory": Kind(lambda folder: MemoryStore(), _in_memory), **PERSISTENT_STORES}

CUT_CONNECTIONS: Mapping[str, Callable[[str], int]] = {"postgresql": cut_all_connections}
"""Stores reached over connections: a function that cuts them all and returns how many there were."""


async def _local() -> Bus:
    return LocalBus()


async def _postgres() -> Bus:
    return await PostgresBus.open(fresh_database())


BUSES: Mapping[str, Callable[[], Awaitable[Bus]]] = {
    "local": _local,
    "postgresql": _postgres,
}
