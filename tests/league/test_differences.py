"""Differences are taken game by game on the same deals, and their figures are those of statistics books."""

from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Rules
from tamaya.league import Here, Run, Standing, Totals, difference, differences, play_runs

scores = st.lists(st.tuples(st.integers(0, 25), st.integers(0, 25)), min_size=2, max_size=60)


def standing(bot: str, found: list[int], players: int = 2, seed: int = 0) -> Standing:
    run = Run(bot, Rules(players=players), seed, len(found))
    return Standing(run, Totals.none(run.rules), scores=bytes(found))


@given(scores)
def test_the_figures_are_those_of_the_gains(found: list[tuple[int, int]]) -> None:
    gains = [mine - theirs for mine, theirs in found]
    result = difference(*(standing("simple", list(side)) for side in zip(*found, strict=True)))
    error = statistics.stdev(gains) / len(gains) ** 0.5
    assert result.games == len(gains)
    assert result.mean == pytest.approx(statistics.fmean(gains))
    assert result.standard_error == pytest.approx(error)
    reach = statistics.NormalDist().inv_cdf(0.975) * error
    assert result.interval == pytest.approx((result.mean - reach, result.mean + reach), abs=1e-5)


def test_only_games_that_both_have_played_count_and_one_alone_has_no_interval() -> None:
    result = difference(standing("simple", [9]), standing("random", [4, 25]))
    assert (result.games, result.mean, result.standard_error, result.interval) == (1, 5, None, None)
    assert result.row() == {
        "bot": "simple", "than": "random", "players": 2, "games": 1, "mean": 5, "stderr": None, "low": None, "high": None
    }  # fmt: skip


def test_everybody_is_compared_with_the_first_at_the_same_number_of_players() -> None:
    names = ("simple", "random", "cheat")
    found = differences([standing(name, [place, 3], players) for players in (2, 3) for place, name in enumerate(names)])
    pairs = [(one.bot, one.other, one.rules.players) for one in found]
    assert pairs == [(name, "simple", players) for players in (2, 3) for name in ("random", "cheat")]
    assert [one.mean for one in found] == [0.5, 1, 0.5, 1]
    assert differences([standing("simple", [1], seed=seed) for seed in (0, 1)]) == []


@pytest.mark.slow
def test_scores_are_those_of_the_games_in_their_order() -> None:
    run = Run("random", Rules(players=4), 3, 30)
    one, other = play_runs([run, Run("cheat+random", Rules(players=4), 3, 30)], Here())
    assert [one.totals.histogram[score] for score in range(26)] == [one.scores.count(score) for score in range(26)]
    assert difference(other, one).mean == pytest.approx(other.statistics.mean - one.statistics.mean)
