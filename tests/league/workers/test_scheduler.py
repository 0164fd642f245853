"""However workers are lost and whoever is first, each chunk counts once and none is begun far ahead of the others."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Rules
from tamaya.league import CHUNK, Chunk, ChunkResult, LeagueError, Run, Totals
from tamaya.league.workers import Work
from tamaya.league.workers.scheduler import ATTEMPTS, LEAD, dispatch


class FakeCrew:
    """Workers without work, who end in any order and are lost as often as they are told."""

    def __init__(self, width: int, chance: random.Random, losses: dict[int, int]) -> None:
        self._width, self._chance, self._losses = width, chance, losses
        self.begun: list[int] = []
        self.underway: dict[int, Chunk] = {}
        self.slow: int | None = None

    def width(self) -> int:
        return self._width

    def begin(self, work: Work, chunk: Chunk) -> int:
        self.begun.append(chunk.first // CHUNK)
        self.underway[len(self.begun)] = chunk
        assert len(self.underway) <= self._width
        return len(self.begun)

    def ended(self, tickets: Iterable[int]) -> Iterable[int]:
        known = sorted(tickets)
        assert known == sorted(self.underway)
        ready = [ticket for ticket in known if self.underway[ticket].first != self.slow] or known
        return self._chance.sample(ready, self._chance.randint(1, len(ready)))

    def answer(self, ticket: int) -> ChunkResult | None:
        chunk = self.underway.pop(ticket)
        place = chunk.first // CHUNK
        if self._losses.get(place, 0) > 0:
            self._losses[place] -= 1
            return None
        return ChunkResult(Totals((0,), chunk.first), 1)


def work(chunk: Chunk) -> ChunkResult:
    raise AssertionError("the crew works by itself")


def run_of(chunks: int) -> Run:
    return Run("simple", Rules(), 0, chunks * CHUNK)


@given(
    st.integers(1, 40), st.integers(1, 7), st.randoms(use_true_random=False), st.dictionaries(st.integers(0, 39), st.just(2))
)
def test_every_chunk_is_counted_once_with_its_own_result(
    chunks: int, width: int, chance: random.Random, losses: dict[int, int]
) -> None:
    crew = FakeCrew(width, chance, dict(losses))
    results = list(dispatch(crew, work, run_of(chunks).chunks()))
    assert sorted(done.place for done in results) == list(range(chunks))
    assert all(done.chunk.first == done.place * CHUNK == done.played.totals.lost for done in results)
    assert Counter(crew.begun) == {place: 1 + losses.get(place, 0) for place in range(chunks)}


def test_a_chunk_that_loses_its_worker_every_time_is_given_up() -> None:
    crew = FakeCrew(2, random.Random(1), {3: ATTEMPTS})
    with pytest.raises(LeagueError, match="games 60 to 79 of seed 0 with the bot simple was lost 3 times"):
        list(dispatch(crew, work, run_of(9).chunks()))
    assert crew.begun.count(3) == ATTEMPTS


def test_chunks_are_taken_as_they_are_needed() -> None:
    results = dispatch(FakeCrew(3, random.Random(1), {}), work, run_of(10**9).chunks())
    assert len([next(results) for _ in range(5)]) == 5


def test_nothing_is_begun_far_ahead_of_a_chunk_that_takes_long() -> None:
    crew = FakeCrew(2, random.Random(1), {})
    crew.slow = 0
    places = [done.place for done in dispatch(crew, work, run_of(3 * LEAD).chunks())]
    assert places.index(0) == 2 * LEAD - 1
    assert sorted(places) == list(range(3 * LEAD))
