"""Bots of other packages play at tables, and none of them can break one."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tamaya.table import Phase, Settings, Table, TableService, commands
from tamaya.workers import PoolBotExecutor
from tests.bots.support import GOOD, MARKING, install, site
from tests.support.fakes import ANN, deal_of, play_to_the_end, run, tables_over, until_people_move
from tests.support.memory_store import MemoryStore

pytestmark = pytest.mark.slow

BAD = """
import os, sys, threading, time
from tamaya.bots import SimpleBot


class Raising:
    def act(self, view):
        raise KeyError(str(view.hands[view.seat - 1][0].card))


class Unborn:
    def __init__(self):
        raise OSError("no model here")

    def act(self, view):
        return view.legal_actions[0]


class Deaf(SimpleBot):
    def observe(self, event):
        raise RuntimeError(str(event))


class Nonsense:
    answers = [None, "play 1", 3, object(), b"x" * 10_000_000, [1, 2], SimpleBot, float("nan")]

    def act(self, view):
        return self.answers[view.turn % len(self.answers)]


class Patching:
    def act(self, view):
        for thing, name in ((view, "legal_actions"), (view, "hands"), (view, "to_move"), (view.rules, "players")):
            try:
                setattr(thing, name, ())
            except AttributeError:
                object.__setattr__(thing, name, ())
        return view


class Silent:
    def act(self, view):
        time.sleep(600)


class Deadly:
    def act(self, view):
        os._exit(1)


class Noisy(SimpleBot):
    def act(self, view):
        print(view, flush=True)
        sys.stderr.write("noise")
        threading.Thread(target=time.sleep, args=(600,)).start()
        return super().act(view)

    def explain(self):
        return 3
"""
CLASSES = ("Raising", "Unborn", "Deaf", "Nonsense", "Patching", "Silent", "Deadly", "Noisy")


@pytest.fixture(scope="module", autouse=True)
def _packages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with site(tmp_path_factory.mktemp("packages")) as folder:
        install(folder, "friendly", GOOD, {"friendly": "friendly:GoodBot"})
        install(folder, "unfriendly", BAD, {name.lower(): f"unfriendly:{name}" for name in CLASSES})
        yield


async def seated(tables: TableService, *bots: str) -> Table:
    """Ann and these bots; she begins."""
    seating = [partial(commands.seat_bot, person=ANN, seat=seat + 1, bot=bot) for seat, bot in enumerate(bots)]
    dealing = partial(commands.start, person=ANN, first=0, deal=partial(deal_of, 3))
    return await tables.create(Settings(f"players={len(bots) + 1}"), ANN, "Ann", *seating, dealing)


async def ann_moves(tables: TableService, table: Table) -> Table:
    action = next(str(action) for action in table.view_for(ANN).legal_actions if str(action).startswith("clue"))
    await tables.update(table.code, partial(commands.move, person=ANN, text=action, turn=table.turn))
    return await until_people_move(tables, table)


def test_a_working_bot_plays_to_the_end_and_gives_reasons() -> None:
    async def steps() -> None:
        tables = tables_over(MemoryStore(), executor=PoolBotExecutor())
        table = await play_to_the_end(tables, await seated(tables, "friendly", "simple"))
        assert table.failed_turns == frozenset()
        told = table.explanations_for(ANN)
        assert {str(told[turn]) for turn in told if turn % 3 == 2} == {"As I was taught."}
        assert len({str(told[turn]) for turn in told if turn % 3 == 0}) > 2
        await tables.close()

    run(steps())


@pytest.mark.parametrize("bot", ["raising", "unborn", "nonsense", "patching"])
def test_a_bot_that_fails_or_cheats_is_replaced_in_every_turn(bot: str, caplog: pytest.LogCaptureFixture) -> None:
    async def steps() -> None:
        tables = tables_over(MemoryStore(), executor=PoolBotExecutor())
        table = await play_to_the_end(tables, await seated(tables, bot))
        assert table.phase is Phase.ENDED
        assert table.failed_turns == set(range(2, table.turn + 1, 2)), "all players are told"
        assert caplog.text.count(f"bot {bot} failed and was replaced") == len(table.failed_turns), "so is the host"
        assert table.record().bots == (None, bot)
        await tables.close()

    with caplog.at_level(logging.ERROR):
        run(steps())


@pytest.mark.parametrize(("bot", "longest"), [("deaf", 60.0), ("deadly", 60.0), ("silent", 0.5)])
def test_a_bot_that_stalls_or_kills_its_process_is_replaced(bot: str, longest: float, caplog: pytest.LogCaptureFixture) -> None:
    async def steps() -> None:
        tables = tables_over(MemoryStore(), executor=PoolBotExecutor(timeout=longest))
        table = await ann_moves(tables, await seated(tables, bot))
        table = await ann_moves(tables, table)
        assert (table.phase, table.turn, table.failed_turns) == (Phase.PLAYING, 4, frozenset({2, 4}))
        assert caplog.text.count(f"bot {bot} failed and was replaced") == 2
        await tables.close()

    with caplog.at_level(logging.ERROR):
        run(steps())


def test_the_message_about_a_failure_names_no_card(caplog: pytest.LogCaptureFixture) -> None:
    async def steps() -> None:
        tables = tables_over(MemoryStore(), executor=PoolBotExecutor())
        table = await ann_moves(tables, await seated(tables, "raising"))
        card = str(table.view_of_seat(1).hands[0][0].card)
        assert "KeyError (unfriendly.py:" in caplog.text
        assert card not in caplog.text
        await tables.close()

    with caplog.at_level(logging.ERROR):
        run(steps())


def test_a_bot_that_prints_and_leaves_threads_behind_plays_on(capfd: pytest.CaptureFixture[str]) -> None:
    async def steps() -> None:
        tables = tables_over(MemoryStore(), executor=PoolBotExecutor())
        table = await play_to_the_end(tables, await seated(tables, "noisy"))
        assert table.failed_turns == frozenset()
        assert {str(why).partition(":")[0] for why in table.explanations_for(ANN).values()} == {"It failed to explain this"}
        await tables.close()

    run(steps())
    assert capfd.readouterr() == ("", "")


def test_a_bot_named_by_module_in_the_events_is_not_imported(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def steps() -> None:
        store = MemoryStore()
        first = tables_over(store)
        table = await seated(first, "random")
        await first.close()
        store.kept[table.code] = [line.replace('"random"', '"trap:GoodBot"') for line in store.kept[table.code]]
        tables = tables_over(store, executor=PoolBotExecutor())
        table = await ann_moves(tables, await tables.get(table.code))
        assert (table.seats[1].bot, table.turn, table.failed_turns) == ("trap:GoodBot", 2, frozenset({2}))
        await tables.close()

    with site(tmp_path):
        install(tmp_path, "trap", MARKING + GOOD)
        with caplog.at_level(logging.ERROR):
            run(steps())
        assert "unknown_bot" in caplog.text
        assert not list(tmp_path.glob("*.mark"))
