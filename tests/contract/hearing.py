"""Waiting for news."""

from __future__ import annotations

from tamaya.table import Subscription


async def hear(subscription: Subscription, sequence: int) -> None:
    """Wait until the table is known to be so far, and no further."""
    heard = 0
    while heard < sequence:
        heard = await subscription.news()
    assert heard == sequence
