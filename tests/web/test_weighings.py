"""Moves that somebody tries are weighed once, one at a time, and wait where they are in no game's way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tamaya.coach.coach import WAITING, WAITING_MOVES, Coachings, Weighing
from tamaya.rules import Action, Discard, Play, say
from tamaya.table import Table
from tamaya.web.http.rate_limits import TooOftenError
from tamaya.workers.search_pool import Warmth
from tests.review.made_up import made_up
from tests.table.fakes import run
from tests.table.memory_store import MemoryStore
from tests.web.coaches import RECORDS, Pool, ended

BUSY = say("The coach has too much to do just now; ask again in a few minutes.")
COACHING = made_up(RECORDS[0])


def anybody() -> None:
    """Nobody is refused."""


def other_move(turn: int) -> Action:
    """A move of a turn that is neither the one that was played nor the best."""
    judged = COACHING.judgements[turn - 1]
    return next(one for one in (Play(0), Discard(0), Play(1)) if str(one) not in (judged.played, judged.best))


def weighed(coachings: Coachings, table: Table, turn: int, may_begin: Callable[[], None] = anybody) -> Weighing:
    return coachings.weighed(table, turn, other_move(turn), COACHING, may_begin)


async def until_done(weighing: Weighing) -> None:
    for _ in range(2000):
        if weighing.done:
            return
        await asyncio.sleep(0.005)
    raise AssertionError("waited 10 s for a move to be weighed")


def test_a_move_is_weighed_once_and_whoever_looks_again_need_not_be_allowed_to() -> None:
    async def steps() -> None:
        store, pool, allowed = MemoryStore(), Pool(), list[int]()
        (table,) = await ended(store, RECORDS[0])
        coachings = Coachings(store, pool)
        found = weighed(coachings, table, 1, lambda: allowed.append(1))
        await until_done(found)
        assert weighed(coachings, table, 1, lambda: allowed.append(1)) is found
        assert (len(pool.given), allowed) == (1, [1])
        await coachings.close()

    run(steps())


def test_what_is_judged_already_costs_nothing() -> None:
    def nobody() -> None:
        raise TooOftenError

    async def steps() -> None:
        (table,) = await ended(MemoryStore(), RECORDS[0])
        coachings = Coachings(None, Pool())
        judged = COACHING.judgements[0]
        for move in (judged.played, judged.best):
            action = next(one for one in table.past().view(0, 0).legal_actions if str(one) == move)
            assert coachings.weighed(table, 1, action, COACHING, nobody).judgement
        with pytest.raises(TooOftenError):
            weighed(coachings, table, 1, nobody)
        assert coachings._weighings._tasks == set()
        await coachings.close()

    run(steps())


def test_moves_that_wait_take_no_place_of_a_game_and_too_many_are_refused_in_words() -> None:
    async def steps() -> None:
        store = MemoryStore()
        tables = await ended(store, *RECORDS[:1] * WAITING)
        coachings = Coachings(store, Pool(Warmth.WARMING))
        found = [weighed(coachings, tables[0], turn + 1) for turn in range(WAITING_MOVES + 1)]
        assert [(one.done, one.refused) for one in found] == [(False, None)] * WAITING_MOVES + [(True, BUSY)]
        assert all([(await coachings.of(table)).begun for table in tables])
        await coachings.close()

    run(steps())


def test_games_take_no_place_of_a_move() -> None:
    async def steps() -> None:
        store = MemoryStore()
        tables = await ended(store, *RECORDS[:1] * WAITING)
        coachings = Coachings(store, Pool(Warmth.WARMING))
        for table in tables:
            await coachings.of(table)
        assert weighed(coachings, tables[0], 1) == Weighing()
        await coachings.close()

    run(steps())


def test_one_move_is_weighed_at_a_time_so_that_a_game_has_every_other_turn() -> None:
    class Counting(Pool):
        at_work, most_at_work = 0, 0

        async def run(self, function: Callable[..., Any], *arguments: object, **how: Any) -> Any:
            self.at_work += 1
            self.most_at_work = max(self.most_at_work, self.at_work)
            await asyncio.sleep(0)
            self.at_work -= 1
            return await super().run(function, *arguments, **how)

    async def steps() -> None:
        store, pool = MemoryStore(), Counting()
        (table,) = await ended(store, RECORDS[0])
        coachings = Coachings(store, pool)
        for found in [weighed(coachings, table, turn) for turn in range(1, 6)]:
            await until_done(found)
        assert (len(pool.given), pool.most_at_work) == (5, 1)
        await coachings.close()

    run(steps())


def test_a_move_that_could_not_be_weighed_is_tried_again_when_somebody_asks_again() -> None:
    async def steps() -> None:
        store, pool = MemoryStore(), Pool(most=0)
        (table,) = await ended(store, RECORDS[0])
        coachings = Coachings(store, pool)
        await until_done(weighed(coachings, table, 1))
        assert weighed(coachings, table, 1) == Weighing(True), "it is said once that it could not be done"
        pool.left = 1
        again = weighed(coachings, table, 1)
        await until_done(again)
        assert again.judgement
        await coachings.close()

    run(steps())
