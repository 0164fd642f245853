"""Whatever becomes of a bot, its table gets a legal action, and other tables notice nothing."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import random
from collections.abc import Awaitable, Callable, Collection, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Game, Rules, read_action
from tamaya.bots import BOTS, SimpleBot
from tamaya.engine import View
from tamaya.live import ProcessThinker, thinker
from tamaya.rules import Clue, Discard, Play
from tests.live import misbehaving
from tests.table.fakes import run
from tests.tables import careful_action, moves_of_a_game, rules

VIEW = Game(Rules(players=3), seed=1).view(0)


@given(rules(), st.integers(0, 2**32), st.integers(0, 60))
def test_the_action_in_place_of_a_bots_is_always_legal(table: Rules, seed: int, length: int) -> None:
    game = Game(table, seed=seed)
    for _, _ in zip(range(length), moves_of_a_game(game, random.Random(seed), careful_action), strict=False):
        pass
    if game.to_move is None:
        return
    view = game.view(game.to_move)
    action = thinker.safe_action(view)
    assert action in view.legal_actions
    kinds = [kind for kind in (Discard, Clue, Play) if any(isinstance(one, kind) for one in view.legal_actions)]
    assert isinstance(action, kinds[0]), "a discard harms least, then a clue"
    if isinstance(action, Discard):
        assert view.hand[action.slot].number == min(seen.number for seen in view.hand), "the oldest card"


@given(rules(), st.integers(0, 2**32), st.integers(0, 60))
def test_a_good_bots_choice_is_its_own(table: Rules, seed: int, length: int) -> None:
    game = Game(table, seed=seed)
    for _, _ in zip(range(length), moves_of_a_game(game, random.Random(seed), careful_action), strict=False):
        pass
    if game.to_move is not None:
        view = game.view(game.to_move)
        chosen = thinker.choose("simple", view)
        assert chosen is not None
        assert read_action(chosen) == SimpleBot().act(view)


@pytest.fixture
def bad_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamaya.bots.registry.BOTS", BOTS)
    misbehaving.know_them()


@pytest.mark.usefixtures("bad_bots")
@pytest.mark.parametrize("bot", [*misbehaving.BAD_ANSWERS, "nobody has heard of it"])
def test_a_bot_that_fails_or_answers_nonsense_has_chosen_nothing(bot: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        assert thinker.choose(bot, VIEW) is None
    assert bot in caplog.text, "its author can find out why"


def with_thinker(steps: Callable[[ProcessThinker], Awaitable[None]], longest: float = 60.0) -> None:
    async def use() -> None:
        processes = ProcessThinker(longest=longest)
        try:
            await steps(processes)
        finally:
            await processes.close()

    run(use())


@pytest.fixture
def bad_bots_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinker, "choose", misbehaving.choose)


@pytest.mark.usefixtures("bad_bots_elsewhere")
def test_bots_that_fail_or_die_are_replaced_for_their_turn_and_others_think_on(caplog: pytest.LogCaptureFixture) -> None:
    safe = str(thinker.safe_action(VIEW))
    bots: Mapping[str, object] = {**misbehaving.BAD_ANSWERS, "kills its process": None, "unknown there": None}

    async def steps(processes: ProcessThinker) -> None:
        for bot in bots:
            assert await processes.think(bot, VIEW) == safe, bot
        assert await processes.think("simple", VIEW) == str(SimpleBot().act(VIEW))

    with caplog.at_level(logging.CRITICAL):
        with_thinker(steps)


@pytest.mark.usefixtures("bad_bots_elsewhere")
def test_tables_that_share_a_process_with_a_deadly_bot_go_on(caplog: pytest.LogCaptureFixture) -> None:
    own, safe = str(SimpleBot().act(VIEW)), str(thinker.safe_action(VIEW))
    assert own != safe

    async def steps(processes: ProcessThinker) -> None:
        thoughts = await asyncio.gather(*(processes.think(bot, VIEW) for bot in ("kills its process", "simple", "simple")))
        assert thoughts == [safe, own, own], "the others still choose for themselves"
        assert await processes.think("simple", VIEW) == own

    with caplog.at_level(logging.CRITICAL):
        with_thinker(steps)


async def all_ended(before: Collection[object]) -> None:
    """Wait until no process is left that was not there before."""
    while set(multiprocessing.active_children()) - set(before):
        await asyncio.sleep(0.01)


@pytest.mark.usefixtures("bad_bots_elsewhere")
def test_a_bot_that_stalls_is_ended_and_replaced(caplog: pytest.LogCaptureFixture) -> None:
    before = multiprocessing.active_children()

    async def steps(processes: ProcessThinker) -> None:
        assert await processes.think("stalls", VIEW) == str(thinker.safe_action(VIEW))
        await all_ended(before)

    with caplog.at_level(logging.CRITICAL):
        with_thinker(steps, longest=0.6)


def test_closing_ends_the_processes() -> None:
    before = multiprocessing.active_children()

    async def steps() -> None:
        processes = ProcessThinker(workers=2)
        await processes.think("simple", VIEW)
        await processes.close()
        await processes.close()
        await all_ended(before)

    run(steps())


def test_only_a_view_travels_to_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[object] = []

    class Pool:
        def submit(self, function: object, *arguments: object) -> object:
            sent.extend(arguments)
            raise asyncio.CancelledError

    async def steps() -> None:
        processes = ProcessThinker()
        monkeypatch.setattr(processes, "_pool", Pool())
        with pytest.raises(asyncio.CancelledError):
            await processes.think("simple", VIEW)

    run(steps())
    assert sent == ["simple", VIEW]
    assert isinstance(sent[1], View)


@pytest.mark.usefixtures("bad_bots_elsewhere")
def test_a_bots_time_begins_when_a_process_is_free_for_it() -> None:
    async def steps(processes: ProcessThinker) -> None:
        thoughts = await asyncio.gather(*(processes.think("ponders", VIEW) for _ in range(5)))
        assert thoughts == [str(SimpleBot().act(VIEW))] * 5, "all of them together take longer than one may"

    with_thinker(steps, longest=3.0)


@pytest.mark.usefixtures("bad_bots")
def test_what_a_failing_bot_says_of_cards_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        assert thinker.choose("tells a card", VIEW) is None
    assert "KeyError" in caplog.text
    assert "misbehaving.py" in caplog.text, "its author learns where"
    assert str(VIEW.hands[1][0].card) not in caplog.text


def test_bots_go_on_after_their_process_was_ended_between_two_thoughts(caplog: pytest.LogCaptureFixture) -> None:
    async def steps(processes: ProcessThinker) -> None:
        own = str(SimpleBot().act(VIEW))
        assert await processes.think("simple", VIEW) == own
        assert processes._pool is not None
        for process in list(processes._pool._processes.values()):
            process.kill()
            process.join()
        for _ in range(3):
            assert await processes.think("simple", VIEW) == own
            await asyncio.sleep(0.05)

    with caplog.at_level(logging.CRITICAL):
        with_thinker(steps)
