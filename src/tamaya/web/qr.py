"""QR codes, drawn as SVG without any style of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import segno

from tamaya.web.kept import SHELF, Shelf, text_in


class Codes:
    """Draws QR codes, which takes 5 to 150 ms each: one after the other while the server goes on, and keeps the last ones."""

    def __init__(self, kept: Shelf = SHELF) -> None:
        self._kept, self._own = kept, object()
        self._pen = ThreadPoolExecutor(max_workers=1, thread_name_prefix="qr")

    async def draw(self, text: str, check: Callable[[], None]) -> bytes:
        """A text as a picture; `check` may refuse it where it has to be drawn."""
        slot = self._own, text
        picture: bytes | None = self._kept.get(slot)
        if picture is None:
            check()
            picture = await asyncio.get_running_loop().run_in_executor(self._pen, _drawn, text)
            self._kept.put(slot, picture, text_in(picture))
        return picture


def _drawn(text: str) -> bytes:
    written = BytesIO()
    segno.make(text, error="m", micro=False).save(written, kind="svg", border=3, omitsize=True, svgclass=None, lineclass=None)
    return written.getvalue()
