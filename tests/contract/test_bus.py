"""What every bus promises. A bus may take a moment to carry news, so a test waits for the last of it."""

from __future__ import annotations

import asyncio

import pytest

from tamaya.live import LocalBus
from tamaya.table import Bus, Subscription
from tests.contract.adapters import BUSES
from tests.table.fakes import run


@pytest.fixture(params=BUSES)
def bus(request: pytest.FixtureRequest) -> Bus:
    return BUSES[request.param]()


async def hear(subscription: Subscription, sequence: int) -> None:
    """Wait until the table is known to be so far, and no further."""
    heard = 0
    while heard < sequence:
        heard = await subscription.news()
    assert heard == sequence


def test_news_reaches_everybody_who_listens_to_that_table(bus: Bus) -> None:
    async def steps() -> None:
        with bus.subscribe("amber") as one, bus.subscribe("amber") as two, bus.subscribe("birch") as other:
            await bus.publish("amber", 5)
            await bus.publish("birch", 2)
            await hear(one, 5)
            await hear(two, 5)
            await hear(other, 2)

    run(steps())


def test_who_waits_is_woken(bus: Bus) -> None:
    async def steps() -> None:
        with bus.subscribe("amber") as listener:
            waiting = asyncio.create_task(listener.news())
            await asyncio.sleep(0)
            assert not waiting.done()
            await bus.publish("amber", 1)
            assert await waiting == 1

    run(steps())


def test_nothing_published_between_two_questions_is_lost(bus: Bus) -> None:
    async def steps() -> None:
        with bus.subscribe("amber") as listener:
            for sequence in range(1, 200):
                await bus.publish("amber", sequence)
                await hear(listener, sequence)

    run(steps())


def test_a_listener_who_stopped_waiting_still_gets_the_news_later(bus: Bus) -> None:
    async def steps() -> None:
        with bus.subscribe("amber") as listener:
            waiting = asyncio.create_task(listener.news())
            await asyncio.sleep(0)
            await bus.publish("amber", 3)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            assert waiting.cancelled()
            await hear(listener, 3)

    run(steps())


def test_a_listener_who_never_asks_holds_nobody_up(bus: Bus) -> None:
    async def steps() -> None:
        with bus.subscribe("amber"), bus.subscribe("amber") as listener:
            for sequence in range(1, 5001):
                await bus.publish("amber", sequence)
            await hear(listener, 5000)

    run(steps())


def test_late_news_never_takes_a_table_back(bus: Bus) -> None:
    async def steps() -> None:
        with bus.subscribe("amber") as listener:
            await bus.publish("amber", 7)
            await hear(listener, 7)
            await bus.publish("amber", 6)
            await bus.publish("amber", 8)
            await hear(listener, 8)

    run(steps())


def test_who_has_left_is_no_longer_told_and_the_others_are(bus: Bus) -> None:
    async def steps() -> None:
        with bus.subscribe("amber") as stays:
            with bus.subscribe("amber") as leaves:
                pass
            await bus.publish("amber", 4)
            await hear(stays, 4)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(leaves.news(), 0.01)

    run(steps())


def test_publishing_to_nobody_is_fine(bus: Bus) -> None:
    async def steps() -> None:
        await bus.publish("amber", 1)
        with bus.subscribe("amber") as listener:
            await bus.publish("amber", 2)
            await hear(listener, 2)

    run(steps())


def test_within_a_process_several_pieces_of_news_become_one() -> None:
    async def steps() -> None:
        bus = LocalBus()
        with bus.subscribe("amber") as listener:
            for sequence in (1, 3, 2):
                await bus.publish("amber", sequence)
            assert await listener.news() == 3
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(listener.news(), 0.01)

    run(steps())


def test_within_a_process_nothing_is_kept_of_those_who_left() -> None:
    async def steps() -> None:
        bus = LocalBus()
        for _ in range(2):
            with bus.subscribe("amber"), bus.subscribe("amber"), bus.subscribe("birch"):
                await bus.publish("amber", 1)
            with pytest.raises(LookupError), bus.subscribe("cedar"):
                raise LookupError
        assert vars(bus) == vars(LocalBus())

    run(steps())


def test_a_bus_that_closes_wakes_everybody(bus: Bus) -> None:
    async def steps() -> None:
        with bus.subscribe("amber") as one, bus.subscribe("birch") as other:
            assert not bus.closed
            await bus.close()
            await one.news()
            await other.news()
            assert bus.closed

    run(steps())
