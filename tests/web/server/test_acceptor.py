"""Acceptors at one listening socket share its connections, here within one process."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from tamaya.web.server import Acceptor, ConnectionLimiter, LoadShare
from tests.support.fakes import run

MANY = 120


class HoldingLimiter(ConnectionLimiter):
    """Holds accepted connections without serving them."""

    def __init__(self) -> None:
        super().__init__(limit=1000, address_limit=1000)
        self.transports: list[asyncio.BaseTransport] = []

    def __len__(self) -> int:
        return len(self.transports)

    def make(self) -> asyncio.Protocol:
        class Protocol(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                limiter.transports.append(transport)

        limiter = self
        return Protocol()


@contextmanager
def acceptors(listener: socket.socket, siblings: list[LoadShare | None]) -> Iterator[list[HoldingLimiter]]:
    """Acceptors at one socket."""
    with ExitStack() as stack:
        limiters = []
        for one in siblings:
            limiter = HoldingLimiter()
            acceptor = Acceptor(stack.enter_context(listener.dup()), limiter.make, limiter, one)
            acceptor.open()
            stack.callback(acceptor.close)
            limiters.append(limiter)
        yield limiters
        for limiter in limiters:
            for transport in limiter.transports:
                transport.close()


async def accept_connections(count: int, siblings: list[LoadShare | None]) -> list[int]:
    """The connections that each acceptor has taken of `count` successive ones."""
    with socket.create_server(("127.0.0.1", 0)) as listener, acceptors(listener, siblings) as limiters, ExitStack() as stack:
        for number in range(count):
            stack.enter_context(socket.create_connection(listener.getsockname()))
            while sum(map(len, limiters)) <= number:
                await asyncio.sleep(0.001)
        return [len(limiter) for limiter in limiters]


def test_connections_are_balanced_between_processes() -> None:
    shares = [0, 0, 0]
    taken = run(accept_connections(MANY, [LoadShare(shares, place) for place in range(3)]))
    assert sum(taken) == MANY
    assert min(taken) > MANY / 3 - 10, taken


def test_a_stuck_process_does_not_block_connections() -> None:
    shares = [0, 0]
    stuck = LoadShare(shares, 1)
    assert run(accept_connections(20, [LoadShare(shares, 0)])) == [20]
    assert not stuck.is_ahead(0)


def test_a_single_process_takes_all_connections() -> None:
    assert run(accept_connections(20, [None])) == [20]


def test_a_small_lead_is_ignored() -> None:
    shares = [0, 100]
    one = LoadShare(shares, 0)
    assert [one.is_ahead(count) for count in (100, 110, 114, 115, 200)] == [False, False, False, True, True]
