"""The pictures of the page, drawn once as SVG symbols: shapes of the colours, a firework for each height, players' signs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import cos, pi, sin

from markupsafe import Markup

from tamaya.web import signs

SHAPES = {
    "red": '<circle cx="12" cy="12" r="9"/>',
    "yellow": '<path d="M12 2l2.9 6.6 7.1.7-5.4 4.7 1.6 7L12 17.3 5.8 21l1.6-7L2 9.3l7.1-.7z"/>',
    "green": '<path d="M12 3l10 18H2z"/>',
    "white": '<path d="M8.5 2.5h7v6h6v7h-6v6h-7v-6h-6v-7h6z"/>',
    "blue": '<path d="M12 1.5L20.5 12 12 22.5 3.5 12z"/>',
}
PAINTS = {"red": "#ff5a5f", "yellow": "#ffd23f", "green": "#3ddc84", "blue": "#4dabff", "white": "#f4f1ea"}
"""The colours of the suits in pictures; pages have them in ``base.css``."""
RAINBOW = tuple(PAINTS)
RINGS = ((7, 9, 15), (10, 18, 24), (14, 26, 32), (18, 33, 39), (22, 40, 46))
"""The rays of each ring: how many, where they begin and where they end, from the middle outwards."""


@cache
def sprite() -> Markup:
    """All symbols."""
    return Markup('<svg class="sprite" aria-hidden="true" focusable="false">{}</svg>').format(Markup("".join(_symbols())))


def _symbols() -> Iterator[str]:
    for name, shape in SHAPES.items():
        yield f'<symbol id="shape-{name}" viewBox="0 0 24 24">{shape}</symbol>'
    yield f'<symbol id="shape-multicolour" viewBox="0 0 24 24">{"".join(_ring())}</symbol>'
    yield from signs.symbols()
    fuse = '<path class="fuse" d="M0 46C3 30-3 14 0-4"/><circle cy="-7" r="4"/>'
    yield f'<symbol id="burst-0" viewBox="-50 -50 100 100">{fuse}</symbol>'
    for height in range(1, len(RINGS) + 1):
        yield f'<symbol id="burst-{height}" viewBox="-50 -50 100 100">{"".join(_rays(height, ("",)))}</symbol>'
        colours = tuple(f" paint-{colour}" for colour in RAINBOW)
        yield f'<symbol id="burst-multicolour-{height}" viewBox="-50 -50 100 100">{"".join(_rays(height, colours))}</symbol>'


def _ring() -> Iterator[str]:
    """The multicolour's shape: a ring in pieces of every colour."""
    for place, colour in enumerate(RAINBOW):
        (x1, y1), (x2, y2) = (_point(8, (place + end) / len(RAINBOW)) for end in (0.04, 0.96))
        yield f'<path class="paint-{colour} arc" d="M{12 + x1:.1f} {12 + y1:.1f}A8 8 0 0 1 {12 + x2:.1f} {12 + y2:.1f}"/>'


def _rays(height: int, paints: tuple[str, ...]) -> Iterator[str]:
    """A burst of so many rings; the outermost carries sparks."""
    for ring, paint, lines, sparks in rings(height, paints):
        yield f'<path class="ray ring-{ring}{paint}" d="{lines}"/>'
        if sparks:
            yield f'<path class="ray spark{paint}" d="{sparks}"/>'


def rings(height: int, paints: Sequence[str]) -> Iterator[tuple[int, str, str, str]]:
    """The rings of a burst, each in as many pieces as there are paints: its number from 1 on, the paint, the path of its rays,
    and that of the sparks at their ends, which only the outermost has."""
    for number, (count, inner, outer) in enumerate(RINGS[:height], 1):
        for turn, paint in enumerate(paints):
            shares = [(place + 0.5 * ((number - 1) % 2)) / count for place in range(turn, count, len(paints))]
            sparks = "".join(_ray(outer, outer, share) for share in shares) if number == height else ""
            yield number, paint, "".join(_ray(inner, outer, share) for share in shares), sparks


def _ray(inner: float, outer: float, share: float) -> str:
    (x1, y1), (x2, y2) = _point(inner, share), _point(outer, share)
    return f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"


def _point(radius: float, share: float) -> tuple[float, float]:
    """A point of a circle; `share` goes clockwise from the top."""
    angle = 2 * pi * share - pi / 2
    return radius * cos(angle), radius * sin(angle)
