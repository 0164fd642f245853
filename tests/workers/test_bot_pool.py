"""A table always gets a legal action, and a failing bot affects no other table."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tamaya import Game, Rules
from tamaya.bots import BotMove, SimpleBot, fallback_action, make_bot
from tamaya.engine import View
from tamaya.table.telemetry import CounterName, NoMetrics, QueueName
from tamaya.workers import PoolBotExecutor
from tamaya.workers.bot_pool import QUEUE_FULL, BotPool
from tests.limits import WAIT
from tests.support import bots
from tests.support.bots import all_ended
from tests.support.fakes import run

pytestmark = pytest.mark.slow

VIEW = Game(Rules(players=3), seed=1).view(0)
OWN, SAFE = SimpleBot().act(VIEW), fallback_action(VIEW)


def with_executor(steps: Callable[[PoolBotExecutor], Awaitable[None]], longest: float = 60.0, workers: int = 1) -> None:
    async def use() -> None:
        processes = PoolBotExecutor(workers, longest, bots.make)
        try:
            await steps(processes)
        finally:
            await processes.close()

    run(use())


def test_a_bots_choice_and_reasons_reach_its_table() -> None:
    bot = SimpleBot()

    async def steps(processes: PoolBotExecutor) -> None:
        assert await processes.choose_move("simple", VIEW) == BotMove(bot.act(VIEW), bot.explain())

    with_executor(steps)


def test_failing_bots_are_replaced_for_their_turn_and_others_go_on() -> None:
    assert OWN != SAFE
    bad = {**bots.BAD_ANSWERS, **bots.CHEATING}

    async def steps(processes: PoolBotExecutor) -> None:
        for bot in (*bad, "interrupts", "kills its process", "unknown"):
            thought = await processes.choose_move(bot, VIEW)
            assert thought.action == SAFE, bot
            assert thought.problem, f"{bot}: it is reported"
        assert (await processes.choose_move("simple", VIEW)).action == OWN

    with_executor(steps)


def test_reported_problems_say_what_failed_but_name_no_card() -> None:
    card = str(VIEW.hands[1][0].card)

    async def steps(processes: PoolBotExecutor) -> None:
        problem = (await processes.choose_move("tells a card", VIEW)).problem
        assert problem.startswith("KeyError (")
        assert "bots.py:" in problem, "its author sees the line"
        assert card not in problem
        assert "unknown_bot" in (await processes.choose_move("unknown", VIEW)).problem
        assert "illegal_choice" in (await processes.choose_move("answers a text", VIEW)).problem

    with_executor(steps)


def test_tables_sharing_a_process_with_a_crashing_bot_go_on() -> None:
    async def steps(processes: PoolBotExecutor) -> None:
        bots = "kills its process", "prints", "prints", "simple"
        thoughts = await asyncio.gather(*(processes.choose_move(bot, VIEW) for bot in bots))
        assert [thought.action for thought in thoughts] == [SAFE, OWN, OWN, OWN], "the others still choose for themselves"
        assert (await processes.choose_move("simple", VIEW)).action == OWN

    with_executor(steps)


def test_a_bot_that_times_out_is_killed_and_replaced() -> None:
    before = multiprocessing.active_children()

    async def steps(processes: PoolBotExecutor) -> None:
        thought = await processes.choose_move("stalls", VIEW)
        assert (thought.action, thought.problem) == (SAFE, "it took too long")
        await all_ended(before)

    with_executor(steps, longest=0.6)


def test_threads_left_by_a_bot_end_with_its_process() -> None:
    before = multiprocessing.active_children()

    async def steps() -> None:
        processes = PoolBotExecutor(make=bots.make)
        for _ in range(2):
            assert (await processes.choose_move("leaves threads behind", VIEW)).action == OWN
        await processes.close()
        await all_ended(before)

    run(steps())


def test_the_output_of_bots_is_discarded(capfd: pytest.CaptureFixture[str]) -> None:
    async def steps(processes: PoolBotExecutor) -> None:
        assert (await processes.choose_move("prints", VIEW)).action == OWN

    with_executor(steps)
    assert capfd.readouterr() == ("", ""), "it may name cards, and would clutter the terminal"


def test_closing_ends_the_processes() -> None:
    before = multiprocessing.active_children()

    async def steps() -> None:
        processes = PoolBotExecutor(workers=2)
        await processes.choose_move("simple", VIEW)
        await processes.close()
        await processes.close()
        await all_ended(before)

    run(steps())


def test_only_a_view_is_sent_to_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[object] = []

    class Pool:
        def submit(self, function: object, *arguments: object) -> object:
            sent.extend(arguments)
            raise asyncio.CancelledError

    async def steps() -> None:
        processes = PoolBotExecutor()
        monkeypatch.setattr(processes._built_in, "_pool", Pool())
        with pytest.raises(asyncio.CancelledError):
            await processes.choose_move("simple", VIEW, "a table", ["", "simple", ""])

    run(steps())
    assert sent == [make_bot, "simple", VIEW, "a table", ("", "simple", "")], "and the lineup: bots by name, people without"
    assert isinstance(sent[2], View)


def test_the_timeout_starts_when_a_process_is_free() -> None:
    async def steps(processes: PoolBotExecutor) -> None:
        await processes.choose_move("prints", VIEW)
        processes._foreign._timeout = 3.0  # only now: on a busy machine a process may take as long to start
        thoughts = await asyncio.gather(*(processes.choose_move("ponders", VIEW) for _ in range(5)))
        assert [thought.action for thought in thoughts] == [OWN] * 5, "together they take longer than the timeout"

    with_executor(steps)


async def kill(pool: BotPool) -> None:
    """Kill the processes of a pool from outside."""
    assert pool._pool is not None
    for process in list(pool._pool._processes.values()):
        process.kill()
        process.join(WAIT)


def test_bots_go_on_after_an_idle_process_was_killed() -> None:
    async def steps(processes: PoolBotExecutor) -> None:
        assert (await processes.choose_move("simple", VIEW)).action == OWN
        await kill(processes._built_in)
        for _ in range(3):
            assert (await processes.choose_move("simple", VIEW)).action == OWN
            await asyncio.sleep(0.05)

    with_executor(steps)


def test_a_bot_keeps_its_memory_and_rebuilds_it_after_a_crash() -> None:
    game = Game(Rules(players=2), seed=5)

    async def turn(processes: PoolBotExecutor, table: str) -> str:
        assert game.to_move is not None
        thought = await processes.choose_move("remembers", game.view(game.to_move), table)
        assert not thought.problem
        game.act(thought.action)
        return str(thought.why).partition(" in ")[0]

    async def steps(processes: PoolBotExecutor) -> None:
        assert [await turn(processes, "t") for _ in range(4)] == [
            "asked 1 heard []",
            "asked 1 heard [1]",
            "asked 2 heard [1, 2]",
            "asked 2 heard [1, 2, 3]",
        ]
        assert await turn(processes, "another table") == "asked 1 heard [1, 2, 3, 4]", "a new bot observes everything"
        game.act(game.legal_actions()[-1])
        assert await turn(processes, "t") == "asked 3 heard [1, 2, 3, 4, 5, 6]", "including an action taken for it"
        await kill(processes._foreign)
        assert await turn(processes, "t") == "asked 1 heard [1, 2, 3, 4, 5, 6, 7]", "observed again after the crash"

    with_executor(steps)


class Counting(NoMetrics):
    """Records queue lengths and counters."""

    def __init__(self) -> None:
        self.waiting, self.counted = Counter[str](), Counter[tuple[str, str]]()

    def count(self, what: CounterName, kind: str = "") -> None:
        self.counted[what, kind] += 1

    def queue(self, what: QueueName, change: int, kind: str = "") -> None:
        assert what == "bot"
        self.waiting[kind] += change


class Slow:
    """A foreign bot that thinks until a file exists."""

    def __init__(self, folder: Path, processes: PoolBotExecutor) -> None:
        self._file, self._processes = folder / "end", processes

    async def think(self) -> BotMove:
        return await self._processes.choose_move(bots.waiting_for(self._file), VIEW)

    async def begin(self) -> asyncio.Task[BotMove]:
        """Start its first turn, which takes the only process."""
        turn = asyncio.create_task(self.think())
        while not bots.begun(self._file).exists():
            await asyncio.sleep(0.01)
        return turn

    def end(self) -> None:
        self._file.touch()


Steps = Callable[[PoolBotExecutor, Slow, Counting], Awaitable[None]]


def with_slow(folder: Path, steps: Steps, most_waiting: int = 1000) -> None:
    """Run steps with an executor with one process for each kind of bot."""

    async def use() -> None:
        meter = Counting()
        processes = PoolBotExecutor(1, 60.0, bots.make, meter, most_waiting)
        try:
            await steps(processes, Slow(folder, processes), meter)
        finally:
            await processes.close()
        assert meter.waiting == Counter(dict.fromkeys(meter.waiting, 0)), "no turn is left waiting"

    run(use())


def test_slow_foreign_bots_do_not_delay_built_in_ones(tmp_path: Path) -> None:
    async def steps(processes: PoolBotExecutor, slow: Slow, meter: Counting) -> None:
        first = await slow.begin()
        turns = [first, *(asyncio.create_task(slow.think()) for _ in range(20))]
        for number in range(3):
            assert (await processes.choose_move("simple", VIEW, f"table{number}")).action == OWN
        assert not any(turn.done() for turn in turns), "none of the foreign bots has answered yet"
        assert (meter.waiting["foreign"], meter.waiting["plain"]) == (20, 0)
        slow.end()
        assert {(turn.action, turn.problem) for turn in await asyncio.gather(*turns)} == {(OWN, "")}

    with_slow(tmp_path, steps)


def test_turns_are_taken_in_the_order_of_requests(tmp_path: Path) -> None:
    async def steps(processes: PoolBotExecutor, slow: Slow, meter: Counting) -> None:
        done = list[int]()

        async def turn(number: int) -> None:
            await processes.choose_move("prints", VIEW, f"table{number}")
            done.append(number)

        first = await slow.begin()
        turns = [asyncio.create_task(turn(number)) for number in range(10)]
        await asyncio.sleep(0)
        slow.end()
        await asyncio.gather(first, *turns)
        assert done == [*range(10)]

    with_slow(tmp_path, steps)


def test_a_full_queue_gives_a_safe_action_at_once(tmp_path: Path) -> None:
    async def steps(processes: PoolBotExecutor, slow: Slow, meter: Counting) -> None:
        turns = [await slow.begin(), *(asyncio.create_task(slow.think()) for _ in range(2))]
        await asyncio.sleep(0)
        assert await slow.think() == BotMove(SAFE, problem=QUEUE_FULL)
        assert await slow.think() == BotMove(SAFE, problem=QUEUE_FULL)
        assert (meter.waiting["foreign"], meter.counted) == (2, Counter({("bot_given_up", "foreign"): 2}))
        assert (await processes.choose_move("simple", VIEW)).action == OWN, "built-in bots have their own queue"
        slow.end()
        assert [turn.action for turn in await asyncio.gather(*turns)] == [OWN] * 3, "waiting turns are taken"
        assert (await slow.think()).action == OWN, "the queue has room again"

    with_slow(tmp_path, steps, most_waiting=2)


def test_a_cancelled_turn_leaves_the_queue(tmp_path: Path) -> None:
    async def steps(processes: PoolBotExecutor, slow: Slow, meter: Counting) -> None:
        first, gone = await slow.begin(), asyncio.create_task(slow.think())
        await asyncio.sleep(0)
        assert (await slow.think()).problem == QUEUE_FULL
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        assert meter.waiting["foreign"] == 0
        stays = asyncio.create_task(slow.think())
        await asyncio.sleep(0)
        assert meter.waiting["foreign"] == 1, "its place in the queue is free"
        slow.end()
        assert [turn.action for turn in await asyncio.gather(first, stays)] == [OWN, OWN]

    with_slow(tmp_path, steps, most_waiting=1)


def test_a_process_is_busy_until_its_bot_is_done_even_if_cancelled(tmp_path: Path) -> None:
    async def steps(processes: PoolBotExecutor, slow: Slow, meter: Counting) -> None:
        first = await slow.begin()
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        following = asyncio.create_task(processes.choose_move("prints", VIEW))
        await asyncio.sleep(0)
        assert meter.waiting["foreign"] == 1, "its timeout has not started"
        slow.end()
        assert (await following).action == OWN

    with_slow(tmp_path, steps)


def test_processes_for_foreign_bots_start_on_demand(tmp_path: Path) -> None:
    before = set(multiprocessing.active_children())

    def started() -> int:
        return len(set(multiprocessing.active_children()) - before)

    async def steps(processes: PoolBotExecutor, slow: Slow, meter: Counting) -> None:
        assert started() == 0
        await processes.choose_move("simple", VIEW)
        assert started() == 1
        await processes.choose_move("prints", VIEW)
        assert started() == 2

    with_slow(tmp_path, steps)


def test_closing_ends_abandoned_turns_and_starts_no_process(tmp_path: Path) -> None:
    async def steps(processes: PoolBotExecutor, slow: Slow, meter: Counting) -> None:
        before = multiprocessing.active_children()
        first = await slow.begin()
        first.cancel()
        await processes.close()
        await all_ended(before)

    with_slow(tmp_path, steps)
