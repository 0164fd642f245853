"""The coach behind a server: asked once about each game that is over, in the background, and remembered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tamaya import IllegalError
from tamaya.bus import LocalBus
from tamaya.coach import coach as coachings_room
from tamaya.coach.coach import WAITING, WAITING_MOVES, AnalysisProgress, Coach, TriedMove
from tamaya.coach.solver import WinSolver
from tamaya.review.analysis import read_analysis
from tamaya.rules import Action, Discard, Play, UnavailableError, say
from tamaya.table import Table
from tamaya.web.http.rate_limits import TooOftenError
from tamaya.workers.search_pool import CompileState
from tests.support.analyses import RECORDS, Pool, ended, imagined, made_up
from tests.support.fakes import run
from tests.support.memory_store import MemoryStore


async def until(progress: AnalysisProgress, done: Callable[[AnalysisProgress], object]) -> None:
    for _ in range(2000):
        if done(progress):
            return
        await asyncio.sleep(0.005)
    raise AssertionError("waited 10 s for the coach")


def test_a_game_is_judged_turn_by_turn_and_found_again_after_a_restart() -> None:
    async def steps() -> None:
        store = MemoryStore()
        (table,) = await ended(store, RECORDS[0])
        coachings = Coach(store, Pool())
        progress = await coachings.request(table)
        assert (progress.requested, progress.done, progress.finished) == (True, 0, False)
        await until(progress, lambda now: now.done)
        assert await coachings.request(table) is progress
        await until(progress, lambda now: now.finished and store.coachings)
        assert progress.coaching.judgements == tuple(imagined(RECORDS[0]))
        assert read_analysis(store.coachings[table.code]) == progress.coaching
        await coachings.close()
        pool = Pool(most=0)
        again = await Coach(store, pool).request(table)
        assert again.coaching == progress.coaching
        assert (again.requested, again.compiled, again.finished, pool.wanted) == (True, True, True, 0)

    run(steps())


class OneOfTwo(LocalBus):
    """The bus of one of two processes; what one of them has claimed the other does not get."""

    shared = True

    def __init__(self, claimed: set[str]) -> None:
        super().__init__()
        self._claimed = claimed

    @asynccontextmanager
    async def try_lock(self, code: str) -> AsyncIterator[bool]:
        ours = code not in self._claimed
        self._claimed.add(code)
        try:
            yield ours
        finally:
            if ours:
                self._claimed.discard(code)


def test_of_two_processes_one_works_and_the_other_sees_how_far_it_is_and_goes_on_where_it_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(coachings_room, "LOOK_AGAIN", 0.005)

    async def steps() -> None:
        store, claimed, pools = MemoryStore(), set[str](), (Pool(most=3), Pool())
        (table,) = await ended(store, RECORDS[0])
        one, two = (Coach(store, pool, OneOfTwo(claimed)) for pool in pools)
        first = await one.request(table)
        await until(first, lambda now: now.error)
        assert (first.done, (await two.kept(table.code))) == (3, None), "what is not done is nobody's slip yet"
        second = await two.progress(table)
        assert second.done == 3
        pools[0].left = 10**6
        followed = await one.request(table)
        for progress in (second, followed):
            await until(progress, lambda now: now.finished)
        assert second.coaching == followed.coaching
        assert len(pools[0].given) + len(pools[1].given) == second.turns, "each turn was judged once"
        await one.close()
        await two.close()

    run(steps())


def test_a_process_that_somebody_ended_costs_no_coaching() -> None:
    async def steps() -> None:
        store = MemoryStore()
        (table,) = await ended(store, RECORDS[0])
        coachings = Coach(store, Pool(ended=True))
        progress = await coachings.request(table)
        await until(progress, lambda now: now.finished or now.error)
        assert progress.error is None
        await coachings.close()

    run(steps())


def test_what_an_older_version_kept_in_another_form_is_worked_out_anew() -> None:
    async def steps() -> None:
        store = MemoryStore()
        (table,) = await ended(store, RECORDS[0])
        await store.save_analysis(table.code, '{"moves": []}')
        coachings = Coach(store, Pool())
        progress = await coachings.request(table)
        await until(progress, lambda now: now.finished and read_analysis(store.coachings[table.code]))
        await coachings.close()

    run(steps())


@pytest.mark.parametrize("warmth", [CompileState.COLD, CompileState.COMPILING])
def test_while_what_it_needs_is_being_compiled_it_says_so_and_nobody_waits(warmth: CompileState) -> None:
    async def steps() -> None:
        store, pool = MemoryStore(), Pool(warmth)
        tables = await ended(store, *RECORDS)
        coachings = Coach(store, pool)
        waiting = [await coachings.request(table) for table in tables]
        await until(waiting[0], lambda now: pool.wanted)
        assert [(now.requested, now.compiled, now.done) for now in waiting] == [(True, False, 0)] * 2
        pool.now = CompileState.READY
        for progress in waiting:
            await until(progress, lambda now: now.compiled and now.finished)
        await coachings.close()

    run(steps())


@pytest.mark.parametrize("pool", [Pool(CompileState.IMPOSSIBLE), Pool(most=3)])
def test_a_coach_that_cannot_go_on_says_so_and_keeps_nothing(pool: Pool) -> None:
    async def steps() -> None:
        store = MemoryStore()
        (table,) = await ended(store, RECORDS[0])
        coachings = Coach(store, pool)
        progress = await coachings.request(table)
        await until(progress, lambda now: now.error)
        assert (progress.finished, store.coachings) == (False, {})
        await coachings.close()

    run(steps())


def test_a_coaching_that_gave_up_can_be_asked_for_again_and_goes_on_where_it_was() -> None:
    async def steps() -> None:
        store, pool = MemoryStore(), Pool(most=3)
        (table,) = await ended(store, RECORDS[0])
        coachings = Coach(store, pool)
        progress = await coachings.request(table)
        await until(progress, lambda now: now.error)
        assert (progress.requested, progress.done) == (False, 3)
        pool.left = 10**6
        again = await coachings.request(table)
        assert (again.requested, again.error, again.done) == (True, None, 3), "the page says that it goes on"
        await until(again, lambda now: now.finished and store.coachings)
        assert [turn for _, turn in pool.given] == list(range(1, again.turns + 1))
        await coachings.close()

    run(steps())


class LostStore(MemoryStore):
    """A store that cannot be read while it is `lost`."""

    lost = False

    async def load_analysis(self, code: str) -> str | None:
        if self.lost:
            raise UnavailableError
        return await super().load_analysis(code)


@pytest.mark.parametrize("shared", [False, True])
def test_a_coach_that_cannot_read_the_store_says_so_and_can_be_asked_again(
    monkeypatch: pytest.MonkeyPatch, shared: bool
) -> None:
    monkeypatch.setattr(coachings_room, "LOOK_AGAIN", 0.005)

    async def steps() -> None:
        store = LostStore()
        (table,) = await ended(store, RECORDS[0])
        claimed = {f"{table.code} coached"} if shared else set()
        coachings = Coach(store, Pool(), OneOfTwo(claimed))
        progress = await coachings.request(table)
        store.lost = True
        await until(progress, lambda now: now.error)
        assert (progress.requested, progress.finished) == (False, False)
        assert progress.error == say("The coach gave up: something went wrong on the server. Try again later.")
        assert await coachings.progress(table) is progress, "the page says it, too"
        store.lost = False
        claimed.clear()
        again = await coachings.request(table)
        assert (again.requested, again.error) == (True, None)
        await until(again, lambda now: now.finished)
        await coachings.close()

    run(steps())


def test_a_coach_that_cannot_work_here_at_all_is_not_asked_again() -> None:
    async def steps() -> None:
        store, pool = MemoryStore(), Pool(CompileState.IMPOSSIBLE)
        (table,) = await ended(store, RECORDS[0])
        coachings = Coach(store, pool)
        progress = await coachings.request(table)
        await until(progress, lambda now: now.error)
        pool.now = CompileState.READY
        assert await coachings.request(table) is progress
        assert (progress.requested, progress.error is None, coachings._tasks) == (True, False, set())
        await coachings.close()

    run(steps())


def test_nothing_is_said_of_a_game_that_goes_on() -> None:
    async def steps() -> None:
        store = MemoryStore()
        (table,) = await ended(store, RECORDS[0])
        going, reviews = Table(table.code, []), WinSolver(coachings=Coach(store, Pool()))
        with pytest.raises(IllegalError):
            await reviews.coaching(going)
        await reviews.close()

    run(steps())


def test_a_coach_with_too_much_to_do_takes_no_more_and_a_server_that_stops_waits_for_none() -> None:
    async def steps() -> None:
        store = MemoryStore()
        tables = await ended(store, *RECORDS[:1] * (WAITING + 1))
        coachings = Coach(store, Pool(CompileState.COMPILING))
        asked = [await coachings.request(table) for table in tables]
        assert [progress.requested for progress in asked] == [True] * WAITING + [False]
        await coachings.close()
        assert store.coachings == {}

    run(steps())


BUSY = say("The coach has too much to do just now; ask again in a few minutes.")
COACHING = made_up(RECORDS[0])


def anybody() -> None:
    """Nobody is refused."""


def other_move(turn: int) -> Action:
    """A move of a turn that is neither the one that was played nor the best."""
    judged = COACHING.judgements[turn - 1]
    return next(one for one in (Play(0), Discard(0), Play(1)) if str(one) not in (judged.played, judged.best))


def weighed(coachings: Coach, table: Table, turn: int, may_begin: Callable[[], None] = anybody) -> TriedMove:
    return coachings.try_move(table, turn, other_move(turn), COACHING, may_begin)


async def until_done(weighing: TriedMove) -> None:
    for _ in range(2000):
        if weighing.done:
            return
        await asyncio.sleep(0.005)
    raise AssertionError("waited 10 s for a move to be weighed")


def test_a_move_is_weighed_once_and_whoever_looks_again_need_not_be_allowed_to() -> None:
    async def steps() -> None:
        store, pool, allowed = MemoryStore(), Pool(), list[int]()
        (table,) = await ended(store, RECORDS[0])
        coachings = Coach(store, pool)
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
        coachings = Coach(None, Pool())
        judged = COACHING.judgements[0]
        for move in (judged.played, judged.best):
            action = next(one for one in table.past().view(0, 0).legal_actions if str(one) == move)
            assert coachings.try_move(table, 1, action, COACHING, nobody).judgement
        with pytest.raises(TooOftenError):
            weighed(coachings, table, 1, nobody)
        assert coachings._weighings._tasks == set()
        await coachings.close()

    run(steps())


def test_moves_that_wait_take_no_place_of_a_game_and_too_many_are_refused_in_words() -> None:
    async def steps() -> None:
        store = MemoryStore()
        tables = await ended(store, *RECORDS[:1] * WAITING)
        coachings = Coach(store, Pool(CompileState.COMPILING))
        found = [weighed(coachings, tables[0], turn + 1) for turn in range(WAITING_MOVES + 1)]
        assert [(one.done, one.refused) for one in found] == [(False, None)] * WAITING_MOVES + [(True, BUSY)]
        assert all([(await coachings.request(table)).requested for table in tables])
        await coachings.close()

    run(steps())


def test_games_take_no_place_of_a_move() -> None:
    async def steps() -> None:
        store = MemoryStore()
        tables = await ended(store, *RECORDS[:1] * WAITING)
        coachings = Coach(store, Pool(CompileState.COMPILING))
        for table in tables:
            await coachings.request(table)
        assert weighed(coachings, tables[0], 1) == TriedMove()
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
        coachings = Coach(store, pool)
        for found in [weighed(coachings, table, turn) for turn in range(1, 6)]:
            await until_done(found)
        assert (len(pool.given), pool.most_at_work) == (5, 1)
        await coachings.close()

    run(steps())


def test_a_move_that_could_not_be_weighed_is_tried_again_when_somebody_asks_again() -> None:
    async def steps() -> None:
        store, pool = MemoryStore(), Pool(most=0)
        (table,) = await ended(store, RECORDS[0])
        coachings = Coach(store, pool)
        await until_done(weighed(coachings, table, 1))
        assert weighed(coachings, table, 1) == TriedMove(True), "it is said once that it could not be done"
        pool.left = 1
        again = weighed(coachings, table, 1)
        await until_done(again)
        assert again.judgement
        await coachings.close()

    run(steps())
