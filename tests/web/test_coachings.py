"""The coach behind a server: asked once about each game that is over, in the background, and remembered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from tamaya import IllegalError
from tamaya.bus import LocalBus
from tamaya.coach import coach as coachings_room
from tamaya.coach.coach import WAITING, CoachingProgress, Coachings
from tamaya.coach.solver import Reviews
from tamaya.review.analysis import read_coaching
from tamaya.rules import UnavailableError, say
from tamaya.table import Table
from tamaya.workers.search_pool import Warmth
from tests.review.coached import imagined
from tests.table.fakes import run
from tests.table.memory_store import MemoryStore
from tests.web.coaches import RECORDS, Pool, ended


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
