"""The plot of a player's points: every dot is where it belongs, whatever the games."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tamaya.table import GameCount, GameStats, Period
from tamaya.web.games.score_plot import HEIGHT, MEAN_WINDOW, WIDTH, running_means, score_plot


@st.composite
def stretches(draw: st.DrawFn) -> Period:
    """Some games of a period."""
    scores = draw(st.lists(st.integers(0, 30), min_size=1, max_size=draw(st.sampled_from((1, 3, 60)))))
    return Period(draw(st.floats(0, 2e9)), len(scores), sum(scores), min(scores), max(scores))


def summary(*found: Period, days: int = 7) -> GameStats:
    games = GameCount(sum(one.games for one in found), sum(one.points for one in found))
    return GameStats(len(found), {"standard": games}, stretches=found, days=days)


def places(path: str) -> list[tuple[int, int]]:
    """The start points of a path."""
    return [(int(x), int(y)) for x, y in re.findall(r"[ML](-?\d+) (-?\d+)", path)]


@given(st.lists(stretches(), min_size=2, max_size=120))
def test_dots_go_from_left_to_right_and_as_high_as_their_games(found: list[Period]) -> None:
    plot = score_plot(summary(*found))
    assert plot
    top = plot.heights[0]
    assert top >= max(25, *(one.most for one in found))
    assert (plot.heights[-1], top % 5) == (0, 0)
    dots = places(plot.dots)
    assert [x for x, _ in dots] == sorted(x for x, _ in dots)
    assert [y for _, y in dots] == [round(HEIGHT - one.points / one.games / top * HEIGHT) for one in found]
    for x, y in (*dots, *places(plot.bars), *places(plot.mean)):
        assert 0 <= x <= WIDTH
        assert 0 <= y <= HEIGHT
    assert plot.bars.count("V") == sum(one.least < one.most for one in found)


@given(st.lists(st.integers(0, 30), min_size=1, max_size=70))
def test_with_single_games_the_line_is_the_mean_of_the_last_ones(scores: list[int]) -> None:
    single = [Period(place, 1, score, score, score) for place, score in enumerate(scores)]
    last = (scores[max(0, place + 1 - MEAN_WINDOW) : place + 1] for place in range(len(scores)))
    assert list(running_means(single)) == [sum(some) / len(some) for some in last]


@given(st.lists(stretches(), min_size=1, max_size=40))
def test_with_grouped_games_the_line_looks_back_on_enough_of_them(found: list[Period]) -> None:
    for place, mean in enumerate(running_means(found)):
        back = [found[start : place + 1] for start in range(place, -1, -1)]
        enough = next((some for some in back if sum(one.games for one in some) >= MEAN_WINDOW), back[-1])
        assert mean == sum(one.points for one in enough) / sum(one.games for one in enough)


def test_a_single_game_makes_no_plot() -> None:
    assert score_plot(summary()) is None
    assert score_plot(summary(Period(0.0, 1, 20, 20, 20), days=0)) is None
