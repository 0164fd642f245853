"""Searches run in workers, which may be late or die; compiling happens in the background."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from tamaya import Rules
from tamaya.workers import SearchPool
from tamaya.workers.search_pool import MAX_CRASHES, MAX_QUEUED, CompileKey, CompileState
from tests.support import searchers
from tests.support.bots import all_ended
from tests.support.fakes import run

pytestmark = pytest.mark.slow

RULES, POLICIES = Rules(players=2), ["simple"]
KEY = CompileKey.of(RULES, POLICIES)


@pytest.fixture(autouse=True)
def found_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile nothing."""
    compiler(monkeypatch, searchers.succeed, searchers.succeed)


def compiler(
    monkeypatch: pytest.MonkeyPatch, compiles: Callable[[CompileKey], bool], loads: Callable[[CompileKey], bool]
) -> None:
    monkeypatch.setattr("tamaya.workers.search_pool.compile_to_disk", compiles)
    monkeypatch.setattr("tamaya.workers.search_pool.load", loads)


def with_pool(steps: Callable[[SearchPool], Awaitable[None]], workers: int = 1) -> None:
    async def use() -> None:
        pool = SearchPool(workers)
        try:
            await steps(pool)
        finally:
            await pool.close()

    run(use())


async def settled(pool: SearchPool) -> CompileState:
    """The final state after a request for these rules."""
    pool.prewarm(RULES, POLICIES)
    assert pool.state(RULES, POLICIES) is CompileState.COMPILING
    while pool.state(RULES, POLICIES) is CompileState.COMPILING:
        await asyncio.sleep(0.01)
    return pool.state(RULES, POLICIES)


def test_a_failed_or_late_search_returns_none_and_the_next_one_works() -> None:
    async def steps(pool: SearchPool) -> None:
        first = await pool.run(searchers.process, limit=60)
        assert await pool.run(searchers.fail, limit=60) is None
        assert await pool.run(searchers.process, limit=60) == first, "an error does not end the process"
        assert await pool.run(searchers.die, limit=60) is None
        second = await pool.run(searchers.process, limit=60)
        assert second not in (None, first)
        assert await pool.run(searchers.run_forever, KEY, limit=0.2) is None
        assert await pool.run(searchers.process, limit=60) not in (None, second)

    with_pool(steps)


def test_the_log_of_a_failed_search_names_no_card(caplog: pytest.LogCaptureFixture) -> None:
    async def steps(pool: SearchPool) -> None:
        await pool.run(searchers.fail, limit=60)

    with_pool(steps)
    assert "ValueError" in caplog.text
    assert "red 4" not in caplog.text


def test_a_search_is_skipped_without_a_free_worker(tmp_path: Path) -> None:
    async def steps(pool: SearchPool) -> None:
        begun, end = tmp_path / "begun", tmp_path / "end"
        busy = asyncio.create_task(pool.run(searchers.run_until, begun, end, limit=60))
        while not begun.exists():
            await asyncio.sleep(0.01)
        assert await pool.run(searchers.process, limit=60, queue_timeout=0.0) is None
        busy.cancel()
        waiting = asyncio.create_task(pool.run(searchers.process, limit=60))
        await asyncio.sleep(0)
        assert not waiting.done(), "the worker is busy even after its caller was cancelled"
        end.touch()
        assert await waiting is not None

    with_pool(steps)


