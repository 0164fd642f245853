"""Laying a hand out anew, which is no action and takes no turn."""

from __future__ import annotations

from collections.abc import Sequence

from tamaya.engine.layout import SLOT, TURNED, Layout


def rearrange(layout: Layout, state: bytearray, seat: int, order: Sequence[int], turned: Sequence[int]) -> None:
    """Put the card of slot ``order[n]`` into slot ``n`` of a hand, and those of the new slots `turned` sideways."""
    start = layout.hands + seat * layout.hand_bytes
    before = bytes(state[start : start + layout.hand_bytes])
    for new, old in enumerate(order):
        at = start + new * SLOT
        state[at : at + SLOT] = before[old * SLOT : (old + 1) * SLOT]
        state[at + TURNED] = new in turned
