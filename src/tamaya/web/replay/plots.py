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
    """The lines of a plot, by turn from 0 on, and the slips to mark. `expected` is what each position was worth, as far as the
    coach has worked that out; then the slips are those that it names, and `blunders` are the turns of the worst."""

    top: int
    points: tuple[int, ...]
    best: tuple[int, ...]
    slips: tuple[FactSentence, ...]
    expected: tuple[float, ...] = ()
    blunders: frozenset[int] = frozenset()

    @property
    def turns(self) -> int:
        """The last turn that is shown."""
        return len(self.points) - 1


def game_plot(facts: GameFacts, reader: int | None = None) -> Plot:
    """The plot of a game, as far as the facts go."""
    points = tuple(standing.points for standing in facts.turns)
    best = tuple(standing.maximum for standing in facts.turns)
    wrong = {play.turn for play in facts.mistakes} | {loss.turn for loss in facts.losses}
    return Plot(facts.rules.maximum, points, best, tuple(slip for slip in slips(facts, reader) if slip.turn in wrong))


def analysis_plot(plot: Plot, coaching: GameAnalysis, names: Sequence[str], reader: int | None = None) -> Plot:
    """The plot with what the coach found out, which may be nothing yet."""
    if not coaching.judgements:
        return plot
    worst = frozenset(one.turn for one in coaching.judgements if one.verdict is MoveGrade.BLUNDER)
    return replace(plot, expected=coaching.expected, slips=flagged(coaching, names, reader), blunders=worst)


WIDTH, HEIGHT = 360, 136
LEFT, RIGHT, TOP, BOTTOM = 24, 350, 10, 114
"""Where the lines begin and end."""
MIN_TURNS = 20
"""A plot has room for so many turns at least, so that the first ones are not drawn as wide as the page."""
TAP_WIDTH = 44
"""How wide the place is at most that takes a tap on a dot."""

UNIT = 10
"""How wide a turn is in a picture that is stretched, and how high a point."""

PlotScale = Callable[[int], float]
"""Where a turn is, from the left or from above."""
TurnLink = Callable[[int], str]
"""The address of a turn."""


@dataclass(frozen=True, slots=True)
class AxisLabel:
    """A number beside a plot, points or a turn, and where it stands."""

    number: int
    at: float


@dataclass(frozen=True, slots=True)
class Dot:
    """A slip on the plot, of which `kind` it is, the place around it that takes a tap, and what a screen reader says of it."""

    kind: str
    x: float
    y: float
    left: float
    width: float
    href: str
    words: str


@dataclass(frozen=True, slots=True)
class FactsPlot:
    """The plot of a game: the lines of its points, of the best still possible and, if it is known, of the score to be expected,
    where the reader stands, and the slips."""

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
    """The plot as a picture; it depends on no turn that is not in it."""
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
    """A line that goes up or down when a turn is over."""
    for place in range(1, len(places)):
        (_, before), (x, y) = places[place - 1], places[place]
        if y != before:
            yield f"H{x}V{y}"
    yield f"H{places[-1][0]}"


def _dots(plot: Plot, x: PlotScale, y: PlotScale, room: tuple[float, float], link: TurnLink, speak: Catalogue) -> Iterator[Dot]:
    """The dots; those close to each other share the room for taps. `room` is how wide the picture is and a tap on a dot."""
    turns, (width, target) = [slip.turn for slip in plot.slips if slip.turn is not None], room
    for place, (turn, slip) in enumerate(zip(turns, plot.slips, strict=True)):
        middle = x(turn)
        left = max(middle - target / 2, (x(turns[place - 1]) + middle) / 2 if place else 0)
        right = min(middle + target / 2, (x(turns[place + 1]) + middle) / 2 if place + 1 < len(turns) else width)
        kind = "blunder" if turn in plot.blunders else "slip"
        yield Dot(kind, middle, y(turn), round(left, 1), round(right - left, 1), link(turn), speak.text(slip.words))


@dataclass(frozen=True, slots=True)
class ValueStrip:
    """The line of what was to be expected, low above the slider of a replay: `expected` and `best` in a picture of `size` that
    is stretched, the slips in percent of it, and where the reader stands."""

    size: tuple[int, int]
    expected: str
    best: str
    here: float
    dots: tuple[Dot, ...]


def lay_out_strip(plot: Plot, turn: int, link: TurnLink, speak: Catalogue) -> ValueStrip | None:
    """The line of what was to be expected as a low picture as wide as the slider; nothing where it is not known yet."""
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
    """A line from place to place."""
    return "".join(f"{'L' if place else 'M'}{x} {y}" for place, (x, y) in enumerate(places))
