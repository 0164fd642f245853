"""What one connection can do to a server: it is refused or made to wait, and the server's memory stays as it was."""

from __future__ import annotations

import select
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.servers import RealServer

MIB = 1024 * 1024
MOST_SENT = 24 * MIB
"""Several times what the system itself keeps for a connection that nobody reads."""
MOST_GROWN = 32
"""MiB by which the server may grow meanwhile; without bounds it takes many times what is sent."""
PATIENCE = 30.0
HEALTHY = 50
"""So many answers to somebody else, and a server that still has not read on will not."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RealServer]:
    with RealServer(tmp_path / "data") as started:
        yield started


def connected(server: RealServer) -> socket.socket:
    wire = socket.socket()
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    wire.settimeout(PATIENCE)
    wire.connect(("127.0.0.1", server.port))
    return wire


def healthy(server: RealServer) -> bool:
    return server.ask("GET", "/health")[0] == 200


def sent_until(ended: Callable[[socket.socket], bool], wire: socket.socket, start: bytes, more: bytes) -> int:
    """Send without end, but not more than `MOST_SENT`; returns how much was taken."""
    wire.sendall(start)
    sent = 0
    with suppress(ConnectionError):
        while sent < MOST_SENT and not ended(wire):
            sent += wire.send(more)
    return sent


@pytest.mark.slow
def test_headers_without_end_are_refused_before_they_fill_the_memory(server: RealServer) -> None:
    before = server.peak()

    def answered(wire: socket.socket) -> bool:
        return bool(select.select([wire], [], [], 0)[0])

    with connected(server) as wire:
        sent_until(answered, wire, b"GET / HTTP/1.1\r\nHost: x\r\n", b"a: b\r\n" * 10_000)
        assert select.select([wire], [], [], PATIENCE)[0], "nobody ended the headers, and the server waits for more"
        with suppress(ConnectionError):
            assert wire.recv(4096).startswith(b"HTTP/1.1 4")
    assert server.peak() - before < MOST_GROWN
    assert healthy(server)


@pytest.mark.slow
def test_requests_are_not_read_ahead_while_nobody_takes_the_answers(server: RealServer) -> None:
    before = server.peak()

    def stuck(wire: socket.socket) -> bool:
        for _ in range(HEALTHY):
            if select.select([], [wire], [], 0)[1]:
                return False
            assert healthy(server)
        return True

    with connected(server) as wire:
        wire.setblocking(False)
        assert sent_until(stuck, wire, b"", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 2000) < MOST_SENT
    assert server.peak() - before < MOST_GROWN
    assert healthy(server)


@pytest.mark.slow
def test_a_body_that_cannot_be_read_is_refused_and_nothing_fails(server: RealServer) -> None:
    with connected(server) as wire:
        wire.sendall(b"POST /join HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n")
        assert wire.recv(4096).startswith(b"HTTP/1.1 400 ")
    assert healthy(server)
    assert "Exception" not in server.kill()
