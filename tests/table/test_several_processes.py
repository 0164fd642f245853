"""Two processes serve the same tables from one PostgreSQL database: two services, each with a store and a bus of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest

from tamaya import IllegalError
from tamaya.bots import BotMove
from tamaya.bus.postgres import PostgresBus
from tamaya.engine import View
from tamaya.storage import PostgresStore
from tamaya.table import Settings, Table, TableService, bot_turns, commands
from tests.limits import WAIT
from tests.postgres import cut_all_connections
from tests.support.databases import migrated_database
from tests.support.fakes import ANN, BOB, InlineExecutor, deal_of, game_of, run, standing, steady_chance, two_people


class Counting(InlineExecutor):
    """Records the turns and tables for which bots were asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, int]] = []

    async def choose_move(self, bot: str, view: View, table: str = "", lineup: Sequence[str] = ()) -> BotMove:
        self.asked.append((table, view.turn))
        return await super().choose_move(bot, view, table, lineup)


class Deaf(PostgresBus):
    """A bus whose news reaches no other process, as if this one ended before it published them."""

    async def publish(self, code: str, sequence: int) -> None:
        self.tell_here(code, sequence)

    def broadcast(self, topic: str, text: str) -> None:
        pass


class Mute(PostgresBus):
    """A bus that sends nothing to other processes for a while."""

    is_mute = True

    async def publish(self, code: str, sequence: int) -> None:
        await super().publish(code, sequence) if not self.is_mute else self.tell_here(code, sequence)

    def broadcast(self, topic: str, text: str) -> None:
        if not self.is_mute:
            super().broadcast(topic, text)


@asynccontextmanager
async def processes(
    *kinds: type[PostgresBus], thinkers: Sequence[InlineExecutor] = (), address: str = ""
) -> AsyncIterator[list[TableService]]:
    address = address or migrated_database()
    all_tables = []
    for seed, kind in enumerate(kinds):
        thinker = thinkers[seed] if thinkers else InlineExecutor()
        store, bus = await PostgresStore.open(address), await kind.open(address)
        all_tables.append(TableService(store, bus, thinker, runtime=steady_chance(seed)))
    try:
        yield all_tables
    finally:
        for tables in all_tables:
            await tables.bus.close()
            await tables.close()


async def with_bots(tables: TableService) -> Table:
    """A table of one person and two bots, at which a bot begins."""
    bots = [partial(commands.seat_bot, person=ANN, seat=seat, bot="simple") for seat in (1, 2)]
    start = partial(commands.start, person=ANN, first=1, deal=partial(deal_of, 3))
    return await tables.create(Settings("players=3"), ANN, "Ann", *bots, start)


def test_a_change_confirmed_by_one_process_is_seen_by_the_next_read_of_another() -> None:
    async def steps() -> None:
        async with processes(Deaf, Deaf) as (one, two):
            table = await two_people(one)
            for turn in range(6):
                here, mover = (one, two)[turn % 2], (ANN, BOB)[turn % 2]
                seen = await here.get(table.code)
                assert (seen.turn, seen.to_move) == (turn, turn % 2)
                text = str(game_of(seen).legal_actions()[0])
                await here.update(table.code, partial(commands.move, person=mover, text=text, turn=turn))
            assert standing(await one.get(table.code)) == standing(await two.get(table.code))

    run(steps())


