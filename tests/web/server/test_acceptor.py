"""Several processes at one listening socket share what comes in; here they are two doors in one."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from tamaya.web.server import Acceptor, ConnectionLimiter, LoadShare
from tests.support.fakes import run

MANY = 120


class Held(ConnectionLimiter):
    """Counts whoever is let in, without serving them."""

    def __init__(self) -> None:
        super().__init__(limit=1000, address_limit=1000)
        self.transports: list[asyncio.BaseTransport] = []

    def __len__(self) -> int:
        return len(self.transports)

    def make(self) -> asyncio.Protocol:
        class One(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                held.transports.append(transport)

        held = self
        return One()


@contextmanager
def doors(listener: socket.socket, siblings: list[LoadShare | None]) -> Iterator[list[Held]]:
    """So many doors at one socket."""
    with ExitStack() as stack:
        all_held = []
        for one in siblings:
            held = Held()
            door = Acceptor(stack.enter_context(listener.dup()), held.make, held, one)
            door.open()
            stack.callback(door.close)
            all_held.append(held)
        yield all_held
        for held in all_held:
            for transport in held.transports:
                transport.close()


async def let_in(count: int, siblings: list[LoadShare | None]) -> list[int]:
    """How many connections each door has taken, if so many come one after the other."""
    with socket.create_server(("127.0.0.1", 0)) as listener, doors(listener, siblings) as all_held, ExitStack() as stack:
        for number in range(count):
            stack.enter_context(socket.create_connection(listener.getsockname()))
            while sum(map(len, all_held)) <= number:
                await asyncio.sleep(0.001)
        return [len(held) for held in all_held]


def test_processes_at_one_socket_have_about_as_many_connections_each() -> None:
    shares = [0, 0, 0]
    taken = run(let_in(MANY, [LoadShare(shares, place) for place in range(3)]))
    assert sum(taken) == MANY
    assert min(taken) > MANY / 3 - 10, taken


def test_a_process_that_takes_nobody_holds_nobody_up() -> None:
    shares = [0, 0]
    stuck = LoadShare(shares, 1)
    assert run(let_in(20, [LoadShare(shares, 0)])) == [20]
    assert not stuck.is_ahead(0)


def test_one_process_alone_takes_everybody() -> None:
    assert run(let_in(20, [None])) == [20]


def test_a_few_connections_more_are_not_worth_giving_way() -> None:
    shares = [0, 100]
    one = LoadShare(shares, 0)
    assert [one.is_ahead(count) for count in (100, 110, 114, 115, 200)] == [False, False, False, True, True]
