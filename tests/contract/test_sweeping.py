"""The contract of every store for sweeping abandoned tables."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tamaya.table import GameKind, Phase, Store, SweepResult
from tests.contract.adapters import STORES
from tests.contract.batches import SHORT_RETENTION, advance_time, batch
from tests.support.fakes import run

Use = Callable[[Callable[[Store], Awaitable[None]]], None]


@pytest.fixture(params=STORES)
def use(request: pytest.FixtureRequest, tmp_path: Path) -> Use:
    """Runs steps with a fresh store."""
    kind = STORES[request.param]

    async def used(steps: Callable[[Store], Awaitable[None]]) -> None:
        store = await kind.open(kind.place(tmp_path))
        try:
            await steps(store)
        finally:
            await store.close()

    return lambda steps: run(used(steps))


def test_a_sweep_marks_old_tables_and_a_later_one_deletes_them(use: Use) -> None:
    async def steps(store: Store) -> None:
        await store.append([batch("amber", 1, "one", updated_at=1.0, phase=Phase.OPEN)])
        await store.append([batch("birch", 1, "one", updated_at=5.0, phase=Phase.OPEN)])
        await store.append([batch("cedar", 1, "one", updated_at=1.0, phase=Phase.PLAYING)])
        await store.append([batch("daisy", 1, "one", updated_at=2.0, phase=Phase.OPEN)])
        await store.append([batch("elder", 1, "one", updated_at=1.0, phase=Phase.ENDED)])
        await advance_time(store, 15.0)
        assert await store.sweep(SHORT_RETENTION, 15.0) == SweepResult(15.0, marked=2)
        assert await store.sweep(SHORT_RETENTION, 15.0) == SweepResult(15.0)
        assert await store.read_events("amber") == await store.read_events("daisy") == ["one"]
        await advance_time(store, 20.0)
        swept = await store.sweep(SHORT_RETENTION, 20.0)
        assert (swept.marked, sorted(swept.forgotten)) == (1, ["amber", "daisy"])
        assert await store.read_events("amber") == await store.read_events("daisy") == []
        assert await store.read_events("birch") == await store.read_events("cedar") == ["one"]
        assert {table.code for table in await store.tables_of("p-ann")} == {"birch", "cedar", "elder"}
        await store.append([batch("amber", 1, "anew")])
        assert await store.read_events("amber") == ["anew"]

    use(steps)


def test_of_finished_games_only_imported_ones_are_swept(use: Use) -> None:
    async def steps(store: Store) -> None:
        for kind in GameKind:
            await store.append([batch(f"old-{kind.name}", 1, "one", updated_at=1.0, phase=Phase.ENDED, kind=kind)])
        await store.append([batch("new", 1, "one", updated_at=990.0, phase=Phase.ENDED, kind=GameKind.BROUGHT)])
        for now, swept in ((1001.0, {}), (1001.5, {"marked": 1}), (1006.0, {}), (1006.5, {"forgotten": ("old-BROUGHT",)})):
            await advance_time(store, now)
            assert await store.sweep(SHORT_RETENTION, now) == SweepResult(now, **swept)
        assert await store.read_events("old-BROUGHT") == []
        kept = {table.code for table in await store.tables_of("p-ann")}
        assert kept == {"new", *(f"old-{kind.name}" for kind in GameKind if kind is not GameKind.BROUGHT)}

    use(steps)


def test_an_event_removes_the_mark_from_a_table(use: Use) -> None:
    async def steps(store: Store) -> None:
        await store.append([batch("amber", 1, "one", updated_at=1.0, phase=Phase.OPEN)])
        await advance_time(store, 20.0)
        assert (await store.sweep(SHORT_RETENTION, 20.0)).marked == 1
        await store.append([batch("amber", 2, "two", updated_at=2.0, phase=Phase.OPEN)])
        await advance_time(store, 99.0)
        assert await store.sweep(SHORT_RETENTION, 99.0) == SweepResult(99.0, marked=1), "abandoned and marked again"

    use(steps)


@pytest.mark.parametrize("now", [1e12, 20.0])
def test_no_time_passes_for_sweeps_without_events(use: Use, now: float) -> None:
    async def steps(store: Store) -> None:
        await store.append([batch("amber", 1, "one", updated_at=1.0, phase=Phase.OPEN)])
        await store.append([batch("birch", 1, "one", updated_at=4.0, phase=Phase.PLAYING)])
        for _ in range(3):
            assert await store.sweep(SHORT_RETENTION, now) == SweepResult(4.0)

    use(steps)


def test_an_event_ahead_of_the_clock_deletes_nothing(use: Use) -> None:
    async def steps(store: Store) -> None:
        await store.append([batch("amber", 1, "one", updated_at=1.0, phase=Phase.PLAYING)])
        await advance_time(store, 5000.0)
        assert await store.sweep(SHORT_RETENTION, 5000.0) == SweepResult(5000.0, marked=1)
        for now in (2.0, 50.0, 101.0):
            assert await store.sweep(SHORT_RETENTION, now) == SweepResult(5000.0), "the mark is removed again"
        assert await store.sweep(SHORT_RETENTION, 102.0) == SweepResult(5000.0, marked=1)
        assert await store.sweep(SHORT_RETENTION, 106.0) == SweepResult(5000.0)
        assert await store.sweep(SHORT_RETENTION, 107.0) == SweepResult(5000.0, forgotten=("amber",))

    use(steps)


def test_a_sweep_deletes_a_share_of_all_tables_or_at_least_one(use: Use) -> None:
    async def steps(store: Store) -> None:
        old = [f"table{number}" for number in range(20)]
        await store.append([batch(code, 1, "one", updated_at=1.0, phase=Phase.OPEN) for code in old])
        await advance_time(store, 50.0)
        slow = replace(SHORT_RETENTION, share=0.1)
        assert (await store.sweep(slow, 50.0)).marked == 20
        await advance_time(store, 99.0)
        numbers = []
        while forgotten := (await store.sweep(slow, 99.0)).forgotten:
            numbers.append(len(forgotten))
        assert numbers == [2] + [1] * 18

    use(steps)
