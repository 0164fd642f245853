"""A run is cut into chunks that hold every game once."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Rules, TamayaError
from tamaya.league import CHUNK, Run, chunks_of


@given(st.integers(1, 2000))
def test_every_game_is_in_one_chunk_in_order(games: int) -> None:
    chunks = list(Run("simple", Rules(), 0, games).chunks())
    assert [number for chunk in chunks for number in chunk.numbers] == list(range(games))
    assert all(1 <= len(chunk.numbers) <= CHUNK for chunk in chunks)


@given(st.lists(st.integers(1, 100), min_size=1, max_size=4))
def test_chunks_of_several_runs_are_those_of_each(sizes: list[int]) -> None:
    runs = [Run("simple", Rules(), seed, games) for seed, games in enumerate(sizes)]
    found = list(chunks_of(runs))
    assert found == [chunk for run in runs for chunk in run.chunks()]


def test_a_long_run_is_cut_as_it_is_played() -> None:
    chunks = Run("simple", Rules(), 0, 10**12).chunks()
    assert [next(chunks).first for _ in range(3)] == [0, CHUNK, 2 * CHUNK]


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"bot": "deep"}, "unknown_bot"),
        ({"games": 0}, "bad_games"),
        ({"games": 10**12 + 1}, "bad_games"),
        ({"games": True}, "bad_games"),
        ({"seed": -1}, "bad_seed"),
        ({"seed": 1 << 64}, "bad_seed"),
    ],
)
def test_a_run_that_cannot_be_played_is_refused(wrong: dict[str, Any], code: str) -> None:
    wishes = {"bot": "simple", "rules": Rules(), "seed": 0, "games": 1}
    Run(**wishes)  # type: ignore[arg-type]
    with pytest.raises(TamayaError) as caught:
        Run(**{**wishes, **wrong})
    assert caught.value.code == code
