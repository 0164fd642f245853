"""The SVG sprite: shapes of the colours, fireworks of each height, and avatars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from math import cos, pi, sin

from markupsafe import Markup

AVATARS = {
    "lantern": '<path d="M9 2.5h6V5H9zM8.5 6h7c2.6 3.6 2.6 7.9 0 11.5h-7c-2.6-3.6-2.6-7.9 0-11.5zM9 18.5h6V21H9z"/>',
    "fan": '<path d="M2 10.5C7.5 4.2 16.5 4.2 22 10.5l-7 5.2c-1.7-1.9-4.3-1.9-6 0zM11 17h2v4h-2z"/>',
    "wave": '<path d="M1.5 19c1.7-9.5 8.2-14.2 13.4-13.4 4.7.8 6.4 5.7 3.9 8.3-1.8 1.8-4.9.9-4.9-1.5 0-1 '
    '.5-1.7 1.3-2.1-4.2-.6-5.1 4.6-1.1 7.1 2.2 1.3 5.5 1.6 8.4.4V19z"/>',
    "moon": '<path d="M15.5 2.5a10 10 0 1 0 6 13.8A8.2 8.2 0 0 1 15.5 2.5z"/>',
    "crane": '<path d="M2 5.5l8.5 5.3L13.5 2l2.7 9.5L22 9.5l-5.8 6.2 1 5.8-4.4-5-4.3 3-.6-3.3z"/>',
    "bell": '<path d="M10.5 2h3v2.3c3.3.8 4.5 3.6 4.5 7.2 0 3.5.8 4.8 2 6H4c1.2-1.2 2-2.5 2-6 0-3.6 1.2-6.4 '
    '4.5-7.2zM9.5 18.7h5a2.5 2.5 0 0 1-5 0z"/>',
    "leaf": '<path d="M20.5 3C11 2.5 4 6.5 4 13.5c0 1.3.3 2.4.8 3.4L12 10.5l-6.2 8-2.3 2.7 1.7 1 2-2.5C14.5 '
    '21.5 21 15 20.5 3z"/>',
    "mountain": '<path d="M1.5 20L9 5.5l2 1.7L13 5.5 22.5 20zM9.3 9.5l-1.5 3 1.7-.8 1.5 1.6 1.5-1.6 1.9.9-1.7-3.1-1.7 '
    '1.3z" fill-rule="evenodd"/>',
    "boat": '<path d="M11 2v12H4.5zM12.8 5.5L19 14h-6.2zM2 16h20c-.8 3-2.8 5-5.5 5h-9C4.8 21 2.8 19 2 16z"/>',
    "cloud": '<path d="M7 19a5 5 0 0 1-.8-9.9 6 6 0 0 1 11.3.4A4.8 4.8 0 0 1 17.5 19z"/>',
}
"""The avatars as SVG content with a view box of 24 by 24."""


def avatar_symbols() -> Iterator[str]:
    """Every avatar as an SVG symbol."""
    for name, picture in AVATARS.items():
        yield f'<symbol id="sign-{name}" viewBox="0 0 24 24">{picture}</symbol>'


@lru_cache(maxsize=5_000)
def distinct_avatars(keys: tuple[str, ...]) -> tuple[str, ...]:
    """A different avatar for each key, empty for an empty key."""
    names, taken = list(AVATARS), list[str]()
    for key in keys:
        start = sha256(key.encode()).digest()[0] % len(names)
        wanted = (names[(start + step) % len(names)] for step in range(len(names)))
        taken.append(next(name for name in wanted if name not in taken) if key else "")
    return tuple(taken)


SHAPES = {
    "red": '<circle cx="12" cy="12" r="9"/>',
    "yellow": '<path d="M12 2l2.9 6.6 7.1.7-5.4 4.7 1.6 7L12 17.3 5.8 21l1.6-7L2 9.3l7.1-.7z"/>',
    "green": '<path d="M12 3l10 18H2z"/>',
    "white": '<path d="M8.5 2.5h7v6h6v7h-6v6h-7v-6h-6v-7h6z"/>',
    "blue": '<path d="M12 1.5L20.5 12 12 22.5 3.5 12z"/>',
}
PAINTS = {"red": "#ff5a5f", "yellow": "#ffd23f", "green": "#3ddc84", "blue": "#4dabff", "white": "#f4f1ea"}
"""The colours in images; those of pages are in ``base.css``."""
RAINBOW = tuple(PAINTS)
RINGS = ((7, 9, 15), (10, 18, 24), (14, 26, 32), (18, 33, 39), (22, 40, 46))
"""The rings of a firework from the centre outwards: the number of rays, their inner and their outer radius."""


@cache
def sprite() -> Markup:
    """The SVG element that defines all symbols."""
    return Markup('<svg class="sprite" aria-hidden="true" focusable="false">{}</svg>').format(Markup("".join(_symbols())))


def _symbols() -> Iterator[str]:
    for name, shape in SHAPES.items():
        yield f'<symbol id="shape-{name}" viewBox="0 0 24 24">{shape}</symbol>'
    yield f'<symbol id="shape-multicolour" viewBox="0 0 24 24">{"".join(_multicolour_ring())}</symbol>'
    yield from avatar_symbols()
    fuse = '<path class="fuse" d="M0 46C3 30-3 14 0-4"/><circle cy="-7" r="4"/>'
    yield f'<symbol id="burst-0" viewBox="-50 -50 100 100">{fuse}</symbol>'
    for height in range(1, len(RINGS) + 1):
        yield f'<symbol id="burst-{height}" viewBox="-50 -50 100 100">{"".join(_rays(height, ("",)))}</symbol>'
        colours = tuple(f" paint-{colour}" for colour in RAINBOW)
        yield f'<symbol id="burst-multicolour-{height}" viewBox="-50 -50 100 100">{"".join(_rays(height, colours))}</symbol>'


def _multicolour_ring() -> Iterator[str]:
    """The shape of multicolour cards: a ring with an arc of each colour."""
    for place, colour in enumerate(RAINBOW):
        (x1, y1), (x2, y2) = (_point(8, (place + end) / len(RAINBOW)) for end in (0.04, 0.96))
        yield f'<path class="paint-{colour} arc" d="M{12 + x1:.1f} {12 + y1:.1f}A8 8 0 0 1 {12 + x2:.1f} {12 + y2:.1f}"/>'


def _rays(height: int, paints: tuple[str, ...]) -> Iterator[str]:
    """The paths of a firework of a given height."""
    for ring, paint, lines, sparks in rings(height, paints):
        yield f'<path class="ray ring-{ring}{paint}" d="{lines}"/>'
        if sparks:
            yield f'<path class="ray spark{paint}" d="{sparks}"/>'


def rings(height: int, paints: Sequence[str]) -> Iterator[tuple[int, str, str, str]]:
    """The rings of a firework, split by paint: number from 1, paint, path of the rays, and path of the sparks at their ends,
    which only the outermost ring has."""
    for number, (count, inner, outer) in enumerate(RINGS[:height], 1):
        for turn, paint in enumerate(paints):
            shares = [(place + 0.5 * ((number - 1) % 2)) / count for place in range(turn, count, len(paints))]
            sparks = "".join(_ray(outer, outer, share) for share in shares) if number == height else ""
            yield number, paint, "".join(_ray(inner, outer, share) for share in shares), sparks


def _ray(inner: float, outer: float, share: float) -> str:
    (x1, y1), (x2, y2) = _point(inner, share), _point(outer, share)
    return f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"


def _point(radius: float, share: float) -> tuple[float, float]:
    """A point on a circle; `share` runs clockwise from the top."""
    angle = 2 * pi * share - pi / 2
    return radius * cos(angle), radius * sin(angle)
