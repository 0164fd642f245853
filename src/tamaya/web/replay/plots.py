"""The plot of a game: its data, turn by turn, and its geometry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from tamaya.i18n import Catalogue
from tamaya.review.analysis import GameAnalysis, MoveGrade
from tamaya.review.analysis_sentences import flagged
from tamaya.review.fact_sentences import FactSentence, slips
from tamaya.review.facts import GameFacts


@dataclass(frozen=True, slots=True)
class Plot:
    """The values by turn from 0 on, and the slips to mark. `expected` are the coach's position values, as far as known; with
    them, the slips are the coach's and `blunders` the turns of the worst."""

    top: int
    points: tuple[int, ...]
    best: tuple[int, ...]
    slips: tuple[FactSentence, ...]
    expected: tuple[float, ...] = ()
    blunders: frozenset[int] = frozenset()

    @property
    def turns(self) -> int:
        """The last turn shown."""
        return len(self.points) - 1


def game_plot(facts: GameFacts, reader: int | None = None) -> Plot:
    """The plot of the facts of a game."""
    points = tuple(standing.points for standing in facts.turns)
    best = tuple(standing.maximum for standing in facts.turns)
    wrong = {play.turn for play in facts.mistakes} | {loss.turn for loss in facts.losses}
    return Plot(facts.rules.maximum, points, best, tuple(slip for slip in slips(facts, reader) if slip.turn in wrong))


def analysis_plot(plot: Plot, coaching: GameAnalysis, names: Sequence[str], reader: int | None = None) -> Plot:
    """The plot with the coach's analysis added, as far as there is one."""
    if not coaching.judgements:
        return plot
    worst = frozenset(one.turn for one in coaching.judgements if one.verdict is MoveGrade.BLUNDER)
    return replace(plot, expected=coaching.expected, slips=flagged(coaching, names, reader), blunders=worst)


WIDTH, HEIGHT = 360, 136
LEFT, RIGHT, TOP, BOTTOM = 24, 350, 10, 114
"""The frame of the lines."""
MIN_TURNS = 20
"""A plot is at least this many turns wide, so that the first ones do not fill the page."""
TAP_WIDTH = 44
"""The widest tap target around a dot."""

UNIT = 10
"""Width of a turn, and height of a point, in a stretched picture."""

PlotScale = Callable[[int], float]
"""The x of a turn, or the y."""
TurnLink = Callable[[int], str]
"""The address of a turn."""


@dataclass(frozen=True, slots=True)
class AxisLabel:
    """A number beside an axis."""

    number: int
    at: float


@dataclass(frozen=True, slots=True)
class Dot:
    """A slip on the plot, its tap target, and its sentence for screen readers."""

    kind: str
    x: float
    y: float
    left: float
    width: float
    href: str
    words: str


@dataclass(frozen=True, slots=True)
class FactsPlot:
    """The plot of a game as paths: points, the best still possible, expected scores if known, the current turn, and the
    slips."""

    points: str
    best: str
    expected: str
    ground: str
    here: float | None
    heights: tuple[AxisLabel, ...]
    turns: tuple[AxisLabel, ...]
    dots: tuple[Dot, ...]
    size: tuple[int, int] = (WIDTH, HEIGHT)
    frame: tuple[int, int, int, int] = (LEFT, TOP, RIGHT, BOTTOM)


def lay_out_plot(plot: Plot, turn: int | None, link: TurnLink, speak: Catalogue) -> FactsPlot:
    """The geometry of a plot; it depends only on turns in the plot."""
    span = max(plot.turns, MIN_TURNS)

    def x(turn: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * turn / span, 1)

    def y(points: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * points / plot.top, 1)

    def line(values: Sequence[int]) -> str:
        return f"M{x(0)} {y(values[0])}" + "".join(_steps([(x(turn), y(value)) for turn, value in enumerate(values)]))

    heights = [*plot.expected, *plot.points[len(plot.expected) :]]
    every = 10 if span <= 60 else 20
    return FactsPlot(
        points=line(plot.points),
        best=line(plot.best),
        expected=_straight([(x(turn), y(value)) for turn, value in enumerate(plot.expected)]),
        ground=f"{line(plot.points)}V{BOTTOM}H{LEFT}Z",
        here=None if turn is None else x(turn),
        heights=tuple(AxisLabel(points, y(points)) for points in range(0, plot.top + 1, 5)),
        turns=tuple(AxisLabel(turn, x(turn)) for turn in range(every, span + 1, every)),
        dots=tuple(_dots(plot, x, lambda turn: y(heights[turn]), (WIDTH, TAP_WIDTH), link, speak)),
    )


def _steps(places: Sequence[tuple[float, float]]) -> Iterator[str]:
    """A line that steps up or down after a turn."""
    for place in range(1, len(places)):
        (_, before), (x, y) = places[place - 1], places[place]
        if y != before:
            yield f"H{x}V{y}"
    yield f"H{places[-1][0]}"


def _dots(plot: Plot, x: PlotScale, y: PlotScale, room: tuple[float, float], link: TurnLink, speak: Catalogue) -> Iterator[Dot]:
    """The dots; neighbours share the room for taps. `room` is the width of the picture and of a tap target."""
    turns, (width, target) = [slip.turn for slip in plot.slips if slip.turn is not None], room
    for place, (turn, slip) in enumerate(zip(turns, plot.slips, strict=True)):
        middle = x(turn)
        left = max(middle - target / 2, (x(turns[place - 1]) + middle) / 2 if place else 0)
        right = min(middle + target / 2, (x(turns[place + 1]) + middle) / 2 if place + 1 < len(turns) else width)
        kind = "blunder" if turn in plot.blunders else "slip"
        yield Dot(kind, middle, y(turn), round(left, 1), round(right - left, 1), link(turn), speak.text(slip.words))


@dataclass(frozen=True, slots=True)
class ValueStrip:
    """The line of expected scores above the slider: `expected` and `best` in a stretched picture of `size`, dots and the
    current turn in percent of it."""

    size: tuple[int, int]
    expected: str
    best: str
    here: float
    dots: tuple[Dot, ...]


def lay_out_strip(plot: Plot, turn: int, link: TurnLink, speak: Catalogue) -> ValueStrip | None:
    """The geometry of the strip above the slider; None without expected scores."""
    if not plot.expected or not plot.turns:
        return None
    lowest = max(0, int(min(plot.expected)) - 2)
    size = plot.turns * UNIT, (plot.top - lowest) * UNIT
    heights = [*plot.expected, *plot.points[len(plot.expected) :]]

    def percent(turn: int) -> float:
        return round(100 * turn / plot.turns, 2)

    def down(points: float) -> float:
        return round((plot.top - max(points, lowest)) * UNIT, 1)

    best = f"M0 {down(plot.best[0])}" + "".join(_steps([(turn * UNIT, down(most)) for turn, most in enumerate(plot.best)]))
    return ValueStrip(
        size=size,
        expected=_straight([(turn * UNIT, down(value)) for turn, value in enumerate(plot.expected)]),
        best=best,
        here=percent(turn),
        dots=tuple(_dots(plot, percent, lambda turn: round(100 * down(heights[turn]) / size[1], 1), (100, 12), link, speak)),
    )


def _straight(places: Sequence[tuple[float, float]]) -> str:
    """A line from point to point."""
    return "".join(f"{'L' if place else 'M'}{x} {y}" for place, (x, y) in enumerate(places))
