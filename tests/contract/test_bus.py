"""The contract of every bus. A bus may take a moment to deliver news, so tests wait for the last of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from tamaya.bus import LocalBus
from tamaya.table import Bus
from tests.contract.adapters import BUSES
from tests.contract.buses import wait_for_news
from tests.support.fakes import run

Use = Callable[[Callable[[Bus], Awaitable[None]]], None]


@pytest.fixture(params=BUSES)
def use(request: pytest.FixtureRequest) -> Use:
    """Runs steps with each kind of bus."""

    async def use_one(steps: Callable[[Bus], Awaitable[None]]) -> None:
        bus = await BUSES[request.param]()
        try:
            await steps(bus)
        finally:
            await bus.close()

    return lambda steps: run(use_one(steps))


def test_news_reaches_all_listeners_of_a_table(use: Use) -> None:
    async def steps(bus: Bus) -> None:
        with bus.subscribe("amber") as one, bus.subscribe("amber") as two, bus.subscribe("birch") as other:
            await bus.publish("amber", 5)
            await bus.publish("birch", 2)
            await wait_for_news(one, 5)
            await wait_for_news(two, 5)
            await wait_for_news(other, 2)

    use(steps)


def test_news_wakes_a_waiting_listener(use: Use) -> None:
    async def steps(bus: Bus) -> None:
        with bus.subscribe("amber") as listener:
            waiting = asyncio.create_task(listener.news())
            await asyncio.sleep(0)
            assert not waiting.done()
            await bus.publish("amber", 1)
            assert await waiting == 1

    use(steps)


def test_news_between_two_waits_is_not_lost(use: Use) -> None:
    async def steps(bus: Bus) -> None:
        with bus.subscribe("amber") as listener:
            for sequence in range(1, 200):
                await bus.publish("amber", sequence)
                await wait_for_news(listener, sequence)

    use(steps)


def test_news_after_a_cancelled_wait_is_delivered_to_the_next(use: Use) -> None:
    async def steps(bus: Bus) -> None:
        with bus.subscribe("amber") as listener:
            waiting = asyncio.create_task(listener.news())
            await asyncio.sleep(0)
            await bus.publish("amber", 3)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            assert waiting.cancelled()
            await wait_for_news(listener, 3)

    use(steps)


def test_an_idle_listener_blocks_no_other(use: Use) -> None:
    async def steps(bus: Bus) -> None:
        with bus.subscribe("amber"), bus.subscribe("amber") as listener:
            for sequence in range(1, 5001):
                await bus.publish("amber", sequence)
            await wait_for_news(listener, 5000)

    use(steps)


def test_late_news_never_lowers_the_event_number(use: Use) -> None:
    async def steps(bus: Bus) -> None:
        with bus.subscribe("amber") as listener:
            await bus.publish("amber", 7)
            await wait_for_news(listener, 7)
            await bus.publish("amber", 6)
            await bus.publish("amber", 8)
            await wait_for_news(listener, 8)

    use(steps)


def test_a_closed_subscription_gets_no_news_and_others_still_do(use: Use) -> None:
    async def steps(bus: Bus) -> None:
        with bus.subscribe("amber") as stays:
            with bus.subscribe("amber") as leaves:
                pass
            await bus.publish("amber", 4)
            await wait_for_news(stays, 4)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(leaves.news(), 0.01)

    use(steps)


def test_publishing_without_listeners_works(use: Use) -> None:
    async def steps(bus: Bus) -> None:
        await bus.publish("amber", 1)
        with bus.subscribe("amber") as listener:
            await bus.publish("amber", 2)
            await wait_for_news(listener, 2)

    use(steps)


def test_news_within_a_process_is_coalesced() -> None:
    async def steps() -> None:
        bus = LocalBus()
        with bus.subscribe("amber") as listener:
            for sequence in (1, 3, 2):
                await bus.publish("amber", sequence)
            assert await listener.news() == 3
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(listener.news(), 0.01)

    run(steps())


def test_closed_subscriptions_leave_nothing_behind() -> None:
    async def steps() -> None:
        bus = LocalBus()
        for _ in range(2):
            with bus.subscribe("amber"), bus.subscribe("amber"), bus.subscribe("birch"):
                await bus.publish("amber", 1)
            with pytest.raises(LookupError), bus.subscribe("cedar"):
                raise LookupError
        assert vars(bus) == vars(LocalBus())

    run(steps())


def test_closing_the_bus_wakes_all_listeners(use: Use) -> None:
    async def steps(bus: Bus) -> None:
        with bus.subscribe("amber") as one, bus.subscribe("birch") as other:
            assert not bus.closed
            await bus.close()
            await one.news()
            await other.news()
            assert bus.closed

    use(steps)
