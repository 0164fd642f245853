"""The plot of a game as lines of a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tamaya.i18n import Catalogue
from tamaya.review import Finding, Plot

WIDTH, HEIGHT = 360, 136
LEFT, RIGHT, TOP, BOTTOM = 24, 350, 10, 114
"""Where the lines begin and end."""
FEWEST = 20
"""A plot has room for so many turns at least, so that the first ones are not drawn as wide as the page."""
TARGET = 44
"""How wide the place is at most that takes a tap on a dot."""

Link = Callable[[int], str]
"""The address of a turn."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A number beside a plot, points or a turn, and where it stands."""

    number: int
    at: float


@dataclass(frozen=True, slots=True)
class Dot:
    """A slip on the plot, the place around it that takes a tap, and what a screen reader says of it."""

    x: float
    y: float
    left: float
    width: float
    href: str
    words: str


@dataclass(frozen=True, slots=True)
class FactsPlot:
    """The plot of a game: the lines of its points and of the best still possible, where the reader stands, and the slips."""

    points: str
    best: str
    ground: str
    here: float | None
    heights: tuple[Tick, ...]
    turns: tuple[Tick, ...]
    dots: tuple[Dot, ...]
    size: tuple[int, int] = (WIDTH, HEIGHT)
    frame: tuple[int, int, int, int] = (LEFT, TOP, RIGHT, BOTTOM)


def lay_out(plot: Plot, turn: int | None, link: Link, speak: Catalogue) -> FactsPlot:
    """The plot as a picture; it depends on no turn that is not in it."""
    span = max(plot.turns, FEWEST)

    def x(turn: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * turn / span, 1)

    def y(points: int) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * points / plot.top, 1)

    def line(values: Sequence[int]) -> str:
        return f"M{x(0)} {y(values[0])}" + "".join(_steps([(x(turn), y(value)) for turn, value in enumerate(values)]))

    every = 10 if span <= 60 else 20
    return FactsPlot(
        points=line(plot.points),
        best=line(plot.best),
        ground=f"{line(plot.points)}V{BOTTOM}H{LEFT}Z",
        here=None if turn is None else x(turn),
        heights=tuple(Tick(points, y(points)) for points in range(0, plot.top + 1, 5)),
        turns=tuple(Tick(turn, x(turn)) for turn in range(every, span + 1, every)),
        dots=tuple(_dots(plot.slips, x, lambda turn: y(plot.points[turn]), link, speak)),
    )


def _steps(places: Sequence[tuple[float, float]]) -> Iterator[str]:
    """A line that goes up or down when a turn is over."""
    for place in range(1, len(places)):
        (_, before), (x, y) = places[place - 1], places[place]
        if y != before:
            yield f"H{x}V{y}"
    yield f"H{places[-1][0]}"


def _dots(
    slips: Sequence[Finding], x: Callable[[int], float], y: Callable[[int], float], link: Link, speak: Catalogue
) -> Iterator[Dot]:
    """The dots; those close to each other share the room for taps."""
    turns = [slip.turn for slip in slips if slip.turn is not None]
    for place, (turn, slip) in enumerate(zip(turns, slips, strict=True)):
        middle = x(turn)
        left = max(middle - TARGET / 2, (x(turns[place - 1]) + middle) / 2 if place else 0)
        right = min(middle + TARGET / 2, (x(turns[place + 1]) + middle) / 2 if place + 1 < len(turns) else WIDTH)
        yield Dot(middle, y(turn), round(left, 1), round(right - left, 1), link(turn), speak.text(slip.words))
