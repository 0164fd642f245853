"""Draw the icon, a burst of eight rays, in every form that devices need: ``./dev icons`` writes them to the static files.

All forms come from the same shapes, as SVG for tabs and as pixels for home screens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import hypot
from pathlib import Path

from tamaya.web.rendering.images import png
from tamaya.web.rendering.symbols import PAINTS

UNITS = 64
NIGHT, TURN = "#11142f", "#5b41e0"
"""The background of the icon, and the one for “your turn”."""
CORE = PAINTS["white"]
WIDTH = 4
ROUNDNESS = 14
RAYS = (
    (PAINTS["red"], 32, 22, 32, 10),
    (PAINTS["yellow"], 39, 25, 48, 16),
    (PAINTS["green"], 42, 32, 54, 32),
    (PAINTS["blue"], 39, 39, 48, 48),
    (PAINTS["white"], 32, 42, 32, 54),
    (PAINTS["red"], 25, 39, 16, 48),
    (PAINTS["yellow"], 22, 32, 10, 32),
    ("#8f7bff", 25, 25, 16, 16),
)
"""Colour, start and end of each ray."""
BADGE = (50, 14, 11)
"""Centre and radius of the dot that says “your turn”."""
DOT = PAINTS["yellow"]
Distance = Callable[[float, float], float]


@dataclass(frozen=True, slots=True)
class Form:
    """A file of the icon: its size in pixels, and whether its corners are rounded here; some systems round them themselves."""

    size: int
    round: bool


FORMS: Mapping[str, Form] = {
    "icon-192.png": Form(192, round=True),
    "icon-512.png": Form(512, round=True),
    "icon-maskable-512.png": Form(512, round=False),
    "apple-touch-icon.png": Form(180, round=False),
}


def as_svg(your_turn: bool = False) -> str:
    """The icon of a tab, as SVG."""
    ground = f'<rect width="{UNITS}" height="{UNITS}" rx="{ROUNDNESS}" fill="{TURN if your_turn else NIGHT}"/>'
    rays = "".join(f'<path stroke="{colour}" d="M{x1} {y1}L{x2} {y2}"/>' for colour, x1, y1, x2, y2 in RAYS)
    core = f'<circle cx="32" cy="32" r="{WIDTH}" fill="{CORE}"/>'
    x, y, radius = BADGE
    badge = f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{DOT}" stroke="{TURN}" stroke-width="3"/>' if your_turn else ""
    group = f'<g stroke-width="{WIDTH}" stroke-linecap="round">{rays}</g>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {UNITS} {UNITS}">{ground}{group}{core}{badge}</svg>\n'


def as_png(form: Form) -> bytes:
    """The icon of a home screen, as PNG."""
    return png(pixels(form), form.size)


def pixels(form: Form) -> list[bytearray]:
    """The rows of the icon, four bytes for each pixel."""
    size = form.size
    rows = [bytearray(bytes((*_channels(NIGHT), 255)) * size) for _ in range(size)]
    for colour, left, top, right, bottom, distance in _shapes():
        _paint(rows, _channels(colour), (left, top, right, bottom), distance)
    if form.round:
        _cut_corners(rows)
    return rows


def _shapes() -> Iterator[tuple[str, float, float, float, float, Distance]]:
    """The shapes on the background: colour, bounding box, and the distance function to the shape's edge."""
    half = WIDTH / 2
    for colour, x1, y1, x2, y2 in RAYS:
        box = (min(x1, x2) - half, min(y1, y2) - half, max(x1, x2) + half, max(y1, y2) + half)
        yield colour, *box, _from_line(x1, y1, x2, y2, half)
    middle = UNITS / 2
    yield CORE, middle - WIDTH, middle - WIDTH, middle + WIDTH, middle + WIDTH, _from_line(32, 32, 32, 32, WIDTH)


def _from_line(x1: float, y1: float, x2: float, y2: float, half: float) -> Distance:
    """The distance of points from a line with round ends."""
    along, down = x2 - x1, y2 - y1
    length = along * along + down * down or 1

    def distance(x: float, y: float) -> float:
        share = min(max(((x - x1) * along + (y - y1) * down) / length, 0), 1)
        return hypot(x - x1 - share * along, y - y1 - share * down) - half

    return distance


def _paint(rows: list[bytearray], colour: tuple[int, ...], box: tuple[float, float, float, float], distance: Distance) -> None:
    scale = len(rows) / UNITS
    left, top, right, bottom = (edge * scale for edge in box)
    for down in range(int(top) - 1, int(bottom) + 2):
        for along in range(int(left) - 1, int(right) + 2):
            covered = _covered(distance((along + 0.5) / scale, (down + 0.5) / scale), scale)
            if covered:
                for place, value in enumerate(colour, 4 * along):
                    rows[down][place] = round(rows[down][place] * (1 - covered) + value * covered)


def _cut_corners(rows: list[bytearray]) -> None:
    scale = len(rows) / UNITS
    reach = int(ROUNDNESS * scale) + 1
    ends = [*range(reach), *range(len(rows) - reach, len(rows))]
    for down in ends:
        for along in ends:
            x, y = (abs((place + 0.5) / scale - UNITS / 2) - UNITS / 2 + ROUNDNESS for place in (along, down))
            rows[down][4 * along + 3] = round(255 * _covered(hypot(max(x, 0), max(y, 0)) - ROUNDNESS, scale))


def _covered(outside: float, scale: float) -> float:
    """The share of a pixel that a shape covers, by the distance of the pixel's centre from its edge."""
    return min(max(0.5 - outside * scale, 0), 1)


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))


def write(folder: Path) -> None:
    """Write every form of the icon to a folder."""
    folder.mkdir(exist_ok=True)
    (folder / "icon.svg").write_text(as_svg())
    (folder / "icon-turn.svg").write_text(as_svg(your_turn=True))
    for name, form in FORMS.items():
        (folder / name).write_bytes(as_png(form))


if __name__ == "__main__":
    write(Path(__file__).parents[1] / "src" / "tamaya" / "web" / "static" / "icons")
