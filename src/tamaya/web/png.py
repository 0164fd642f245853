"""Writing pictures as PNG, for the few that chats and home screens want."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

COLOUR_TYPES = {3: 2, 4: 6}
"""What PNG calls pixels of three bytes, and of four with their opacity."""


def png(rows: Sequence[bytearray], width: int) -> bytes:
    """Rows of pixels of three or four bytes as a picture."""
    kind = COLOUR_TYPES[len(rows[0]) // width]
    head = struct.pack(">IIBBBBB", width, len(rows), 8, kind, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
