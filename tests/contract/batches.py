"""Batches of events for tests of stores."""

from __future__ import annotations

from dataclasses import replace

from tamaya.table import EventBatch, Phase, RetentionPolicy, Store, TableSummary

PLAIN = TableSummary("amber", Phase.PLAYING, False, "french", 3, ("Ann", "Bé", ""), ("p-ann", "p-bé"), 1.5)

SHORT_RETENTION = RetentionPolicy({Phase.OPEN: 10.0, Phase.PLAYING: 100.0}, marked_for=5.0, share=1.0, brought_for=1000.0)
"""A retention policy with short times."""


def batch(code: str, first: int, *lines: str, **fields: object) -> EventBatch:
    """Events of a table whose summary is `PLAIN` with these fields changed; a finished game ended just now."""
    summary = replace(PLAIN, code=code, **fields)  # type: ignore[arg-type]
    over = summary.phase is Phase.ENDED and summary.ended is None
    return EventBatch(replace(summary, ended=summary.updated_at) if over else summary, first, lines)


EVENTS_PER_CALL = 5
"""How many events `play_together` appends to each table."""


async def play_together(store: Store, pair: int, number: int) -> int:
    """Append the next events to both tables of a pair with one call; returns how many each then has."""
    first = number * EVENTS_PER_CALL + 1
    lines = [f"{sequence}" for sequence in range(first, first + EVENTS_PER_CALL)]
    await store.append([batch(f"{side}{pair}", first, *lines) for side in ("left", "right")])
    return first + EVENTS_PER_CALL - 1


async def check_together(store: Store, pair: int) -> int:
    """How many events both tables of a pair have; fails if events of one call are only partly there."""
    left = await store.read_events(f"left{pair}")
    assert left == [f"{sequence}" for sequence in range(1, len(left) + 1)]
    assert len(left) % EVENTS_PER_CALL == 0, "the events of one call are all there or none"
    counted = await store.last_sequence(f"right{pair}")
    assert (counted >= len(left), counted % EVENTS_PER_CALL) == (True, 0), "the events of the same call are there, too"
    later = await store.read_events(f"right{pair}", 3)
    assert later == [f"{sequence}" for sequence in range(4, len(later) + 4)]
    assert not later or (len(later) + 3 >= counted and (len(later) + 3) % EVENTS_PER_CALL == 0)
    return len(left)


async def advance_time(store: Store, now: float) -> None:
    """Advance the time of the store, which is that of its newest event."""
    lines = await store.read_events("clock")
    await store.append([batch("clock", len(lines) + 1, "tick", player_ids=(), updated_at=now, phase=Phase.ENDED)])


async def sweep_everything(store: Store) -> None:
    """Sweep everything that a sweep may delete."""
    await advance_time(store, 1e9)
    await store.sweep(SHORT_RETENTION, 1e9)
    await advance_time(store, 2e9)
    assert (await store.sweep(SHORT_RETENTION, 2e9)).forgotten
