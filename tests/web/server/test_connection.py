"""A single connection cannot exhaust the server's memory."""

from __future__ import annotations

import select
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.servers import RealServer

MIB = 1024 * 1024
MAX_SENT = 24 * MIB
"""Several times the kernel's buffers of an unread connection."""
MAX_GROWTH = 32
"""The MiB by which the server may grow; without limits it takes many times what is sent."""
PATIENCE = 30.0
PROBES = 50
"""The responses to other clients after which a server that has not read on counts as stuck."""


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
    """Send up to `MAX_SENT` bytes; returns how many were accepted."""
    wire.sendall(start)
    sent = 0
    with suppress(ConnectionError):
        while sent < MAX_SENT and not ended(wire):
            sent += wire.send(more)
    return sent


@pytest.mark.slow
def test_endless_headers_are_refused(server: RealServer) -> None:
    before = server.peak()

    def answered(wire: socket.socket) -> bool:
        return bool(select.select([wire], [], [], 0)[0])

    with connected(server) as wire:
        sent_until(answered, wire, b"GET / HTTP/1.1\r\nHost: x\r\n", b"a: b\r\n" * 10_000)
        assert select.select([wire], [], [], PATIENCE)[0], "the server keeps waiting for the end of the headers"
        with suppress(ConnectionError):
            assert wire.recv(4096).startswith(b"HTTP/1.1 4")
    assert server.peak() - before < MAX_GROWTH
    assert healthy(server)


@pytest.mark.slow
def test_pipelined_requests_are_not_read_while_responses_are_unread(server: RealServer) -> None:
    before = server.peak()

    def stuck(wire: socket.socket) -> bool:
        for _ in range(PROBES):
            if select.select([], [wire], [], 0)[1]:
                return False
            assert healthy(server)
        return True

    with connected(server) as wire:
        wire.setblocking(False)
        assert sent_until(stuck, wire, b"", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 2000) < MAX_SENT
    assert server.peak() - before < MAX_GROWTH
    assert healthy(server)


@pytest.mark.slow
def test_a_malformed_body_is_refused_without_a_server_error(server: RealServer) -> None:
    with connected(server) as wire:
        wire.sendall(b"POST /join HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n")
        assert wire.recv(4096).startswith(b"HTTP/1.1 400 ")
    assert healthy(server)
    assert "Exception" not in server.kill()
