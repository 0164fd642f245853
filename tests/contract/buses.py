"""Listeners and pairs of buses for tests of buses."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from tamaya.bus.postgres import PostgresBus
from tamaya.table import Subscription
from tests.limits import WAIT
from tests.postgres import fresh_database
from tests.support.fakes import run


async def wait_for_news(subscription: Subscription, sequence: int) -> None:
    """Wait until a subscription reports exactly this event number."""
    heard = 0
    while heard < sequence:
        heard = await subscription.news()
    assert heard == sequence


def with_two_buses(steps: Callable[[PostgresBus, PostgresBus, str], Awaitable[None]]) -> None:
    """Run steps with two buses at one database and its address."""

    async def use() -> None:
        address = fresh_database()
        one, two = await PostgresBus.open(address), await PostgresBus.open(address)
        try:
            await asyncio.wait_for(steps(one, two, address), WAIT)
        finally:
            await one.close()
            await two.close()

    run(use())
