"""The searching bots' entries and the adviser."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tamaya import Game, Rules
from tamaya.bots import Advice, SimpleBot, find_bot, import_bot, make_bot, plain_advice
from tamaya.engine import View
from tamaya.rules import EDITIONS, Discard, say
from tamaya.search import Budget, bot
from tamaya.search.bot import ROLLOUTS, SECONDS_WITH_PEOPLE, SearchBot
from tamaya.workers import SearchingAdviser, SearchPool
from tamaya.workers.search_bots import LEARNED_ROLLOUTS
from tests.support.fakes import run

VIEW = Game(Rules(players=2), seed=1).view(0)
PLAIN = plain_advice(VIEW)
THOUGHT_OUT = Advice(say("A clue is worth most now."), Discard(2), (say("There is no better choice."),))


class FakePool(SearchPool):
    """A search pool that is ready or not as the test says, and records its calls."""

    def __init__(self, ready: bool, answer: Callable[[], Awaitable[Advice | None]] | None = None) -> None:
        self.ready, self.answer = ready, answer
        self.wanted: list[Rules] = []

    def is_ready(self, rules: Rules, policies: object) -> bool:
        return self.ready

    def prewarm(self, rules: Rules, policies: object) -> None:
        self.wanted.append(rules)

    async def run(self, *arguments: object, **more: object) -> Advice | None:  # type: ignore[override]
        assert self.answer is not None, "a pool that is not ready is not asked"
        return await self.answer()


async def thought_out() -> Advice | None:
    return THOUGHT_OUT


async def gave_up() -> Advice | None:
    return None


def advised_by(pool: FakePool) -> Advice:
    return run(SearchingAdviser(pool, 0.0).advise(VIEW, ("", "convention")))


def test_before_search_is_ready_plain_advice_is_given_and_search_prepared() -> None:
    pool = FakePool(ready=False)
    assert advised_by(pool) == PLAIN
    assert pool.wanted == [VIEW.rules]


def test_once_search_is_ready_its_advice_is_given() -> None:
    assert advised_by(FakePool(ready=True, answer=thought_out)) == THOUGHT_OUT


def test_plain_advice_is_given_if_a_search_fails_or_is_late() -> None:
    assert advised_by(FakePool(ready=True, answer=gave_up)) == PLAIN


@pytest.mark.parametrize("answer", [thought_out, gave_up])
def test_advice_always_takes_the_same_time(
    monkeypatch: pytest.MonkeyPatch, answer: Callable[[], Awaitable[Advice | None]]
) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("tamaya.workers.search_pool.sleep", sleep)
    run(SearchingAdviser(FakePool(ready=True, answer=answer), 2.0).advise(VIEW, ("", "convention")))
    assert waited == [2.0]


def test_advice_never_takes_longer() -> None:
    async def later() -> Advice | None:
        await asyncio.Event().wait()
        return THOUGHT_OUT

    assert advised_by(FakePool(ready=True, answer=later)) == PLAIN


def die(view: View) -> Advice:
    os._exit(1)


@pytest.mark.slow
def test_a_process_that_dies_still_leaves_plain_advice(monkeypatch: pytest.MonkeyPatch) -> None:
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


TWO = Rules(players=2)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_bot_over_the_learned_policy_supports_the_same_rules(edition: str) -> None:
    entry = find_bot("search-learned")
    assert entry.knows(EDITIONS[edition].rules(2))
    assert not entry.knows(EDITIONS[edition].rules(3))
    assert find_bot("search").knows(EDITIONS[edition].rules(3))


class Mine(SearchBot):
    base_policy = "learned"


class Lost(SimpleBot):
    base_policy = "there:is_none"


def test_a_custom_search_bot_supports_the_rules_of_its_base_policy() -> None:
    entry = import_bot(f"{__name__}:Mine")
    assert entry.knows(TWO)
    assert not entry.knows(Rules(players=3))
    assert import_bot(f"{__name__}:Lost").knows(Rules(players=3)), "an error in it is raised when it searches"


@pytest.mark.parametrize(
    ("name", "rollouts"), [("search", ROLLOUTS[2]), ("search-hat", ROLLOUTS[2]), ("search-learned", LEARNED_ROLLOUTS)]
)
@pytest.mark.parametrize("partner", ["", "simple"], ids=["people", "bots"])
def test_each_search_bot_has_its_policy_rollouts_and_time_limit(
    name: str, rollouts: int, partner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, Budget]] = []

    class Nothing:
        found_hands = None

        def __init__(self, view: Any, policy: str, **how: Any) -> None:
            self.policy = policy

    def noted(search: Nothing, budget: Budget) -> None:
        asked.append((search.policy, budget))

    monkeypatch.setattr(bot, "Search", Nothing)
    monkeypatch.setattr(bot, "deviation", noted)
    entry, view = find_bot(name), Game(TWO, seed=1).view(0)
    mind = entry.make()
    mind.meet([name, partner])  # type: ignore[attr-defined]
    assert mind.act(view) == make_bot(entry.base_policy).act(view)
    assert asked == [(entry.base_policy, Budget(rollouts, None if partner else SECONDS_WITH_PEOPLE))]


@pytest.mark.slow
def test_search_learned_searches_over_the_learned_policy() -> None:
    game, partners = Game(TWO, seed=2), [make_bot("learned"), make_bot("learned")]
    while game.deck_count > 1:
        seat = game.to_move or 0
        game.act(partners[seat].act(game.view(seat)))
    view = game.view(game.to_move or 0)
    mind = SearchBot("learned", Budget(60), speed="interpreted")
    assert mind.act(view) in view.legal_actions
    assert mind.explain() is not None
