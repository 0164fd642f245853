"""QR codes, drawn as SVG without any style of their own."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

import segno
from markupsafe import Markup


@lru_cache(maxsize=500)
def qr_code(text: str) -> Markup:
    """A QR code as a part of a page."""
    return Markup(segno.make(text, error="m", micro=False).svg_inline(svgclass="qr", lineclass=None, omitsize=True, border=3))


@lru_cache(maxsize=500)
def qr_image(text: str) -> bytes:
    """A QR code as a file."""
    written = BytesIO()
    segno.make(text, error="m", micro=False).save(written, kind="svg", border=3, omitsize=True, svgclass=None, lineclass=None)
    return written.getvalue()
