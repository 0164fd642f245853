"""The contract of every store for reads during writes: no gaps, and all events of an append or none."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from tamaya.table import Store
from tests.contract.batches import check_together, play_together
from tests.contract.child import PAIRS
from tests.contract.place import PersistentPlace, Place, read_until_killed
from tests.programs import line_of

ROUNDS, LOOKS = 40, 200


def test_reads_during_writes_see_complete_growing_prefixes(place: Place) -> None:
    async def steps(store: Store) -> None:
        seen, writing = list[int](), asyncio.create_task(write(store))
        other = await place.kind.open(place.where)
        try:
            while not writing.done():
                for reader in (store, other):
                    seen.append(await check_together(reader, 0))
            last = await writing
            assert seen == sorted(seen)
            assert await check_together(store, 0) == await check_together(other, 0) == last
        finally:
            await other.close()

    async def write(store: Store) -> int:
        last = 0
        for number in range(ROUNDS):
            last = await play_together(store, 0, number)
        return last

    place.use(steps)


@pytest.mark.slow
def test_reads_during_writes_of_another_process_see_complete_prefixes(persistent: PersistentPlace) -> None:
    with persistent.child("together") as child:
        line_of(child, "the other process to write")

        async def steps(store: Store) -> Counter[int]:
            seen = Counter[int]()
            for look in range(LOOKS):
                pair = look % PAIRS
                now = await check_together(store, pair)
                assert now >= seen[pair], "events stay there"
                seen[pair] = now
            return seen

        seen = persistent.use(steps)
        assert child.poll() is None, "the other process wrote all the time"
        said = read_until_killed(child, 1, "the other process to go on")
    confirmed = {int(pair): int(number) for pair, number in map(str.split, said)}
    assert len(seen) == PAIRS

    async def look(store: Store) -> None:
        for pair, number in confirmed.items():
            assert await check_together(store, pair) >= max(number, seen[pair])

    persistent.use(look)
