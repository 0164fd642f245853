"""Connections to a real server, as tests use and misuse them."""

from __future__ import annotations

import select
import socket
import time
from contextlib import ExitStack, suppress

from tests.web.process import RealServer

PATIENCE = 20.0
"""Seconds by which a connection is ended for sure that the server has half a second for."""
HEAD = b"GET /health HTTP/1.1\r\nHost: x\r\n"
POST = b"POST /join HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nContent-Type: application/x-www-form-urlencoded\r\n"


def connect(server: RealServer, wires: ExitStack, sent: bytes = b"", host: str = "127.0.0.1") -> socket.socket:
    """A connection from an address of this machine, which reads next to nothing ahead."""
    wire = wires.enter_context(socket.socket())
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    wire.settimeout(PATIENCE)
    wire.bind((host, 0))
    wire.connect(("127.0.0.1", server.port))
    wire.sendall(sent)
    return wire


def is_ended(wire: socket.socket, seconds: float = 0.0) -> bool:
    """Whether the server ends a connection by then, all that was sent before set aside."""
    wire.settimeout(max(seconds, 0.001))
    until = time.monotonic() + seconds
    try:
        while wire.recv(65536):
            if time.monotonic() > until:
                return False
    except TimeoutError:
        return False
    except ConnectionError:
        pass
    finally:
        wire.settimeout(PATIENCE)
    return True


def is_cut_off(wire: socket.socket, seconds: float) -> bool:
    """Whether a connection is reset by then, although nobody reads from it."""
    poll = select.poll()
    poll.register(wire, 0)
    return bool(poll.poll(seconds * 1000))


def answered(server: RealServer, wires: ExitStack, host: str = "127.0.0.1") -> bytes:
    """What somebody is told who comes now: the status, or nothing."""
    wire = connect(server, wires, HEAD + b"Connection: close\r\n\r\n", host)
    with suppress(ConnectionError):
        return wire.recv(4096)[9:12]
    return b""


def table(server: RealServer) -> tuple[str, str]:
    """A new table's address, and who has opened it."""
    _, cookie, _ = server.ask("GET", "/")
    _, place, _ = server.ask("POST", "/new", cookie, {"players": 2})
    return place, cookie


def stream(server: RealServer, wires: ExitStack, place: str, host: str = "127.0.0.1") -> socket.socket:
    """A live page of a table."""
    wire = connect(server, wires, f"GET {place}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode(), host)
    assert b"text/event-stream" in wire.recv(1024)
    return wire