def count_reads(tables: TableService, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list to which each read of a table's events from the store is added."""
    asked: list[str] = []
    for name in ("last_sequence", "read_events"):
        ask = getattr(tables.store, name)

        def counting(*args: Any, name: str = name, ask: Any = ask) -> Any:
            asked.append(name)
            return ask(*args)

        monkeypatch.setattr(tables.store, name, counting)
    return asked


def test_a_player_moves_in_a_process_that_missed_the_previous_move() -> None:
    async def steps() -> None:
        async with processes(Deaf, Deaf) as (one, two):
            table = await two_people(one)
            await two.get(table.code)
            for turn in range(6):
                here, mover = (one, two)[turn % 2], (ANN, BOB)[turn % 2]
                text = str(game_of(table).legal_actions()[0])
                table = await here.update(table.code, partial(commands.move, person=mover, text=text, turn=turn))
                assert table.turn == turn + 1

    run(steps())


def test_a_move_on_a_current_table_reads_nothing_from_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps() -> None:
        async with processes(PostgresBus) as (one,):
            table, asked = await two_people(one), count_reads(one, monkeypatch)
            text = str(game_of(table).legal_actions()[0])
            await one.update(table.code, partial(commands.move, person=ANN, text=text, turn=0))
            assert asked == []
            with pytest.raises(IllegalError):
                await one.update(table.code, partial(commands.move, person=ANN, text=text, turn=0))
            assert asked == ["last_sequence"], "a refusal may be due to an outdated table"

    run(steps())


def test_of_two_concurrent_moves_in_two_processes_one_is_refused() -> None:
    async def steps() -> None:
        async with processes(PostgresBus, PostgresBus) as (one, two):
            table = await two_people(one)
            await two.get(table.code)
            text = str(game_of(table).legal_actions()[0])
            move = partial(commands.move, person=ANN, text=text, turn=0)
            outcomes = await asyncio.gather(*(tables.update(table.code, move) for tables in (one, two)), return_exceptions=True)
            assert sorted(isinstance(outcome, IllegalError) for outcome in outcomes) == [False, True], outcomes
            assert (await one.get(table.code)).turn == (await two.get(table.code)).turn == 1

    run(steps())


def test_one_process_plays_a_tables_bots_and_each_turn_once() -> None:
    async def steps() -> None:
        thinkers = Counting(), Counting()
        async with processes(PostgresBus, PostgresBus, thinkers=thinkers) as (one, two):
            tables = [await with_bots(one) for _ in range(5)]
            for table in tables:
                two.schedule_bots(await two.get(table.code))
                one.schedule_bots(await one.get(table.code))
            for table in tables:
                while (await two.get(table.code)).bot_to_move:
                    await asyncio.sleep(0.01)
            asked = [*thinkers[0].asked, *thinkers[1].asked]
            assert sorted(asked) == sorted((table.code, turn) for table in tables for turn in (0, 1))

    run(steps())


def test_when_the_process_that_plays_bots_is_gone_another_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_turns, "LOCK_RETRY_DELAY", 0.05)

    class Stuck(InlineExecutor):
        async def choose_move(self, bot: str, view: View, table: str = "", lineup: Sequence[str] = ()) -> BotMove:
            await asyncio.Event().wait()
            raise AssertionError

    async def steps() -> None:
        address = migrated_database()
        async with processes(PostgresBus, thinkers=[Stuck()], address=address) as (one,):
            table = await with_bots(one)
            async with processes(PostgresBus, address=address) as (two,):
                while table.code not in one._bot_turns._tasks:
                    await asyncio.sleep(0.01)
                await asyncio.sleep(0.1)
                two.schedule_bots(await two.get(table.code))
                await one.bus.close()  # all that the database notices when a process ends
                while (await two.get(table.code)).bot_to_move:
                    await asyncio.sleep(0.01)

    run(steps())


def test_after_a_cut_connection_subscribers_check_at_once() -> None:
    async def steps() -> None:
        address = migrated_database()
        async with processes(Deaf, PostgresBus, address=address) as (one, two):
            table = await two_people(one)
            watched = await two.refresh(table.code, 0)
            text = str(game_of(table).legal_actions()[0])
            with two.bus.subscribe(table.code) as subscription:
                moved = await one.update(table.code, partial(commands.move, person=ANN, text=text, turn=0))
                assert (await two.refresh(table.code, watched.sequence)).turn == 0, "it has no news"
                cut_all_connections(address)
                await asyncio.wait_for(subscription.news(), WAIT / 2)
                assert standing(await two.refresh(table.code, watched.sequence)) == standing(moved)

    run(steps())
