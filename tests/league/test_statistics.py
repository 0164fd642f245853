"""Totals are exact and add up in any order; statistics, and differences on the same deals, agree with the textbook formulas."""

from __future__ import annotations

import random
import statistics
from functools import reduce
from operator import add

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Game, Rules
from tamaya.league import InProcess, Match, MatchResult, Totals, difference, differences, play_matches
from tamaya.rules import Clue, Ending, LastMistake
from tests.tables import careful_action, do, game_with, moves_of_a_game, rules

one_game = st.builds(
    lambda score, lost, moves: Totals(tuple(int(score == place) for place in range(26)), int(lost), moves),
    st.integers(0, 25),
    st.booleans(),
    st.integers(1, 90),
)


def finished(table: Rules, seed: int) -> Game:
    game = Game(table, seed=seed)
    for _ in moves_of_a_game(game, random.Random(seed), careful_action):
        pass
    return game


@given(st.lists(one_game, min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_totals_are_the_same_in_any_order_and_grouping(games: list[Totals], chance: random.Random) -> None:
    plain = reduce(add, games)
    groups = list(games)
    while len(groups) > 1:
        one, other = (groups.pop(chance.randrange(len(groups))) for _ in range(2))
        groups.append(one + other)
    assert groups == [plain]
    assert plain.games == len(games)


@given(st.lists(st.integers(0, 25), min_size=2, max_size=60), st.integers(0, 60))
def test_figures_are_those_of_the_scores(scores: list[int], lost: int) -> None:
    histogram = tuple(scores.count(score) for score in range(26))
    figures = Totals(histogram, lost, 10 * len(scores)).statistics()
    assert figures.games == len(scores)
    assert figures.mean == pytest.approx(statistics.fmean(scores))
    assert figures.standard_error == pytest.approx(statistics.stdev(scores) / len(scores) ** 0.5)
    assert figures.perfect == scores.count(25) / len(scores)
    assert figures.lost == lost / len(scores)
    assert (figures.moves, figures.histogram) == (10, histogram)


def test_one_game_has_no_standard_error() -> None:
    assert Totals((0, 1)).statistics().standard_error is None


@given(rules(), st.integers(0, 2**32))
def test_a_game_counts_as_its_score(table: Rules, seed: int) -> None:
    game = finished(table, seed)
    end = game.outcome
    assert end is not None
    totals = Totals.of(game)
    worth = end.points if end.ending is Ending.WON else end.score or 0
    assert totals.histogram == tuple(int(score == worth) for score in range(table.maximum + 1))
    assert (totals.lost, totals.moves) == (end.ending.lost, game.turn)
    assert Totals.none(table) + totals == totals


def test_a_lost_game_may_keep_its_points_and_an_ended_one_may_have_none() -> None:
    kept = do(game_with(Rules(mistakes=1, last_mistake=LastMistake.POINTS), "R1 R3 R4 R4 R5"), "play 1", "play 1")
    assert Totals.of(kept) == Totals((0, 1, *(0,) * 24), lost=1, moves=2)
    idle = Game(Rules(), seed=1)
    while idle.to_move is not None:
        idle.act("discard 1" if idle.turn % 2 else next(a for a in idle.legal_actions() if isinstance(a, Clue)))
    assert Totals.of(idle) == Totals((1, *(0,) * 25), lost=0, moves=idle.turn)


def test_without_scores_a_won_game_is_perfect_and_a_lost_one_worth_nothing() -> None:
    table = Rules(colours=1, hand_size=4, all_or_nothing=True)
    ends = {Totals.of(finished(table, seed)).histogram for seed in range(60)}
    assert ends == {(1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1)}


scores = st.lists(st.tuples(st.integers(0, 25), st.integers(0, 25)), min_size=2, max_size=60)


def standing(bot: str, found: list[int], players: int = 2, seed: int = 0) -> MatchResult:
    match = Match(bot, Rules(players=players), seed, len(found))
    return MatchResult(match, Totals.none(match.rules), scores=bytes(found))


@given(scores)
def test_a_difference_has_the_statistics_of_the_gains(found: list[tuple[int, int]]) -> None:
    gains = [mine - theirs for mine, theirs in found]
    result = difference(*(standing("simple", list(side)) for side in zip(*found, strict=True)))
    error = statistics.stdev(gains) / len(gains) ** 0.5
    assert result.games == len(gains)
    assert result.mean == pytest.approx(statistics.fmean(gains))
    assert result.standard_error == pytest.approx(error)
    reach = statistics.NormalDist().inv_cdf(0.975) * error
    assert result.interval == pytest.approx((result.mean - reach, result.mean + reach), abs=1e-5)


def test_only_games_of_both_count_and_a_single_one_has_no_interval() -> None:
    result = difference(standing("simple", [9]), standing("random", [4, 25]))
    assert (result.games, result.mean, result.standard_error, result.interval) == (1, 5, None, None)
    assert result.row() == {
        "bot": "simple", "than": "random", "players": 2, "games": 1, "mean": 5, "stderr": None, "low": None, "high": None
    }  # fmt: skip


def test_every_team_is_compared_with_the_first_under_the_same_rules() -> None:
    names = ("simple", "random", "cheat")
    found = differences([standing(name, [place, 3], players) for players in (2, 3) for place, name in enumerate(names)])
    pairs = [(one.bot, one.other, one.rules.players) for one in found]
    assert pairs == [(name, "simple", players) for players in (2, 3) for name in ("random", "cheat")]
    assert [one.mean for one in found] == [0.5, 1, 0.5, 1]
    assert differences([standing("simple", [1], seed=seed) for seed in (0, 1)]) == []


@pytest.mark.slow
def test_scores_are_in_the_order_of_the_games() -> None:
    match = Match("random", Rules(players=4), 3, 30)
    one, other = play_matches([match, Match("cheat+random", Rules(players=4), 3, 30)], InProcess())
    assert [one.totals.histogram[score] for score in range(26)] == [one.scores.count(score) for score in range(26)]
    assert difference(other, one).mean == pytest.approx(other.statistics.mean - one.statistics.mean)
