"""QR codes, drawn as SVG without any style of their own."""

from __future__ import annotations

import segno
from markupsafe import Markup


def qr_code(text: str) -> Markup:
    """A QR code for a page."""
    return Markup(segno.make(text, error="m", micro=False).svg_inline(svgclass="qr", lineclass=None, omitsize=True, border=3))
