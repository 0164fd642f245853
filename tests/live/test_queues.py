"""Bots wait for each other in order and not without end, and those of the house never wait for those of others."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tamaya import Game, Rules
from tamaya.bots import BotMove, SimpleBot, fallback_action
from tamaya.table.telemetry import Counted, NoMeter, Queued
from tamaya.workers import ProcessThinker
from tamaya.workers.bot_pool import CROWDED
from tests.live import misbehaving
from tests.live.processes import all_ended
from tests.table.fakes import run

pytestmark = pytest.mark.slow

VIEW = Game(Rules(players=3), seed=1).view(0)
OWN, SAFE = SimpleBot().act(VIEW), fallback_action(VIEW)


class Counting(NoMeter):
    """Knows how many bots wait, and what was counted."""

    def __init__(self) -> None:
        self.waiting, self.counted = Counter[str](), Counter[tuple[str, str]]()

    def count(self, what: Counted, kind: str = "") -> None:
        self.counted[what, kind] += 1

    def queue(self, what: Queued, change: int, kind: str = "") -> None:
        assert what == "bot"
        self.waiting[kind] += change


class Slow:
    """A bot of others that thinks until it is told to end, and has begun to."""

    def __init__(self, folder: Path, processes: ProcessThinker) -> None:
        self._file, self._processes = folder / "end", processes

    async def think(self) -> BotMove:
        return await self._processes.think(misbehaving.waiting_for(self._file), VIEW)

    async def begin(self) -> asyncio.Task[BotMove]:
        """Its first turn, which takes the only process."""
        turn = asyncio.create_task(self.think())
        while not misbehaving.begun(self._file).exists():
            await asyncio.sleep(0.01)
        return turn

    def end(self) -> None:
        self._file.touch()


Steps = Callable[[ProcessThinker, Slow, Counting], Awaitable[None]]


def with_slow(folder: Path, steps: Steps, most_waiting: int = 1000) -> None:
    """Let steps use a thinker with one process for each kind of bot."""

    async def use() -> None:
        meter = Counting()
        processes = ProcessThinker(1, 60.0, misbehaving.make, meter, most_waiting)
        try:
            await steps(processes, Slow(folder, processes), meter)
        finally:
            await processes.close()
        assert meter.waiting == Counter(dict.fromkeys(meter.waiting, 0)), "nobody is left waiting"

    run(use())


def test_however_many_bots_of_others_think_slowly_those_of_the_house_answer_before_them(tmp_path: Path) -> None:
    async def steps(processes: ProcessThinker, slow: Slow, meter: Counting) -> None:
        first = await slow.begin()
        turns = [first, *(asyncio.create_task(slow.think()) for _ in range(20))]
        for number in range(3):
            assert (await processes.think("simple", VIEW, f"table{number}")).action == OWN
        assert not any(turn.done() for turn in turns), "none of them has answered yet"
        assert (meter.waiting["foreign"], meter.waiting["plain"]) == (20, 0)
        slow.end()
        assert {(turn.action, turn.problem) for turn in await asyncio.gather(*turns)} == {(OWN, "")}

    with_slow(tmp_path, steps)


def test_bots_think_in_the_order_in_which_their_turns_came(tmp_path: Path) -> None:
    async def steps(processes: ProcessThinker, slow: Slow, meter: Counting) -> None:
        done = list[int]()

        async def turn(number: int) -> None:
            await processes.think("prints", VIEW, f"table{number}")
            done.append(number)

        first = await slow.begin()
        turns = [asyncio.create_task(turn(number)) for number in range(10)]
        await asyncio.sleep(0)
        slow.end()
        await asyncio.gather(first, *turns)
        assert done == [*range(10)]

    with_slow(tmp_path, steps)


def test_where_too_many_wait_a_turn_is_answered_at_once_by_what_is_safe(tmp_path: Path) -> None:
    async def steps(processes: ProcessThinker, slow: Slow, meter: Counting) -> None:
        turns = [await slow.begin(), *(asyncio.create_task(slow.think()) for _ in range(2))]
        await asyncio.sleep(0)
        assert await slow.think() == BotMove(SAFE, problem=CROWDED)
        assert await slow.think() == BotMove(SAFE, problem=CROWDED)
        assert (meter.waiting["foreign"], meter.counted) == (2, Counter({("bot_given_up", "foreign"): 2}))
        assert (await processes.think("simple", VIEW)).action == OWN, "the house has a queue of its own"
        slow.end()
        assert [turn.action for turn in await asyncio.gather(*turns)] == [OWN] * 3, "who waited is served"
        assert (await slow.think()).action == OWN, "there is room again"

    with_slow(tmp_path, steps, most_waiting=2)


def test_a_table_that_no_longer_wants_its_turn_leaves_the_queue(tmp_path: Path) -> None:
    async def steps(processes: ProcessThinker, slow: Slow, meter: Counting) -> None:
        first, gone = await slow.begin(), asyncio.create_task(slow.think())
        await asyncio.sleep(0)
        assert (await slow.think()).problem == CROWDED
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        assert meter.waiting["foreign"] == 0
        stays = asyncio.create_task(slow.think())
        await asyncio.sleep(0)
        assert meter.waiting["foreign"] == 1, "its place is free for another"
        slow.end()
        assert [turn.action for turn in await asyncio.gather(first, stays)] == [OWN, OWN]

    with_slow(tmp_path, steps, most_waiting=1)


def test_a_process_is_not_free_before_the_bot_in_it_is_done_even_if_nobody_waits_for_that(tmp_path: Path) -> None:
    async def steps(processes: ProcessThinker, slow: Slow, meter: Counting) -> None:
        first = await slow.begin()
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        following = asyncio.create_task(processes.think("prints", VIEW))
        await asyncio.sleep(0)
        assert meter.waiting["foreign"] == 1, "its time has not begun"
        slow.end()
        assert (await following).action == OWN

    with_slow(tmp_path, steps)


def test_processes_for_bots_of_others_are_started_when_one_plays(tmp_path: Path) -> None:
    before = set(multiprocessing.active_children())

    def started() -> int:
        return len(set(multiprocessing.active_children()) - before)

    async def steps(processes: ProcessThinker, slow: Slow, meter: Counting) -> None:
        assert started() == 0
        await processes.think("simple", VIEW)
        assert started() == 1
        await processes.think("prints", VIEW)
        assert started() == 2

    with_slow(tmp_path, steps)


def test_closing_ends_bots_that_nobody_waits_for_any_more_and_starts_none_anew(tmp_path: Path) -> None:
    async def steps(processes: ProcessThinker, slow: Slow, meter: Counting) -> None:
        before = multiprocessing.active_children()
        first = await slow.begin()
        first.cancel()
        await processes.close()
        await all_ended(before)

    with_slow(tmp_path, steps)
