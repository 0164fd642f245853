"""A graceful stop: running requests finish, live pages are handed over, and stuck clients are cut off."""

from __future__ import annotations

import re
import signal
import socket
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.limits import WAIT
from tests.programs import line_of
from tests.support.impatient import APPENDING, ImpatientServer
from tests.support.servers import HEAD, POST, RealServer, connect, stream, table

pytestmark = pytest.mark.slow
MAX_STOP_SECONDS = 5.0
"""The seconds in which a server must stop."""
HANDOVER = re.compile(rb"event: handover\nretry: (\d+)\ndata:\n\n\r\n0\r\n\r\n\Z")


def stopped(server: RealServer) -> float:
    """Stop a server; returns how long that took."""
    began = time.monotonic()
    server.process.terminate()
    server.rest()
    return time.monotonic() - began


def rest_of(wire: socket.socket) -> bytes:
    wire.settimeout(WAIT)
    found = b""
    while more := wire.recv(65536):
        found += more
    return found


def change(server: RealServer, place: str, cookie: str) -> socket.socket:
    """Send a change, and wait until the server is saving it."""
    wire = server.send_only(f"{place}/say", cookie, {"text": "a last word"})
    while APPENDING not in line_of(server.process, "the change to be kept"):
        pass
    return wire


def test_streams_end_with_a_random_reconnect_delay(tmp_path: Path) -> None:
    with RealServer(tmp_path / "data") as server, ExitStack() as wires:
        place, _ = table(server)
        pages = [stream(server, wires, place) for _ in range(100)]
        server.process.terminate()
        found = [HANDOVER.search(rest_of(page)) for page in pages]
        assert all(found)
        waits = [int(one[1]) for one in found if one]
        assert all(250 <= wait <= 300 for wait in waits), "half a millisecond per page"
        assert len(set(waits)) > 10, "they do not reconnect all at once"


def test_a_reconnected_page_gets_the_default_delay(tmp_path: Path) -> None:
    with RealServer(tmp_path / "data") as server, ExitStack() as wires:
        place, _ = table(server)
        server.process.terminate()
        server.rest()
    with RealServer(tmp_path / "data") as server, ExitStack() as wires:
        page = stream(server, wires, place)
        while b"data: " not in (found := page.recv(4096)):
            pass
        assert b"retry: 250\nid: " in found


def test_a_running_change_is_saved_and_answered(tmp_path: Path) -> None:
    with ImpatientServer(tmp_path / "data", IMPATIENT_STORE="1.5") as server:
        place, cookie = table(server)
        with change(server, place, cookie) as wire:
            server.process.terminate()
            assert rest_of(wire).startswith(b"HTTP/1.1 ")
            server.rest()
    with RealServer(tmp_path / "data") as server:
        assert "a last word" in server.ask("GET", place, cookie)[2]


def test_stuck_connections_do_not_prevent_a_stop(tmp_path: Path) -> None:
    with RealServer(tmp_path / "data") as server, ExitStack() as wires:
        place, cookie = table(server)
        for sent in (b"", HEAD, POST + b"Content-Length: 20\r\n\r\ncode=", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 200):
            for _ in range(20):
                connect(server, wires, sent)
        unread = [stream(server, wires, place) for _ in range(20)]
        for number in range(40):
            assert server.ask("POST", f"{place}/say", cookie, {"text": f"{number} " + "word " * 20})[0] == 303
        assert stopped(server) < MAX_STOP_SECONDS
        assert server.process.returncode == 0
        assert len(unread) == 20


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_stops_the_server_at_once(tmp_path: Path, how: signal.Signals) -> None:
    with ImpatientServer(tmp_path / "data", IMPATIENT_STORE="60") as server:
        place, cookie = table(server)
        with change(server, place, cookie):
            server.process.terminate()
            while server.process.poll() is None:
                server.process.send_signal(how)
                time.sleep(0.1)
            server.rest()
    assert server.process.returncode in (-signal.SIGTERM, -how), "either signal may arrive second"
