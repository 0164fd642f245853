"""What every bus promises. A bus may take a moment to carry news, so a test waits for the last of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from tamaya.bus import LocalBus
from tamaya.table import Bus
from tests.contract.adapters import BUSES
from tests.contract.buses import hear
from tests.support.fakes import run

Use = Callable[[Callable[[Bus], Awaitable[None]]], None]


@pytest.fixture(params=BUSES)
def use(request: pytest.FixtureRequest) -> Use:
    """Lets these steps use a bus of every kind."""

    async def use_one(steps: Callable[[Bus], Awaitable[None]]) -> None:
        bus = await BUSES[request.param]()
        try:
            await steps(bus)
        finally:
            await bus.close()

    return lambda steps: run(use_one(steps))


def test_news_reaches_everybody_who_listens_to_that_table(use: Use) -> None:
    async def steps(bus: Bus) -> None:
        with bus.subscribe("amber") as one, bus.subscribe("amber") as two, bus.subscribe("birch") as other:
            await bus.publish("amber", 5)
            await bus.publish("birch", 2)
            await hear(one, 5)
            await hear(two, 5)
            await hear(other, 2)

    use(steps)


def test_who_waits_is_woken(use: Use) -> None:
    async def steps(bus: Bus) -> None:
        with bus.subscribe("amber") as listener:
            waiting = asyncio.create_task(listener.news())
            await asyncio.sleep(0)
            assert not waiting.done()
            await bus.publish("amber", 1)
            assert await waiting == 1

    use(steps)


def test_nothing_published_between_two_questions_is_lost(use: Use) -> None:
    async def steps(bus: Bus) -> None:
        with bus.subscribe("amber") as listener:
            for sequence in range(1, 200):
                await bus.publish("amber", sequence)
                await hear(listener, sequence)

    use(steps)


def test_a_listener_who_stopped_waiting_still_gets_the_news_later(use: Use) -> None:
    async def steps(bus: Bus) -> None:
        with bus.subscribe("amber") as listener:
            waiting = asyncio.create_task(listener.news())
            await asyncio.sleep(0)
            await bus.publish("amber", 3)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            assert waiting.cancelled()
            await hear(listener, 3)

    use(steps)


def test_a_listener_who_never_asks_holds_nobody_up(use: Use) -> None:
    async def steps(bus: Bus) -> None:
        with bus.subscribe("amber"), bus.subscribe("amber") as listener:
            for sequence in range(1, 5001):
                await bus.publish("amber", sequence)
            await hear(listener, 5000)

    use(steps)


def test_late_news_never_takes_a_table_back(use: Use) -> None:
    async def steps(bus: Bus) -> None:
        with bus.subscribe("amber") as listener:
            await bus.publish("amber", 7)
            await hear(listener, 7)
            await bus.publish("amber", 6)
            await bus.publish("amber", 8)
            await hear(listener, 8)

    use(steps)


def test_who_has_left_is_no_longer_told_and_the_others_are(use: Use) -> None:
    async def steps(bus: Bus) -> None:
        with bus.subscribe("amber") as stays:
            with bus.subscribe("amber") as leaves:
                pass
            await bus.publish("amber", 4)
            await hear(stays, 4)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(leaves.news(), 0.01)

    use(steps)


def test_publishing_to_nobody_is_fine(use: Use) -> None:
    async def steps(bus: Bus) -> None:
        await bus.publish("amber", 1)
        with bus.subscribe("amber") as listener:
            await bus.publish("amber", 2)
            await hear(listener, 2)

    use(steps)


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


def test_a_bus_that_closes_wakes_everybody(use: Use) -> None:
    async def steps(bus: Bus) -> None:
        with bus.subscribe("amber") as one, bus.subscribe("birch") as other:
            assert not bus.closed
            await bus.close()
            await one.news()
            await other.news()
            assert bus.closed

    use(steps)
