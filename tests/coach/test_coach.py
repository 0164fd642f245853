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
from tamaya.coach.coach import WAITING, WAITING_MOVES, CoachingProgress, Coachings, Weighing
from tamaya.coach.solver import Reviews
from tamaya.review.analysis import read_coaching
from tamaya.rules import Action, Discard, Play, UnavailableError, say
from tamaya.table import Table
from tamaya.web.http.rate_limits import TooOftenError
from tamaya.workers.search_pool import Warmth
from tests.support.analyses import RECORDS, Pool, ended, imagined, made_up
from tests.support.fakes import run
from tests.support.memory_store import MemoryStore


async def until(progress: CoachingProgress, done: Callable[[CoachingProgress], object]) -> None:
    for _ in range(2000):
        if done(progress):
            return
        await asyncio.sleep(0.005)
    raise AssertionError("waited 10 s for the coach")


def test_a_game_is_judged_turn_by_turn_and_found_again_after_a_restart() -> None:
    async def steps() -> None:
        store = MemoryStore()
        (table,) = await ended(store, RECORDS[0])
        coachings = Coachings(store, Pool())
        progress = await coachings.of(table)
        assert (progress.begun, progress.done, progress.finished) == (True, 0, False)
        await until(progress, lambda now: now.done)
        assert await coachings.of(table) is progress
        await until(progress, lambda now: now.finished and store.coachings)
        assert progress.coaching.judgements == tuple(imagined(RECORDS[0]))
        assert read_coaching(store.coachings[table.code]) == progress.coaching
        await coachings.close()
        pool = Pool(most=0)
        again = await Coachings(store, pool).of(table)
        assert again.coaching == progress.coaching
        assert (again.begun, again.ready, again.finished, pool.wanted) == (True, True, True, 0)

    run(steps())


class OneOfTwo(LocalBus):
    """The bus of one of two processes; what one of them has claimed the other does not get."""

    shared = True

    def __init__(self, claimed: set[str]) -> None:
        super().__init__()
        self._claimed = claimed

    @asynccontextmanager
    async def claim(self, code: str) -> AsyncIterator[bool]:
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
        one, two = (Coachings(store, pool, OneOfTwo(claimed)) for pool in pools)
        first = await one.of(table)
        await until(first, lambda now: now.refused)
        assert (first.done, (await two.kept(table.code))) == (3, None), "what is not done is nobody's slip yet"
        second = await two.known(table)
        assert second.done == 3
        pools[0].left = 10**6
        followed = await one.of(table)
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
        coachings = Coachings(store, Pool(ended=True))
        progress = await coachings.of(table)
        await until(progress, lambda now: now.finished or now.refused)
        assert progress.refused is None
        await coachings.close()

    run(steps())


def test_what_an_older_version_kept_in_another_form_is_worked_out_anew() -> None:
    async def steps() -> None:
        store = MemoryStore()
        (table,) = await ended(store, RECORDS[0])
        await store.keep_coaching(table.code, '{"moves": []}')
        coachings = Coachings(store, Pool())
        progress = await coachings.of(table)
        await until(progress, lambda now: now.finished and read_coaching(store.coachings[table.code]))
        await coachings.close()

    run(steps())


@pytest.mark.parametrize("warmth", [Warmth.COLD, Warmth.WARMING])
def test_while_what_it_needs_is_being_compiled_it_says_so_and_nobody_waits(warmth: Warmth) -> None:
    async def steps() -> None:
        store, pool = MemoryStore(), Pool(warmth)
        tables = await ended(store, *RECORDS)
        coachings = Coachings(store, pool)
        waiting = [await coachings.of(table) for table in tables]
        await until(waiting[0], lambda now: pool.wanted)
        assert [(now.begun, now.ready, now.done) for now in waiting] == [(True, False, 0)] * 2
        pool.now = Warmth.READY
        for progress in waiting:
            await until(progress, lambda now: now.ready and now.finished)
        await coachings.close()

    run(steps())


