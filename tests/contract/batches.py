"""Batches as the tests of stores need them."""

from __future__ import annotations

from dataclasses import replace

from tamaya.table import EventBatch, Keeping, Listing, Phase, Store

PLAIN = Listing("amber", Phase.PLAYING, False, "french", 3, ("Ann", "Bé", ""), ("p-ann", "p-bé"), 1.5)

HASTY = Keeping({Phase.OPEN: 10.0, Phase.PLAYING: 100.0}, marked_for=5.0, share=1.0, brought_for=1000.0)
"""A keeping by which a test can wait."""


def batch(code: str, first: int, *lines: str, **listing: object) -> EventBatch:
    """Events of a table whose listing differs from the plain one in what is named; a game that is over ended just now."""
    told = replace(PLAIN, code=code, **listing)  # type: ignore[arg-type]
    over = told.phase is Phase.ENDED and told.ended is None
    return EventBatch(replace(told, ended=told.touched) if over else told, first, lines)


async def play_elsewhere(store: Store, now: float) -> None:
    """Let time go on: it is that of the newest event."""
    lines = await store.lines("clock")
    await store.append([batch("clock", len(lines) + 1, "tick", people=(), touched=now, phase=Phase.ENDED)])


async def forget(store: Store) -> None:
    """Let everything be swept away that can be."""
    await play_elsewhere(store, 1e9)
    await store.sweep(HASTY, 1e9)
    await play_elsewhere(store, 2e9)
    assert (await store.sweep(HASTY, 2e9)).forgotten