def test_prewarming_compiles_in_the_background(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiler(monkeypatch, partial(searchers.keep, tmp_path), partial(searchers.find_kept, tmp_path))

    async def steps(pool: SearchPool) -> None:
        assert not pool.is_ready(RULES, POLICIES)
        assert await settled(pool) is CompileState.READY
        assert pool.is_ready(RULES, POLICIES)
        assert not pool.is_ready(Rules(players=3), POLICIES), "only for these rules"
        assert await pool.run(searchers.process, limit=60, key=KEY) is not None

    with_pool(steps)


def test_compiled_code_on_disk_is_loaded_once_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler(monkeypatch, searchers.fail_to_import, searchers.succeed)
    before = set(multiprocessing.active_children())

    async def steps(pool: SearchPool) -> None:
        assert await settled(pool) is CompileState.READY
        assert len(set(multiprocessing.active_children()) - before) == 1

    with_pool(steps)


def test_code_on_disk_is_loaded_before_other_code_is_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    searchers.keep(tmp_path, KEY)
    compiler(monkeypatch, searchers.run_forever, partial(searchers.find_kept, tmp_path))

    async def steps(pool: SearchPool) -> None:
        others = [Rules(players=players) for players in (3, 4, 5)]
        for rules in others:
            pool.prewarm(rules, POLICIES)
        assert await settled(pool) is CompileState.READY
        assert [pool.state(rules, POLICIES) for rules in others] == [CompileState.COMPILING] * 3

    with_pool(steps)


def test_unrequested_or_dropped_keys_stay_cold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiler(monkeypatch, searchers.run_forever, searchers.find_nothing)

    async def steps(pool: SearchPool) -> None:
        assert pool.state(RULES, POLICIES) is CompileState.COLD
        for number in range(MAX_QUEUED + 1):
            pool.prewarm(RULES, [f"policy {number}"])
        found = [pool.state(RULES, [f"policy {number}"]) for number in range(MAX_QUEUED + 1)]
        assert found == [CompileState.COMPILING] * MAX_QUEUED + [CompileState.COLD]

    with_pool(steps)


def test_a_request_while_the_compiling_process_ends_is_served_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiler(monkeypatch, partial(searchers.keep, tmp_path), partial(searchers.find_kept, tmp_path))
    others = Rules(players=3)

    async def steps(pool: SearchPool) -> None:
        stop = pool._background.stop

        def stop_and_want() -> None:
            pool.prewarm(others, POLICIES)
            stop()

        monkeypatch.setattr(pool._background, "stop", stop_and_want)
        assert await settled(pool) is CompileState.READY
        async with asyncio.timeout(60):
            while not pool.is_ready(others, POLICIES):
                await asyncio.sleep(0.01)

    with_pool(steps)


@pytest.mark.parametrize(
    ("compiles", "loads"),
    [
        (searchers.fail_to_import, searchers.find_nothing),
        (searchers.succeed, searchers.find_nothing),
        (searchers.succeed, searchers.fail_to_import),
    ],
)
def test_search_is_impossible_without_a_compiler_or_a_writable_disk(
    monkeypatch: pytest.MonkeyPatch, compiles: Callable[[CompileKey], bool], loads: Callable[[CompileKey], bool]
) -> None:
    compiler(monkeypatch, compiles, loads)

    async def steps(pool: SearchPool) -> None:
        assert await settled(pool) is CompileState.IMPOSSIBLE
        pool.prewarm(RULES, POLICIES)
        assert pool.state(RULES, POLICIES) is CompileState.IMPOSSIBLE, "it is not retried"
        assert await pool.run(searchers.process, limit=60, key=KEY) is None
        assert pool.state(RULES, POLICIES) is CompileState.IMPOSSIBLE
        assert await pool.run(searchers.process, limit=60) is not None, "functions without a key still run"

    with_pool(steps)


@pytest.mark.parametrize("what", ["compiling ends", "compiling is late", "loading ends"])
def test_a_crash_or_timeout_costs_one_attempt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, what: str) -> None:
    keeps, finds = partial(searchers.keep, tmp_path), partial(searchers.find_kept, tmp_path)
    compiles, loads = {
        "compiling ends": (partial(searchers.die_at_first, tmp_path, 1, keeps), finds),
        "compiling is late": (partial(searchers.time_out_at_first, tmp_path, keeps), finds),
        "loading ends": (keeps, partial(searchers.die_at_first, tmp_path, 1, finds)),
    }[what]
    compiler(monkeypatch, compiles, loads)

    async def steps(pool: SearchPool) -> None:
        assert await settled(pool) is CompileState.COLD
        assert await settled(pool) is CompileState.READY

    with_pool(steps)


def test_repeated_crashes_are_not_retried_forever(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiler(monkeypatch, searchers.succeed, partial(searchers.die_at_first, tmp_path, 100, searchers.succeed))

    async def steps(pool: SearchPool) -> None:
        assert [await settled(pool) for _ in range(MAX_CRASHES)] == [CompileState.COLD] * (MAX_CRASHES - 1) + [
            CompileState.IMPOSSIBLE
        ]

    with_pool(steps)


def test_a_worker_with_much_code_loaded_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamaya.workers.search_pool.MAX_LOADED", 2)

    async def steps(pool: SearchPool) -> None:
        keys = [CompileKey.of(Rules(players=players), POLICIES) for players in (2, 3, 2, 4, 3)]
        ran = [await pool.run(searchers.process, limit=60, key=key) for key in keys]
        assert None not in ran
        assert ran[0] == ran[1] == ran[2], "loaded code is not loaded again"
        assert ran[3] == ran[4] != ran[0]

    with_pool(steps)


def test_code_deleted_from_disk_becomes_cold(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiler(monkeypatch, partial(searchers.keep, tmp_path), partial(searchers.find_kept, tmp_path))

    async def steps(pool: SearchPool) -> None:
        assert await settled(pool) is CompileState.READY
        (tmp_path / str(RULES.players)).unlink()
        assert await pool.run(searchers.die, limit=60, key=KEY) is None
        assert pool.state(RULES, POLICIES) is CompileState.COLD
        assert await settled(pool) is CompileState.READY

    with_pool(steps)


def test_searches_go_on_while_code_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler(monkeypatch, searchers.run_forever, searchers.find_nothing)

    async def steps(pool: SearchPool) -> None:
        pool.prewarm(RULES, POLICIES)
        assert await pool.run(searchers.process, limit=60) is not None
        assert pool.state(RULES, POLICIES) is CompileState.COMPILING

    with_pool(steps)


def test_closing_ends_searches_and_compiling_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiler(monkeypatch, searchers.run_forever, searchers.find_nothing)
    before = multiprocessing.active_children()

    async def steps() -> None:
        pool, begun = SearchPool(), tmp_path / "begun"
        pool.prewarm(RULES, POLICIES)
        search = asyncio.create_task(pool.run(searchers.run_until, begun, tmp_path / "never", limit=600))
        while not begun.exists() or pool._background._pool is None:
            await asyncio.sleep(0.01)
        await pool.close()
        assert (await asyncio.gather(search, return_exceptions=True))[0] in (None,) or search.cancelled()
        await all_ended(before)

    run(steps())
