"""Images: PNG, the link preview, and QR codes."""

from __future__ import annotations

import asyncio
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from io import BytesIO
from math import cos, pi, sin

import segno
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from tamaya.web.rendering.cache import RENDER_CACHE, RenderCache, text_size
from tamaya.web.rendering.symbols import PAINTS, RINGS

COLOUR_TYPES = {3: 2, 4: 6}
"""PNG colour types by bytes per pixel: RGB and RGBA."""


def png(rows: Sequence[bytearray], width: int) -> bytes:
    """A PNG of rows of RGB or RGBA pixels."""
    kind = COLOUR_TYPES[len(rows[0]) // width]
    head = struct.pack(">IIBBBBB", width, len(rows), 8, kind, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


WIDTH, HEIGHT = 1200, 630
FIREWORKS = (5, 6)
"""The numbers of fireworks that the link preview supports."""
TOP, BOTTOM = (29, 35, 80), (7, 9, 24)
BURSTS = (
    (PAINTS["red"], 150, 250, 3, 2.9),
    (PAINTS["yellow"], 400, 205, 5, 3.9),
    (PAINTS["green"], 620, 415, 3, 3.1),
    (PAINTS["blue"], 830, 215, 5, 4.1),
    (PAINTS["white"], 1065, 330, 4, 3.0),
    ("#d58bff", 250, 490, 3, 2.4),
)
"""The fireworks: colour, centre, height and scale; the sixth is for games with multicolour cards."""
FUSES = (110, 470, 760, 930, 1120)
FUSE = (170, 177, 230)

Colour = tuple[int, int, int]
Dot = tuple[float, float, float, Colour, float]


async def link_preview(request: Request) -> Response:
    """The link preview shown by chats; it holds no private data, so any site may embed it."""
    fireworks = request.path_params["fireworks"]
    if fireworks not in FIREWORKS:
        raise HTTPException(404)
    picture = await asyncio.to_thread(preview, fireworks)
    headers = {"cache-control": "public, max-age=604800", "cross-origin-resource-policy": "cross-origin"}
    return Response(picture, media_type="image/png", headers=headers)


@cache
def preview(fireworks: int) -> bytes:
    """The link preview as a PNG."""
    rows = [bytearray(bytes(_blend(TOP, BOTTOM, row / HEIGHT)) * WIDTH) for row in range(HEIGHT)]
    for dot in _dots(fireworks):
        _draw_dot(rows, dot)
    return png(rows, WIDTH)


def _dots(fireworks: int) -> Iterator[Dot]:
    """The lit dots: small discs along each ray, and a spark at the end of the outermost rays."""
    for paint, x, y, height, scale in BURSTS[:fireworks]:
        red, green, blue = bytes.fromhex(paint[1:])
        colour = red, green, blue
        for ring, (count, inner, outer) in enumerate(RINGS[:height]):
            strength = 0.5 + 0.1 * ring
            for ray in range(count):
                angle = 2 * pi * (ray + 0.5 * (ring % 2)) / count
                steps = int((outer - inner) * scale / 2) + 1
                for step in range(steps + 1):
                    far = scale * (inner + (outer - inner) * step / steps)
                    spark = ring == height - 1 and step == steps
                    yield x + far * cos(angle), y + far * sin(angle), 5.0 if spark else 2.3, colour, 1.0 if spark else strength
    for x in FUSES:
        for step in range(60):
            yield x + 4 * sin(step / 9), HEIGHT - 2 * step, 1.6, FUSE, 0.5
        yield x + 4 * sin(60 / 9), HEIGHT - 120, 5.0, FUSE, 0.9


def _draw_dot(rows: list[bytearray], dot: Dot) -> None:
    """Draw a disc with a soft edge."""
    x, y, radius, colour, strength = dot
    for row in range(max(0, int(y - radius - 1)), min(HEIGHT, int(y + radius + 2))):
        for column in range(max(0, int(x - radius - 1)), min(WIDTH, int(x + radius + 2))):
            inside = radius + 0.5 - ((column - x) ** 2 + (row - y) ** 2) ** 0.5
            if inside > 0:
                share = strength if inside >= 1 else strength * inside
                line, place = rows[row], 3 * column
                line[place] += int((colour[0] - line[place]) * share)
                line[place + 1] += int((colour[1] - line[place + 1]) * share)
                line[place + 2] += int((colour[2] - line[place + 2]) * share)


def _blend(one: Colour, other: Colour, share: float) -> Iterator[int]:
    return (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))


class QrCodes:
    """Renders QR codes in a thread, which takes 5 to 150 ms each, and caches them."""

    def __init__(self, cache: RenderCache = RENDER_CACHE) -> None:
        self._cache, self._key = cache, object()
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="qr")

    async def draw(self, text: str, check: Callable[[], None]) -> bytes:
        """A text as an SVG image; `check` is called if it is not in the cache, and may raise."""
        key = self._key, text
        picture: bytes | None = self._cache.get(key)
        if picture is None:
            check()
            picture = await asyncio.get_running_loop().run_in_executor(self._executor, _qr_svg, text)
            self._cache.put(key, picture, text_size(picture))
        return picture


def _qr_svg(text: str) -> bytes:
    output = BytesIO()
    segno.make(text, error="m", micro=False).save(output, kind="svg", border=3, omitsize=True, svgclass=None, lineclass=None)
    return output.getvalue()
