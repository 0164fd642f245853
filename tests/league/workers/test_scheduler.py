"""Each chunk counts once whichever workers are lost or finish first, and none starts far ahead of the others."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Rules
from tamaya.league import CHUNK, Chunk, ChunkResult, LeagueError, Match, Totals
from tamaya.league.workers import Work
from tamaya.league.workers.scheduler import ATTEMPTS, MAX_AHEAD, schedule


class FakePool:
    """Workers that do nothing, end in any order and are lost as often as configured."""

    def __init__(self, width: int, chance: random.Random, losses: dict[int, int]) -> None:
        self._width, self._chance, self._losses = width, chance, losses
        self.started: list[int] = []
        self.running: dict[int, Chunk] = {}
        self.slow: int | None = None

    def width(self) -> int:
        return self._width

    def submit(self, work: Work, chunk: Chunk) -> int:
        self.started.append(chunk.first // CHUNK)
        self.running[len(self.started)] = chunk
        assert len(self.running) <= self._width
        return len(self.started)

    def wait(self, tickets: Iterable[int]) -> Iterable[int]:
        known = sorted(tickets)
        assert known == sorted(self.running)
        ready = [ticket for ticket in known if self.running[ticket].first != self.slow] or known
        return self._chance.sample(ready, self._chance.randint(1, len(ready)))

    def result(self, ticket: int) -> ChunkResult | None:
        chunk = self.running.pop(ticket)
        place = chunk.first // CHUNK
        if self._losses.get(place, 0) > 0:
            self._losses[place] -= 1
            return None
        return ChunkResult(Totals((0,), chunk.first), 1)


def work(chunk: Chunk) -> ChunkResult:
    raise AssertionError("the pool works by itself")


def match_of(chunks: int) -> Match:
    return Match("simple", Rules(), 0, chunks * CHUNK)


@given(
    st.integers(1, 40), st.integers(1, 7), st.randoms(use_true_random=False), st.dictionaries(st.integers(0, 39), st.just(2))
)
def test_every_chunk_is_counted_once_with_its_own_result(
    chunks: int, width: int, chance: random.Random, losses: dict[int, int]
) -> None:
    pool = FakePool(width, chance, dict(losses))
    results = list(schedule(pool, work, match_of(chunks).chunks()))
    assert sorted(done.number for done in results) == list(range(chunks))
    assert all(done.chunk.first == done.number * CHUNK == done.result.totals.lost for done in results)
    assert Counter(pool.started) == {place: 1 + losses.get(place, 0) for place in range(chunks)}


def test_a_chunk_that_always_loses_its_worker_is_given_up() -> None:
    pool = FakePool(2, random.Random(1), {3: ATTEMPTS})
    with pytest.raises(LeagueError, match="games 60 to 79 of seed 0 with the bot simple was lost 3 times"):
        list(schedule(pool, work, match_of(9).chunks()))
    assert pool.started.count(3) == ATTEMPTS


def test_chunks_are_taken_lazily() -> None:
    results = schedule(FakePool(3, random.Random(1), {}), work, match_of(10**9).chunks())
    assert len([next(results) for _ in range(5)]) == 5


def test_no_chunk_starts_far_ahead_of_a_slow_one() -> None:
    pool = FakePool(2, random.Random(1), {})
    pool.slow = 0
    places = [done.number for done in schedule(pool, work, match_of(3 * MAX_AHEAD).chunks())]
    assert places.index(0) == 2 * MAX_AHEAD - 1
    assert sorted(places) == list(range(3 * MAX_AHEAD))
