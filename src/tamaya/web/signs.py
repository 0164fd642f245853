"""A sign and a colour for everybody at a table, so that one finds a player at a glance. None looks like a suit."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256

from tamaya.table import Table

SIGNS = {
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
"""The signs as pictures of 24 by 24."""


def symbols() -> Iterator[str]:
    """Every sign as an SVG symbol."""
    for name, picture in SIGNS.items():
        yield f'<symbol id="sign-{name}" viewBox="0 0 24 24">{picture}</symbol>'


def signs_at(table: Table) -> tuple[str, ...]:
    """The sign of each seat; nothing for a free one. It follows from who sits there, so that nobody has to choose one. Of two
    who would have the same, the one nearer to the host keeps it."""
    first = table.seat_of(table.host) or 0
    keys = [seat.person or seat.name for seat in table.seats]
    found = distinct((*keys[first:], *keys[:first]))
    return tuple(found[(place - first) % len(keys)] for place in range(len(keys)))


@lru_cache(maxsize=5_000)
def distinct(keys: tuple[str, ...]) -> tuple[str, ...]:
    """A sign for each key, no two alike; nothing for an empty key."""
    names, taken = list(SIGNS), list[str]()
    for key in keys:
        start = sha256(key.encode()).digest()[0] % len(names)
        wanted = (names[(start + step) % len(names)] for step in range(len(names)))
        taken.append(next(name for name in wanted if name not in taken) if key else "")
    return tuple(taken)