@pytest.mark.parametrize("pool", [Pool(Warmth.NEVER), Pool(most=3)])
def test_a_coach_that_cannot_go_on_says_so_and_keeps_nothing(pool: Pool) -> None:
    async def steps() -> None:
        store = MemoryStore()
        (table,) = await ended(store, RECORDS[0])
        coachings = Coachings(store, pool)
        progress = await coachings.of(table)
        await until(progress, lambda now: now.refused)
        assert (progress.finished, store.coachings) == (False, {})
        await coachings.close()

    run(steps())


def test_a_coaching_that_gave_up_can_be_asked_for_again_and_goes_on_where_it_was() -> None:
    async def steps() -> None:
        store, pool = MemoryStore(), Pool(most=3)
        (table,) = await ended(store, RECORDS[0])
        coachings = Coachings(store, pool)
        progress = await coachings.of(table)
        await until(progress, lambda now: now.refused)
        assert (progress.begun, progress.done) == (False, 3)
        pool.left = 10**6
        again = await coachings.of(table)
        assert (again.begun, again.refused, again.done) == (True, None, 3), "the page says that it goes on"
        await until(again, lambda now: now.finished and store.coachings)
        assert [turn for _, turn in pool.given] == list(range(1, again.turns + 1))
        await coachings.close()

    run(steps())


class LostStore(MemoryStore):
    """A store that cannot be read while it is `lost`."""

    lost = False

    async def coaching(self, code: str) -> str | None:
        if self.lost:
            raise UnavailableError
        return await super().coaching(code)


@pytest.mark.parametrize("shared", [False, True])
def test_a_coach_that_cannot_read_the_store_says_so_and_can_be_asked_again(
    monkeypatch: pytest.MonkeyPatch, shared: bool
) -> None:
    monkeypatch.setattr(coachings_room, "LOOK_AGAIN", 0.005)

    async def steps() -> None:
        store = LostStore()
        (table,) = await ended(store, RECORDS[0])
        claimed = {f"{table.code} coached"} if shared else set()
        coachings = Coachings(store, Pool(), OneOfTwo(claimed))
        progress = await coachings.of(table)
        store.lost = True
        await until(progress, lambda now: now.refused)
        assert (progress.begun, progress.finished) == (False, False)
        assert progress.refused == say("The coach gave up: something went wrong on the server. Try again later.")
        assert await coachings.known(table) is progress, "the page says it, too"
        store.lost = False
        claimed.clear()
        again = await coachings.of(table)
        assert (again.begun, again.refused) == (True, None)
        await until(again, lambda now: now.finished)
        await coachings.close()

    run(steps())


def test_a_coach_that_cannot_work_here_at_all_is_not_asked_again() -> None:
    async def steps() -> None:
        store, pool = MemoryStore(), Pool(Warmth.NEVER)
        (table,) = await ended(store, RECORDS[0])
        coachings = Coachings(store, pool)
        progress = await coachings.of(table)
        await until(progress, lambda now: now.refused)
        pool.now = Warmth.READY
        assert await coachings.of(table) is progress
        assert (progress.begun, progress.refused is None, coachings._tasks) == (True, False, set())
        await coachings.close()

    run(steps())


def test_nothing_is_said_of_a_game_that_goes_on() -> None:
    async def steps() -> None:
        store = MemoryStore()
        (table,) = await ended(store, RECORDS[0])
        going, reviews = Table(table.code, []), Reviews(coachings=Coachings(store, Pool()))
        with pytest.raises(IllegalError):
            await reviews.coaching(going)
        await reviews.close()

    run(steps())


def test_a_coach_with_too_much_to_do_takes_no_more_and_a_server_that_stops_waits_for_none() -> None:
    async def steps() -> None:
        store = MemoryStore()
        tables = await ended(store, *RECORDS[:1] * (WAITING + 1))
        coachings = Coachings(store, Pool(Warmth.WARMING))
        asked = [await coachings.of(table) for table in tables]
        assert [progress.begun for progress in asked] == [True] * WAITING + [False]
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
