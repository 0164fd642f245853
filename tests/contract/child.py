"""Another process at the same store: `python -m tests.contract.child KIND PLACE race NAME ROUNDS`, `... stream`,
`... together` or `... remove`."""

from __future__ import annotations

import asyncio
import json
import sys
from itertools import count

from tamaya.table import ConflictError, Phase, Store
from tests.contract.adapters import PERSISTENT_STORES
from tests.contract.batches import batch, play_together

TABLES, PAIRS = 8, 4


async def race(store: Store, name: str, rounds: int) -> None:
    """Try to append every number of one table, once the parent says so; print those that succeeded."""
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    won = []
    for number in range(1, rounds + 1):
        try:
            await store.append([batch("race", number, name)])
            won.append(number)
        except ConflictError:
            pass
    print(json.dumps(won), flush=True)


async def stream(store: Store) -> None:
    """Append pairs of events to several tables at once until killed; print confirmed ones."""

    async def play(code: str) -> None:
        for first in count(1, 2):
            await store.append([batch(code, first, f"{first}", f"{first + 1}")])
            print(code, first + 1, flush=True)

    await asyncio.gather(*(play(f"table{number}") for number in range(TABLES)))


async def together(store: Store) -> None:
    """Append to pairs of tables at full speed until killed; print confirmed ones."""

    async def play(pair: int) -> None:
        for number in count():
            print(pair, await play_together(store, pair, number), flush=True)

    await asyncio.gather(*(play(pair) for pair in range(PAIRS)))


async def remove(store: Store) -> None:
    """Delete one table after the other until killed; print confirmed ones."""
    for number in count():
        code = f"table{number}"
        await store.append([batch(code, 1, "one", "two", phase=Phase.ENDED), batch(f"{code} of others", 1, "one", "two")])
        await store.remove(code, 2)
        print(code, flush=True)


async def main(kind: str, place: str, what: str, *words: str) -> None:
    store = await PERSISTENT_STORES[kind].open(place)
    try:
        works = {"stream": stream, "together": together, "remove": remove}
        await (race(store, words[0], int(words[1])) if what == "race" else works[what](store))
    finally:
        await store.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
