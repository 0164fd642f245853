"""Bots take their turns by themselves, and a table survives their failures."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial

import pytest

from tamaya.bots import BotMove
from tamaya.bus import LocalBus
from tamaya.engine import View
from tamaya.rules import Action, Clue, Discard, Play, Rules
from tamaya.table import BotExecutor, Phase, Settings, Table, TableService, commands
from tamaya.table.events import Moved, decode
from tamaya.workers import PoolBotExecutor
from tests.support.fakes import (
    ANN,
    HeldExecutor,
    InlineExecutor,
    deal_of,
    play_to_the_end,
    run,
    standing,
    steady_chance,
    tables_over,
    until_people_move,
)
from tests.support.memory_store import MemoryStore


async def with_bots(tables: TableService, players: int = 3, first: int = 0, rules: str = "") -> Table:
    """Ann and bots, dealt."""
    bots = [partial(commands.seat_bot, person=ANN, seat=seat, bot="simple") for seat in range(1, players)]
    settings = Settings(f"players={players} {rules}")
    return await tables.create(
        settings, ANN, "Ann", *bots, partial(commands.start, person=ANN, first=first, deal=partial(deal_of, 3))
    )


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("rules", ["", "all-or-nothing", "announced-plays multicolour-unnamed"])
def test_a_person_and_bots_play_to_the_end(players: int, rules: str) -> None:
    async def steps() -> None:
        store = MemoryStore()
        tables = tables_over(store)
        table = await play_to_the_end(tables, await with_bots(tables, players, first=players - 1, rules=rules))
        assert table.phase is Phase.ENDED
        assert table.turn > 5
        events = [decode(line) for line in store.kept[table.code]]
        moves = [event for event in events if isinstance(event, Moved)]
        assert len(moves) == table.turn
        assert all(move.bot is (table.seats[move.seat].bot != "") for move in moves)
        await tables.close()

    run(steps())


def test_bots_in_worker_processes_play_like_those_in_the_test_process() -> None:
    async def evening(thinker: BotExecutor) -> tuple[object, ...]:
        tables = tables_over(MemoryStore(), executor=thinker)
        try:
            return standing(await play_to_the_end(tables, await with_bots(tables)))
        finally:
            await tables.close()

    assert run(evening(PoolBotExecutor())) == run(evening(InlineExecutor()))


def test_bots_are_prewarmed_when_seated_and_get_the_lineup() -> None:
    class Listening(InlineExecutor):
        def __init__(self) -> None:
            super().__init__()
            self.expected: set[tuple[str, int]] = set()
            self.lineups: set[tuple[str, ...]] = set()

        def prewarm(self, bot: str, rules: Rules) -> None:
            self.expected.add((bot, rules.players))

        async def choose_move(self, bot: str, view: View, table: str = "", lineup: Sequence[str] = ()) -> BotMove:
            self.lineups.add(tuple(lineup))
            return await super().choose_move(bot, view, table, lineup)

    async def steps() -> None:
        thinker = Listening()
        tables = tables_over(MemoryStore(), executor=thinker)
        seat_bot = partial(commands.seat_bot, person=ANN, seat=1, bot="simple")
        table = await tables.create(Settings("players=3"), ANN, "Ann", seat_bot)
        assert thinker.expected == {("simple", 3)}, "bots are prepared while a seat is still free"
        await tables.update(table.code, partial(commands.seat_bot, person=ANN, seat=2, bot="hat"))
        assert thinker.expected == {("simple", 3), ("hat", 3)}
        deal = partial(deal_of, 3)
        table = await tables.update(table.code, partial(commands.start, person=ANN, first=1, deal=deal))
        await until_people_move(tables, table)
        assert thinker.lineups == {("simple", "hat", "")}, "in playing order, empty for people"
        await tables.close()

    run(steps())


def test_a_bot_sees_only_the_view_of_its_seat() -> None:
    async def steps() -> None:
        thinker = HeldExecutor()
        thinker.answer.set()
        tables = tables_over(MemoryStore(), executor=thinker)
        await play_to_the_end(tables, await with_bots(tables))
        assert {view.seat for view in thinker.shown} == {1, 2}
        for view in thinker.shown:
            assert view.seat == view.to_move
            assert all(seen.card is None for seen in view.hand)

    run(steps())


def test_a_bot_whose_seat_is_taken_back_while_it_thinks_does_not_move() -> None:
    async def steps() -> None:
        thinker = HeldExecutor()
        store = MemoryStore()
        tables = tables_over(store, executor=thinker)
        table = await with_bots(tables)
        await tables.update(table.code, partial(commands.take_over, person=ANN, seat=0, bot="simple", away=False))
        while not thinker.shown:
            await asyncio.sleep(0)
        back = await tables.update(table.code, partial(commands.give_back, person=ANN))
        thinker.answer.set()
        for _ in range(20):
            await asyncio.sleep(0)
        assert standing(await tables.get(table.code)) == standing(back)
        assert len(store.kept[table.code]) == back.sequence
        await tables.update(table.code, partial(commands.move, person=ANN, text="play 1", turn=0))
        assert (await until_people_move(tables, table)).turn == 3

    run(steps())


def test_a_table_plays_one_bot_turn_at_a_time() -> None:
    async def steps() -> None:
        thinker = HeldExecutor()
        tables = tables_over(MemoryStore(), executor=thinker)
        table = await with_bots(tables, first=1)
        for _ in range(30):
            tables.schedule_bots(table)
            await asyncio.sleep(0)
        assert len(thinker.shown) == 1
        thinker.answer.set()
        assert (await until_people_move(tables, table)).turn == 2
        assert len(thinker.shown) == 2

    run(steps())


def test_bots_continue_after_a_restart_when_the_table_is_visited() -> None:
    async def steps() -> None:
        store, held = MemoryStore(), HeldExecutor()
        before = tables_over(store, executor=held)
        table = await with_bots(before, first=1)
        await before.close()
        after = tables_over(store)
        assert (await after.get(table.code)).turn == 0
        after.schedule_bots(await after.get(table.code))
        assert (await until_people_move(after, table)).turn == 2

    run(steps())


def test_a_move_that_waits_for_a_bots_move_still_wakes_the_next_bot() -> None:
    async def steps() -> None:
        store = MemoryStore(at_once=True)
        tables = tables_over(store)
        table = await with_bots(tables, first=2)
        assert [seat.person for seat in table.seats] == ["", ANN, ""]
        store.gate.clear()
        store.waiting.clear()
        await store.waiting.wait()
        early = asyncio.create_task(tables.update(table.code, partial(commands.move, person=ANN, text="play 1", turn=1)))
        for _ in range(10):
            await asyncio.sleep(0)
        store.gate.set()
        await early
        for _ in range(50):
            await asyncio.sleep(0)
        assert (await tables.get(table.code)).turn == 4, "the bots after the person have had their turns"

    run(steps())


@pytest.mark.parametrize("answer", [Play(8), Discard(0), Clue(7, 1)])
def test_an_executor_that_returns_illegal_moves_stops_only_that_table(answer: Action, caplog: pytest.LogCaptureFixture) -> None:
    class Broken(InlineExecutor):
        async def choose_move(self, bot: str, view: View, table: str = "", lineup: Sequence[str] = ()) -> BotMove:
            broken = view.turn == 0 and view.rules.players == 3
            return BotMove(answer) if broken else await super().choose_move(bot, view, table)

    async def steps() -> None:
        tables = tables_over(MemoryStore(), executor=Broken())
        stuck, well = await with_bots(tables, first=1), await with_bots(tables, players=4, first=1)
        assert (await until_people_move(tables, well)).turn == 3
        assert (await tables.get(stuck.code)).turn == 0
        await tables.update(stuck.code, partial(commands.send_message, person=ANN, remark="thinking"))
        await tables.close()

    with caplog.at_level(logging.CRITICAL):
        run(steps())


class SlowReleaseBus(LocalBus):
    """A bus whose locks take a while to be released, as those of PostgreSQL do."""

    def __init__(self) -> None:
        super().__init__()
        self.is_releasing, self.may_release = asyncio.Event(), asyncio.Event()

    @asynccontextmanager
    async def try_lock(self, code: str) -> AsyncIterator[bool]:
        yield True
        self.is_releasing.set()
        await self.may_release.wait()


def test_a_turn_that_begins_while_the_lock_is_being_released_is_played() -> None:
    async def steps() -> None:
        bus = SlowReleaseBus()
        tables = TableService(MemoryStore(), bus, InlineExecutor(), runtime=steady_chance())
        table = await with_bots(tables, first=1)
        await bus.is_releasing.wait()
        moved = await tables.update(table.code, partial(commands.move, person=ANN, text="play 1", turn=2))
        assert moved.bot_to_move
        bus.may_release.set()
        assert (await until_people_move(tables, table)).turn == 5
        await tables.close()

    run(steps())


def test_two_services_play_a_bots_turn_once() -> None:
    async def steps() -> None:
        store = MemoryStore()
        one, other = tables_over(store, 1), tables_over(store, 2)
        table = await with_bots(one, first=1)
        other.schedule_bots(await other.get(table.code))
        await until_people_move(one, table)
        for _ in range(20):
            await asyncio.sleep(0)
        moves = [event for event in map(decode, store.kept[table.code]) if isinstance(event, Moved)]
        assert [move.seat for move in moves] == [0, 1]
        assert (await other.refresh(table.code, len(store.kept[table.code]))).turn == 2

    run(steps())
