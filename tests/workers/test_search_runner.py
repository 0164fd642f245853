"""A searching bot takes the same time for every move; without a result its base policy plays."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tamaya import Game, Rules
from tamaya.bots import BotMove, SimpleBot
from tamaya.workers import PoolBotExecutor, SearchBotExecutor, SearchPool
from tamaya.workers.search_pool import ANSWER_DELAY
from tests.limits import WAIT
from tests.support import bots, searchers
from tests.support.fakes import run
from tests.twins import twin_of

pytestmark = pytest.mark.slow

GAME = Game(Rules(players=3), seed=1)
VIEW = GAME.view(0)
PLAIN = SimpleBot().act(VIEW)
FOUND = searchers.Searcher().act(VIEW)
LINEUP = ("searcher", "", "simple")


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Records delays, and instead of them waits until no search is running."""
    monkeypatch.setattr("tamaya.workers.search_pool.compile_to_disk", searchers.succeed)
    monkeypatch.setattr("tamaya.workers.search_pool.load", searchers.succeed)
    return []


async def search_is_done() -> None:
    """Wait for the search of the current turn."""
    searches = [task for task in asyncio.all_tasks() if "SearchBotExecutor._search" in repr(task.get_coro())]
    assert len(searches) == 1
    _, late = await asyncio.wait(searches, timeout=WAIT / 2)
    assert not late, f"waited {WAIT / 2:g} s for a search"


def with_executor(
    slept: list[float], monkeypatch: pytest.MonkeyPatch, steps: Callable[[SearchBotExecutor, SearchPool], Awaitable[None]]
) -> None:
    async def use() -> None:
        pool, others = SearchPool(), PoolBotExecutor(timeout=WAIT, make=bots.make)

        async def until_no_search_runs(seconds: float) -> None:
            slept.append(seconds)
            await search_is_done()

        monkeypatch.setattr("tamaya.workers.search_pool.sleep", until_no_search_runs)
        try:
            await steps(SearchBotExecutor(others, pool, find=searchers.find, make=searchers.make), pool)
        finally:
            await others.close()
            await pool.close()

    run(use())


async def prewarm(executor: SearchBotExecutor, pool: SearchPool, bot: str) -> None:
    """Prewarm a bot, and wait until it is ready."""
    executor.prewarm(bot, VIEW.rules)
    while not pool.is_ready(VIEW.rules, ["simple"]):
        await asyncio.sleep(0.01)


def test_a_ready_search_bot_plays_its_own_move_and_knows_the_lineup(
    slept: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def steps(executor: SearchBotExecutor, pool: SearchPool) -> None:
        await prewarm(executor, pool, "searcher")
        thought = await executor.choose_move("searcher", VIEW, "a table", LINEUP)
        assert (thought.action, str(thought.why)) == (FOUND, f"with {LINEUP}")
        assert FOUND != PLAIN

    with_executor(slept, monkeypatch, steps)


def test_an_unready_search_bot_plays_its_base_policy_and_is_prewarmed(
    slept: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def steps(executor: SearchBotExecutor, pool: SearchPool) -> None:
        bot = SimpleBot()
        assert await executor.choose_move("searcher", VIEW, "a table", LINEUP) == BotMove(bot.act(VIEW), bot.explain())
        await prewarm(executor, pool, "searcher")
        assert (await executor.choose_move("searcher", VIEW, "a table", LINEUP)).action == FOUND

    with_executor(slept, monkeypatch, steps)


def test_a_failed_search_is_replaced_by_the_base_policy(slept: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(executor: SearchBotExecutor, pool: SearchPool) -> None:
        await prewarm(executor, pool, "searcher")
        for bot in ("kills its process", "interrupts", "raises", "answers a card that is not there", "patches its view"):
            thought = await executor.choose_move(bot, VIEW, "a table", LINEUP)
            assert (thought.action, thought.problem) == (PLAIN, ""), bot
            assert (await executor.choose_move("searcher", VIEW, "a table", LINEUP)).action == FOUND, f"after {bot}"

    with_executor(slept, monkeypatch, steps)


def test_a_late_search_is_not_waited_for(slept: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(executor: SearchBotExecutor, pool: SearchPool) -> None:
        await prewarm(executor, pool, "searcher")
        executor._delay = 0.0
        monkeypatch.setattr("tamaya.workers.search_pool.sleep", asyncio.sleep)
        for _ in range(2):
            assert (await executor.choose_move("stalls", VIEW, "a table", LINEUP)).action == PLAIN, (
                "the second finds no free worker"
            )

    with_executor(slept, monkeypatch, steps)


def test_the_base_policy_waits_for_neither_searches_nor_foreign_bots(
    slept: list[float], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def steps(executor: SearchBotExecutor, pool: SearchPool) -> None:
        await prewarm(executor, pool, "searcher")
        executor._delay = 0.0
        monkeypatch.setattr("tamaya.workers.search_pool.sleep", asyncio.sleep)
        end = tmp_path / "end"
        slow = asyncio.create_task(executor.choose_move(bots.waiting_for(end), VIEW))
        while not bots.begun(end).exists():
            await asyncio.sleep(0.01)
        turns = (executor.choose_move("stalls", VIEW, f"table{number}", LINEUP) for number in range(5))
        assert [thought.action for thought in await asyncio.gather(*turns)] == [PLAIN] * 5
        assert not slow.done()
        end.touch()
        await slow

    with_executor(slept, monkeypatch, steps)


def test_every_turn_of_a_search_bot_takes_the_same_time(slept: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAME.copy()
    twins = [twin_of(game, 0, random.Random(seed)) for seed in range(3)]
    assert len({twin.reveal_deck() for twin in twins}) == 3

    async def steps(executor: SearchBotExecutor, pool: SearchPool) -> None:
        await executor.choose_move("searcher", VIEW, "not ready", LINEUP)
        await prewarm(executor, pool, "searcher")
        answers = [await executor.choose_move("searcher", twin.view(0), "a table", LINEUP) for twin in twins]
        assert answers == answers[:1] * 3
        await executor.choose_move("kills its process", VIEW, "a table", LINEUP)

    with_executor(slept, monkeypatch, steps)
    assert slept == [ANSWER_DELAY] * 5


def test_an_early_result_is_held_back(slept: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(executor: SearchBotExecutor, pool: SearchPool) -> None:
        await prewarm(executor, pool, "searcher")
        over, found = asyncio.Event(), asyncio.Event()

        async def until_told(seconds: float) -> None:
            await search_is_done()
            found.set()
            await over.wait()

        monkeypatch.setattr("tamaya.workers.search_pool.sleep", until_told)
        turn = asyncio.create_task(executor.choose_move("searcher", VIEW, "a table", LINEUP))
        waiting = asyncio.create_task(found.wait())
        await asyncio.wait((turn, waiting), timeout=WAIT / 2, return_when=asyncio.FIRST_COMPLETED)
        assert found.is_set(), f"waited {WAIT / 2:g} s for the end of the search"
        assert not turn.done(), "the search is done, but its result held back"
        over.set()
        assert (await turn).action == FOUND

    with_executor(slept, monkeypatch, steps)


def test_other_bots_run_in_the_other_executor_without_delay(slept: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(executor: SearchBotExecutor, pool: SearchPool) -> None:
        assert (await executor.choose_move("simple", VIEW)).action == PLAIN
        assert (await executor.choose_move("unknown", VIEW)).problem
        executor.prewarm("simple", VIEW.rules)
        assert pool._preparation is None, "there is nothing to compile"

    with_executor(slept, monkeypatch, steps)
    assert slept == []
