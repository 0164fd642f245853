"""Advice comes from thinking ahead where that is ready, from the agreements everywhere else, and after the same time always."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable

import pytest

from tamaya import Game, Rules
from tamaya.bots import Advice, plain_advice
from tamaya.engine import View
from tamaya.rules import Discard, say
from tamaya.workers import SearchingAdviser, SearchPool
from tests.table.fakes import run

VIEW = Game(Rules(players=2), seed=1).view(0)
PLAIN = plain_advice(VIEW)
THOUGHT_OUT = Advice(say("A clue is worth most now."), Discard(2), (say("There is no better choice."),))


class FakePool(SearchPool):
    """A place to search in that is ready or not as the test says, and remembers what it was asked."""

    def __init__(self, ready: bool, answer: Callable[[], Awaitable[Advice | None]] | None = None) -> None:
        self.ready, self.answer = ready, answer
        self.wanted: list[Rules] = []

    def is_ready(self, rules: Rules, policies: object) -> bool:
        return self.ready

    def want(self, rules: Rules, policies: object) -> None:
        self.wanted.append(rules)

    async def run(self, *arguments: object, **more: object) -> Advice | None:  # type: ignore[override]
        assert self.answer is not None, "nobody asks a place that is not ready"
        return await self.answer()


async def thought_out() -> Advice | None:
    return THOUGHT_OUT


async def gave_up() -> Advice | None:
    return None


def advised_by(pool: FakePool) -> Advice:
    return run(SearchingAdviser(pool, 0.0).advise(VIEW, ("", "convention")))


def test_until_search_is_ready_the_agreements_give_advice_and_it_is_made_ready() -> None:
    pool = FakePool(ready=False)
    assert advised_by(pool) == PLAIN
    assert pool.wanted == [VIEW.rules]


def test_then_it_is_thought_out_ahead() -> None:
    assert advised_by(FakePool(ready=True, answer=thought_out)) == THOUGHT_OUT


def test_where_that_fails_or_takes_too_long_the_agreements_give_it() -> None:
    assert advised_by(FakePool(ready=True, answer=gave_up)) == PLAIN


@pytest.mark.parametrize("answer", [thought_out, gave_up])
def test_it_is_given_after_the_same_time_however_soon_it_was_found(
    monkeypatch: pytest.MonkeyPatch, answer: Callable[[], Awaitable[Advice | None]]
) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("tamaya.workers.search_pool.sleep", sleep)
    run(SearchingAdviser(FakePool(ready=True, answer=answer), 2.0).advise(VIEW, ("", "convention")))
    assert waited == [2.0]


def test_nobody_waits_longer_than_that() -> None:
    async def later() -> Advice | None:
        await asyncio.Event().wait()
        return THOUGHT_OUT

    assert advised_by(FakePool(ready=True, answer=later)) == PLAIN


def die(view: View) -> Advice:
    os._exit(1)


@pytest.mark.slow
def test_a_process_that_dies_costs_nobody_their_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps() -> None:
        pool, died = SearchPool(), asyncio.Event()

        async def from_a_dying_process() -> Advice | None:
            try:
                return await pool.run(die, VIEW, limit=60.0)
            finally:
                died.set()

        async def sleep(seconds: float) -> None:
            await died.wait()

        monkeypatch.setattr("tamaya.workers.search_pool.sleep", sleep)
        try:
            advice = SearchingAdviser(FakePool(ready=True, answer=from_a_dying_process)).advise(VIEW, ("", "convention"))
            assert await advice == PLAIN
        finally:
            await pool.close()

    run(steps())
