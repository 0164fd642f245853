"""A player's points over time, as a small plot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tamaya.rules import VALUES, Message, say, say_n
from tamaya.table import GameStats, Period

WIDTH, HEIGHT = 1000, 300
"""The plot's own units; the page stretches it."""
MARGIN = 12
LINE_SPACING = max(VALUES)
"""One firework."""
MIN_LINES = 5
MEAN_WINDOW = 20
"""Games in the running mean."""
MIN_DOTS = 2
"""Fewer dots make no plot."""


@dataclass(frozen=True, slots=True)
class ScorePlot:
    """The plot as paths: dots, bars from the lowest to the highest game of a period, grid lines and the running mean; with
    labels, and a description for screen readers."""

    dots: str
    bars: str
    lines: str
    mean: str
    heights: tuple[int, ...]
    first: float
    last: float
    words: Message
    legend: tuple[Message, ...]


def score_plot(summary: GameStats) -> ScorePlot | None:
    """The plot of a player's statistics, or None with too few games."""
    stretches = summary.stretches
    if len(stretches) < MIN_DOTS:
        return None
    top = max(MIN_LINES, -(-max(one.most for one in stretches) // LINE_SPACING)) * LINE_SPACING
    places = [MARGIN + place * (WIDTH - 2 * MARGIN) / (len(stretches) - 1) for place in range(len(stretches))]
    means = list(running_means(stretches))
    heights = tuple(range(top, -1, -LINE_SPACING))

    def at(points: float) -> str:
        return f"{HEIGHT - points / top * HEIGHT:.0f}"

    return ScorePlot(
        dots="".join(f"M{x:.0f} {at(one.points / one.games)}h0" for x, one in zip(places, stretches, strict=True)),
        bars="".join(
            f"M{x:.0f} {at(one.least)}V{at(one.most)}" for x, one in zip(places, stretches, strict=True) if one.least < one.most
        ),
        lines="".join(f"M0 {at(points)}H{WIDTH}" for points in heights),
        mean="M" + "L".join(f"{x:.0f} {at(points)}" for x, points in zip(places, means, strict=True)),
        heights=heights,
        first=stretches[0].begins,
        last=stretches[-1].begins,
        words=_words(summary, means),
        legend=tuple(_legend(summary.days)),
    )


def running_means(stretches: Sequence[Period]) -> Iterator[float]:
    """After each period, the mean points of the last `MEAN_WINDOW` games or more."""
    for place in range(len(stretches)):
        games = points = 0
        for one in reversed(stretches[: place + 1]):
            games, points = games + one.games, points + one.points
            if games >= MEAN_WINDOW:
                break
        yield points / games


def _words(summary: GameStats, means: Sequence[float]) -> Message:
    return say_n(
        "The points of {n} game over time; the average went from {first} to {last}.",
        "The points of {n} games over time; the average went from {first} to {last}.",
        summary.total.games,
        first=round(means[0]),
        last=round(means[-1]),
    )


def _legend(days: int) -> Iterator[Message]:
    if not days:
        yield say("Each dot is a game.")
        yield say_n("The line is the average of the last game.", "The line is the average of the last {n} games.", MEAN_WINDOW)
        return
    yield say_n(
        "Each dot is the average of a day; its bar goes from the worst to the best game.",
        "Each dot is the average of {n} days; its bar goes from the worst to the best game.",
        days,
    )
    yield say_n(
        "The line is the average of at least the last game.",
        "The line is the average of at least the last {n} games.",
        MEAN_WINDOW,
    )
