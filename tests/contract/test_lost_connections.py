"""The contract of every store and bus reached over connections: a lost connection is replaced automatically."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tamaya.bus.postgres import PostgresBus
from tamaya.storage import SqlStore
from tamaya.table import Session, SessionClaim, Store, hash_secret
from tests.contract.adapters import CUT_CONNECTIONS
from tests.contract.batches import batch, check_together, play_together
from tests.contract.buses import wait_for_news, with_two_buses
from tests.contract.child import PAIRS
from tests.contract.place import PersistentPlace, read_until_killed
from tests.postgres import cut_all_connections
from tests.programs import line_of

TABLES, EVENTS = 8, 40


@pytest.fixture(params=CUT_CONNECTIONS)
def remote(request: pytest.FixtureRequest, tmp_path: Path) -> PersistentPlace:
    """A fresh place for each kind of store reached over connections."""
    return PersistentPlace(request.param, tmp_path)


def cut(place: PersistentPlace) -> int:
    """Cut every connection to a place; returns how many there were."""
    return CUT_CONNECTIONS[place.name](place.where)


@asynccontextmanager
async def cut_again_and_again(place: PersistentPlace, confirmed: list[int]) -> AsyncIterator[list[int]]:
    """Cut all connections after every further `confirmed` append, and so during another one, until the block ends; yields how
    many were cut each time."""
    numbers, done = list[int](), asyncio.Event()

    async def cut_them() -> None:
        seen = -1
        while not done.is_set():
            if len(confirmed) > seen:
                numbers.append(await asyncio.to_thread(cut, place))
                seen = len(confirmed)
            await asyncio.sleep(0.005)

    cutting = asyncio.create_task(cut_them())
    try:
        yield numbers
    finally:
        done.set()
        await cutting


def test_reads_and_writes_survive_cut_connections(remote: PersistentPlace) -> None:
    async def steps(store: Store) -> None:
        for number in range(1, 6):
            await store.append([batch("amber", number, f"{number}")])
            assert await store.read_events("amber", number - 1) == [f"{number}"]
            assert cut(remote) >= 2
        assert await store.read_events("amber") == [f"{number}" for number in range(1, 6)]
        cut(remote)
        assert list(await store.probe()) == []
        cut(remote)
        assert [table.code for table in await store.tables_of("p-ann")] == ["amber"]

    remote.use(steps)


def test_sessions_survive_cut_connections(remote: PersistentPlace) -> None:
    async def steps(store: Store) -> None:
        assert isinstance(store, SqlStore)
        sessions, id_ = store.sessions, hash_secret("phone")
        await sessions.begin(Session(id_, "p-ann", 1.0, 1.0, "Firefox · Linux"))
        assert cut(remote) >= 1
        assert await sessions.revoked([SessionClaim("p-ann", id_)]) == set()
        assert cut(remote) >= 1
        await sessions.end(SessionClaim("p-ann", id_), id_)
        assert await sessions.revoked([SessionClaim("p-ann", id_)]) == {SessionClaim("p-ann", id_)}

    remote.use(steps)


def test_each_confirmed_event_is_stored_once_while_connections_are_cut(remote: PersistentPlace) -> None:
    async def steps(store: Store) -> None:
        confirmed = list[int]()

        async def play(code: str) -> None:
            for number in range(1, EVENTS + 1):
                await store.append([batch(code, number, f"{number}")])
                confirmed.append(number)

        async with cut_again_and_again(remote, confirmed) as numbers:
            await asyncio.gather(*(play(f"table{number}") for number in range(TABLES)))
        assert any(numbers)
        for number in range(TABLES):
            assert await store.read_events(f"table{number}") == [f"{line}" for line in range(1, EVENTS + 1)]

    remote.use(steps)


def test_readers_see_complete_prefixes_while_connections_are_cut(remote: PersistentPlace) -> None:
    async def steps(store: Store) -> None:
        confirmed = list[int]()

        async def write() -> int:
            last = 0
            for number in range(EVENTS):
                last = await play_together(store, 0, number)
                confirmed.append(number)
            return last

        async with cut_again_and_again(remote, confirmed) as numbers:
            seen, writing = list[int](), asyncio.create_task(write())
            while not writing.done():
                seen.append(await check_together(store, 0))
        assert any(numbers)
        assert seen == sorted(seen)
        assert await check_together(store, 0) == await writing

    remote.use(steps)


@pytest.mark.slow
def test_another_process_survives_cut_connections_too(remote: PersistentPlace) -> None:
    with remote.child("together") as child:
        line_of(child, "the other process to write")

        async def steps(store: Store) -> None:
            before = await check_together(store, 0)
            for _ in range(5):
                cut(remote)
                while (now := await check_together(store, 0)) <= before:
                    await asyncio.sleep(0.01)
                before = now

        remote.use(steps)
        said = read_until_killed(child, 1, "the other process to go on")
    confirmed = {int(pair): int(number) for pair, number in map(str.split, said)}
    assert len(confirmed) == PAIRS

    async def look(store: Store) -> None:
        for pair, number in confirmed.items():
            assert await check_together(store, pair) >= number

    remote.use(look)


@pytest.mark.slow
def test_a_lost_connection_wakes_listeners_and_later_news_arrives() -> None:
    async def steps(one: PostgresBus, two: PostgresBus, address: str) -> None:
        with two.subscribe("amber") as there:
            for turn in range(3):
                gaps = two.gaps
                assert cut_all_connections(address) >= 2
                await there.news()
                while two.gaps == gaps:
                    await there.news()
                await one.publish("amber", 10 + turn)
                await wait_for_news(there, 10 + turn)

    with_two_buses(steps)


def test_a_lock_lost_with_its_connection_can_be_taken_again() -> None:
    async def steps(one: PostgresBus, two: PostgresBus, address: str) -> None:
        async with one.try_lock("amber") as first:
            assert first
            assert cut_all_connections(address) >= 2
            while True:  # until it is connected again
                async with two.try_lock("amber") as second:
                    if second:
                        break
                await asyncio.sleep(0.01)
        async with one.try_lock("amber") as last:
            assert last

    with_two_buses(steps)
