"""The coach behind a server analyses each finished game once, in the background, and remembers the result."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tamaya import IllegalError
from tamaya.bus import LocalBus
from tamaya.coach import coach as coach_module
from tamaya.coach.coach import MAX_PENDING_GAMES, MAX_PENDING_MOVES, AnalysisProgress, Coach, TriedMove
from tamaya.review.analysis import read_analysis
from tamaya.rules import Action, Discard, Play, UnavailableError, say
from tamaya.table import Table
from tamaya.web.http.rate_limits import TooOftenError
from tamaya.workers.search_pool import CompileState
from tests.support.analyses import RECORDS, FakeSearchPool, ended, imagined, made_up_analysis
from tests.support.fakes import run
from tests.support.memory_store import MemoryStore


async def until(progress: AnalysisProgress, done: Callable[[AnalysisProgress], object]) -> None:
    for _ in range(2000):
        if done(progress):
            return
        await asyncio.sleep(0.005)
    raise AssertionError("waited 10 s for the coach")


def test_a_game_is_analysed_turn_by_turn_and_the_result_survives_a_restart() -> None:
    async def steps() -> None:
        store = MemoryStore()
        (table,) = await ended(store, RECORDS[0])
        coach = Coach(store, FakeSearchPool())
        progress = await coach.request(table)
        assert (progress.requested, progress.done, progress.finished) == (True, 0, False)
        await until(progress, lambda now: now.done)
        assert await coach.request(table) is progress
        await until(progress, lambda now: now.finished and store.coachings)
        assert progress.analysis.judgements == tuple(imagined(RECORDS[0]))
        assert read_analysis(store.coachings[table.code]) == progress.analysis
        await coach.close()
        pool = FakeSearchPool(most=0)
        again = await Coach(store, pool).request(table)
        assert again.analysis == progress.analysis
        assert (again.requested, again.compiled, again.finished, pool.wanted) == (True, True, True, 0)

    run(steps())


class TwoProcessBus(LocalBus):
    """The bus of one of two processes: a lock that one of them holds is refused to the other."""

    shared = True

    def __init__(self, locked: set[str]) -> None:
        super().__init__()
        self._locked = locked

    @asynccontextmanager
    async def try_lock(self, code: str) -> AsyncIterator[bool]:
        ours = code not in self._locked
        self._locked.add(code)
        try:
            yield ours
        finally:
            if ours:
                self._locked.discard(code)


def test_of_two_processes_one_works_and_the_other_follows_and_takes_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(coach_module, "PROGRESS_POLL", 0.005)

    async def steps() -> None:
        store, locked, pools = MemoryStore(), set[str](), (FakeSearchPool(most=3), FakeSearchPool())
        (table,) = await ended(store, RECORDS[0])
        one, two = (Coach(store, pool, TwoProcessBus(locked)) for pool in pools)
        first = await one.request(table)
        await until(first, lambda now: now.error)
        assert (first.done, (await two.finished_analysis(table.code))) == (3, None), "an unfinished analysis names no slips"
        second = await two.progress(table)
        assert second.done == 3
        pools[0].left = 10**6
        followed = await one.request(table)
        for progress in (second, followed):
            await until(progress, lambda now: now.finished)
        assert second.analysis == followed.analysis
        assert len(pools[0].given) + len(pools[1].given) == second.turns, "each turn was analysed once"
        await one.close()
        await two.close()

    run(steps())


def test_a_killed_worker_process_costs_no_analysis() -> None:
    async def steps() -> None:
        store = MemoryStore()
        (table,) = await ended(store, RECORDS[0])
        coach = Coach(store, FakeSearchPool(ended=True))
        progress = await coach.request(table)
        await until(progress, lambda now: now.finished or now.error)
        assert progress.error is None
        await coach.close()

    run(steps())


def test_an_analysis_that_an_older_version_stored_in_another_form_is_replaced() -> None:
    async def steps() -> None:
        store = MemoryStore()
        (table,) = await ended(store, RECORDS[0])
        await store.save_analysis(table.code, '{"moves": []}')
        coach = Coach(store, FakeSearchPool())
        progress = await coach.request(table)
        await until(progress, lambda now: now.finished and read_analysis(store.coachings[table.code]))
        await coach.close()

    run(steps())


@pytest.mark.parametrize("state", [CompileState.COLD, CompileState.COMPILING])
def test_while_code_is_being_compiled_the_progress_says_so_and_no_request_waits(state: CompileState) -> None:
    async def steps() -> None:
        store, pool = MemoryStore(), FakeSearchPool(state)
        tables = await ended(store, *RECORDS)
        coach = Coach(store, pool)
        waiting = [await coach.request(table) for table in tables]
        await until(waiting[0], lambda now: pool.wanted)
        assert [(now.requested, now.compiled, now.done) for now in waiting] == [(True, False, 0)] * 2
        pool.now = CompileState.READY
        for progress in waiting:
            await until(progress, lambda now: now.compiled and now.finished)
        await coach.close()

    run(steps())


@pytest.mark.parametrize("pool", [FakeSearchPool(CompileState.IMPOSSIBLE), FakeSearchPool(most=3)])
def test_a_coach_that_fails_says_so_and_stores_nothing(pool: FakeSearchPool) -> None:
    async def steps() -> None:
        store = MemoryStore()
        (table,) = await ended(store, RECORDS[0])
        coach = Coach(store, pool)
        progress = await coach.request(table)
        await until(progress, lambda now: now.error)
        assert (progress.finished, store.coachings) == (False, {})
        await coach.close()

    run(steps())


def test_an_analysis_that_stopped_can_be_requested_again_and_continues() -> None:
    async def steps() -> None:
        store, pool = MemoryStore(), FakeSearchPool(most=3)
        (table,) = await ended(store, RECORDS[0])
        coach = Coach(store, pool)
        progress = await coach.request(table)
        await until(progress, lambda now: now.error)
        assert (progress.requested, progress.done) == (False, 3)
        pool.left = 10**6
        again = await coach.request(table)
        assert (again.requested, again.error, again.done) == (True, None, 3), "the page says that it continues"
        await until(again, lambda now: now.finished and store.coachings)
        assert [turn for _, turn in pool.given] == list(range(1, again.turns + 1))
        await coach.close()

    run(steps())


class UnreadableStore(MemoryStore):
    """A store that cannot be read while it is `unreadable`."""

    unreadable = False

    async def load_analysis(self, code: str) -> str | None:
        if self.unreadable:
            raise UnavailableError
        return await super().load_analysis(code)


@pytest.mark.parametrize("shared", [False, True])
def test_a_coach_that_cannot_read_the_store_says_so_and_can_be_asked_again(
    monkeypatch: pytest.MonkeyPatch, shared: bool
) -> None:
    monkeypatch.setattr(coach_module, "PROGRESS_POLL", 0.005)

    async def steps() -> None:
        store = UnreadableStore()
        (table,) = await ended(store, RECORDS[0])
        locked = {f"{table.code} coached"} if shared else set()
        coach = Coach(store, FakeSearchPool(), TwoProcessBus(locked))
        progress = await coach.request(table)
        store.unreadable = True
        await until(progress, lambda now: now.error)
        assert (progress.requested, progress.finished) == (False, False)
        assert progress.error == say("The coach gave up: something went wrong on the server. Try again later.")
        assert await coach.progress(table) is progress, "the page says it, too"
        store.unreadable = False
        locked.clear()
        again = await coach.request(table)
        assert (again.requested, again.error) == (True, None)
        await until(again, lambda now: now.finished)
        await coach.close()

    run(steps())


def test_a_coach_that_cannot_work_on_this_machine_is_not_asked_again() -> None:
    async def steps() -> None:
        store, pool = MemoryStore(), FakeSearchPool(CompileState.IMPOSSIBLE)
        (table,) = await ended(store, RECORDS[0])
        coach = Coach(store, pool)
        progress = await coach.request(table)
        await until(progress, lambda now: now.error)
        pool.now = CompileState.READY
        assert await coach.request(table) is progress
        assert (progress.requested, progress.error is None, coach._games.pending) == (True, False, 0)
        await coach.close()

    run(steps())


def test_a_running_game_is_not_analysed() -> None:
    async def steps() -> None:
        store = MemoryStore()
        (table,) = await ended(store, RECORDS[0])
        coach = Coach(store, FakeSearchPool())
        with pytest.raises(IllegalError):
            await coach.request(Table(table.code, []))
        await coach.close()

    run(steps())


def test_a_full_queue_takes_no_more_games_and_a_stopping_server_cancels_them() -> None:
    async def steps() -> None:
        store = MemoryStore()
        tables = await ended(store, *RECORDS[:1] * (MAX_PENDING_GAMES + 1))
        coach = Coach(store, FakeSearchPool(CompileState.COMPILING))
        asked = [await coach.request(table) for table in tables]
        assert [progress.requested for progress in asked] == [True] * MAX_PENDING_GAMES + [False]
        await coach.close()
        assert store.coachings == {}

    run(steps())


BUSY = say("The coach has too much to do just now; ask again in a few minutes.")
COACHING = made_up_analysis(RECORDS[0])


def no_limit() -> None:
    """A limit that is never reached."""


def other_move(turn: int) -> Action:
    """A move of a turn that is neither the one that was played nor the best."""
    judged = COACHING.judgements[turn - 1]
    return next(one for one in (Play(0), Discard(0), Play(1)) if str(one) not in (judged.played, judged.best))


def tried(coach: Coach, table: Table, turn: int, check_limit: Callable[[], None] = no_limit) -> TriedMove:
    return coach.try_move(table, turn, other_move(turn), COACHING, check_limit)


async def until_done(move: TriedMove) -> None:
    for _ in range(2000):
        if move.done:
            return
        await asyncio.sleep(0.005)
    raise AssertionError("waited 10 s for a tried move")


def test_a_tried_move_is_analysed_once_and_counted_once_against_the_limit() -> None:
    async def steps() -> None:
        store, pool, counted = MemoryStore(), FakeSearchPool(), list[int]()
        (table,) = await ended(store, RECORDS[0])
        coach = Coach(store, pool)
        found = tried(coach, table, 1, lambda: counted.append(1))
        await until_done(found)
        assert tried(coach, table, 1, lambda: counted.append(1)) is found
        assert (len(pool.given), counted) == (1, [1])
        await coach.close()

    run(steps())


def test_moves_that_the_analysis_contains_cost_nothing() -> None:
    def exceeded() -> None:
        raise TooOftenError

    async def steps() -> None:
        (table,) = await ended(MemoryStore(), RECORDS[0])
        coach = Coach(None, FakeSearchPool())
        judged = COACHING.judgements[0]
        for move in (judged.played, judged.best):
            action = next(one for one in table.past().view(0, 0).legal_actions if str(one) == move)
            assert coach.try_move(table, 1, action, COACHING, exceeded).analysis
        with pytest.raises(TooOftenError):
            tried(coach, table, 1, exceeded)
        assert coach._moves._jobs.pending == 0
        await coach.close()

    run(steps())


def test_pending_moves_leave_room_for_games_and_too_many_are_refused() -> None:
    async def steps() -> None:
        store = MemoryStore()
        tables = await ended(store, *RECORDS[:1] * MAX_PENDING_GAMES)
        coach = Coach(store, FakeSearchPool(CompileState.COMPILING))
        found = [tried(coach, tables[0], turn + 1) for turn in range(MAX_PENDING_MOVES + 1)]
        assert [(one.done, one.error) for one in found] == [(False, None)] * MAX_PENDING_MOVES + [(True, BUSY)]
        assert all([(await coach.request(table)).requested for table in tables])
        await coach.close()

    run(steps())


def test_pending_games_leave_room_for_moves() -> None:
    async def steps() -> None:
        store = MemoryStore()
        tables = await ended(store, *RECORDS[:1] * MAX_PENDING_GAMES)
        coach = Coach(store, FakeSearchPool(CompileState.COMPILING))
        for table in tables:
            await coach.request(table)
        assert tried(coach, tables[0], 1) == TriedMove()
        await coach.close()

    run(steps())


def test_one_move_is_analysed_at_a_time_so_that_games_get_every_other_turn() -> None:
    class Counting(FakeSearchPool):
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
        coach = Coach(store, pool)
        for found in [tried(coach, table, turn) for turn in range(1, 6)]:
            await until_done(found)
        assert (len(pool.given), pool.most_at_work) == (5, 1)
        await coach.close()

    run(steps())


def test_a_move_that_could_not_be_analysed_is_tried_again_at_the_next_request() -> None:
    async def steps() -> None:
        store, pool = MemoryStore(), FakeSearchPool(most=0)
        (table,) = await ended(store, RECORDS[0])
        coach = Coach(store, pool)
        await until_done(tried(coach, table, 1))
        assert tried(coach, table, 1) == TriedMove(True), "the failure is reported once"
        pool.left = 1
        again = tried(coach, table, 1)
        await until_done(again)
        assert again.analysis
        await coach.close()

    run(steps())
