"""The contract of a bus between processes: two buses at one database, as in two processes."""

from __future__ import annotations

import asyncio

from tamaya.bus.postgres import PostgresBus
from tests.contract.buses import wait_for_news, with_two_buses


def test_news_reaches_listeners_in_another_process() -> None:
    async def steps(one: PostgresBus, two: PostgresBus, _: str) -> None:
        with one.subscribe("amber") as here, two.subscribe("amber") as there, two.subscribe("birch") as other:
            await one.publish("amber", 5)
            await one.publish("birch", 2)
            await wait_for_news(here, 5)
            await wait_for_news(there, 5)
            await wait_for_news(other, 2)
            await two.publish("amber", 6)
            await wait_for_news(here, 6)

    with_two_buses(steps)


def test_much_news_at_once_arrives_and_the_last_counts() -> None:
    async def steps(one: PostgresBus, two: PostgresBus, _: str) -> None:
        with two.subscribe("table9") as there:
            for sequence in range(1, 2001):
                await one.publish(f"table{sequence % 10}", sequence)
            await wait_for_news(there, 1999)

    with_two_buses(steps)


def test_broadcasts_arrive_in_order_in_other_processes_only() -> None:
    async def steps(one: PostgresBus, two: PostgresBus, _: str) -> None:
        here, there, last = list[str](), list[tuple[str, str]](), asyncio.Event()

        def note(sender: str, text: str) -> None:
            there.append((sender, text))
            if text == "99 “九”":
                last.set()

        one.on_broadcast("weather", lambda sender, text: here.append(text))
        two.on_broadcast("weather", note)
        for number in range(100):
            one.broadcast("weather", f"{number} “九”")
        await last.wait()
        assert [text for _, text in there] == [f"{number} “九”" for number in range(100)]
        assert len({sender for sender, _ in there}) == 1
        assert not here

    with_two_buses(steps)


def test_a_table_is_locked_by_one_process_at_a_time() -> None:
    async def steps(one: PostgresBus, two: PostgresBus, _: str) -> None:
        async with one.try_lock("amber") as first, two.try_lock("amber") as second, two.try_lock("birch") as other:
            assert (first, second, other) == (True, False, True)
        async with two.try_lock("amber") as after:
            assert after

    with_two_buses(steps)


def test_the_locks_of_a_process_that_ends_are_released() -> None:
    async def steps(one: PostgresBus, two: PostgresBus, _: str) -> None:
        claim = one.try_lock("amber")
        assert await claim.__aenter__()
        await one.close()
        while True:  # the database takes a moment to notice
            async with two.try_lock("amber") as granted:
                if granted:
                    break
            await asyncio.sleep(0.01)
        await claim.__aexit__(None, None, None)

    with_two_buses(steps)
