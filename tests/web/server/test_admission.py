"""Connections that keep the server waiting are closed, and do not block others."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tamaya.web.http.client import address_of
from tests.limits import within
from tests.support.impatient import ImpatientServer
from tests.support.servers import HEAD, PATIENCE, POST, answered, connect, is_cut_off, is_ended, stream, table

pytestmark = pytest.mark.slow
FOREVER = "3600"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ImpatientServer]:
    with ImpatientServer(tmp_path / "data") as started:
        yield started


@pytest.fixture
def wires() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.mark.parametrize("sent", [b"", b"G", HEAD, HEAD + b"\r\n" + HEAD, POST + b"Content-Length: 20\r\n\r\ncode=", POST
                                  + b"Transfer-Encoding: chunked\r\n\r\n5\r\ncode=", HEAD + b"Content-Length: 100\r\n\r\n"],
                         ids=["nothing", "a letter", "half a head", "half of a second head", "half a body", "a chunk of a body",
                              "no body for an answer"])  # fmt: skip
def test_incomplete_requests_time_out(server: ImpatientServer, wires: ExitStack, sent: bytes) -> None:
    assert is_ended(connect(server, wires, sent), PATIENCE)
    assert answered(server, wires) == b"200"


@pytest.mark.parametrize("sent", [b"GET / HTTP/1.1\r\nx: ", POST + b"Content-Length: 16000\r\n\r\n"], ids=["head", "body"])
def test_single_bytes_do_not_extend_the_timeout(server: ImpatientServer, wires: ExitStack, sent: bytes) -> None:
    wire = connect(server, wires, sent)
    with within(PATIENCE, "a dripping connection to be ended"), suppress(ConnectionError):
        while not is_ended(wire, 0.1):
            wire.send(b"x")


def test_the_body_of_a_refused_request_is_not_read_forever(server: ImpatientServer, wires: ExitStack) -> None:
    wire = connect(server, wires, HEAD + b"Content-Length: 999999999\r\n\r\n")
    with within(PATIENCE, "a body without end to be ended"), suppress(ConnectionError):
        while not is_ended(wire, 0.01):
            wire.send(b"x" * 1024)


def test_a_slow_upload_does_not_time_out(tmp_path: Path, wires: ExitStack) -> None:
    with ImpatientServer(tmp_path / "data", IMPATIENT_SECONDS="3") as server:
        sent = 0
        wire = connect(server, wires, POST.replace(b"/join", b"/bring") + b"Content-Length: 1000000\r\n\r\n")
        while sent < 1_000_000:
            assert not is_ended(wire), "it has kept sending"
            sent += wire.send(b"x" * 20_000)
            time.sleep(0.1)
        assert wire.recv(4096).startswith(b"HTTP/1.1 ")


def test_an_unread_stream_is_closed_and_uses_no_memory(server: ImpatientServer, wires: ExitStack) -> None:
    place, cookie = table(server)
    wire = stream(server, wires, place)
    before, changes = server.peak(), 0

    def is_over() -> bool:
        nonlocal changes
        changes += 1
        assert server.ask("POST", f"{place}/say", cookie, {"text": f"{changes} " + "word " * 20})[0] == 303
        return is_cut_off(wire, 0.01)

    with within(60.0, "a stream that nobody reads to be cut off"):
        while not is_over():
            pass
    assert server.peak() - before < 16
    assert server.ask("GET", place, cookie)[0] == 200


def test_connections_with_unread_responses_are_closed(server: ImpatientServer, wires: ExitStack) -> None:
    wire = connect(server, wires, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 200)
    assert is_cut_off(wire, PATIENCE)
    assert answered(server, wires) == b"200"


def crowded(server: ImpatientServer, wires: ExitStack, count: int, host: str = "127.0.0.1") -> list[socket.socket]:
    """Idle connections."""
    return [connect(server, wires, host=host) for _ in range(count)]


def test_idle_connections_make_room_when_descriptors_run_out(tmp_path: Path, wires: ExitStack) -> None:
    with ImpatientServer(tmp_path / "data", IMPATIENT_SECONDS=FOREVER, IMPATIENT_DESCRIPTORS="200") as server:
        place, cookie = table(server)
        page = stream(server, wires, place)
        silent = crowded(server, wires, 300)
        assert answered(server, wires) == b"200"
        assert is_ended(silent[0], PATIENCE), "the oldest was closed"
        assert not is_ended(silent[-1])
        assert not is_ended(page)
        assert server.ask("POST", f"{place}/say", cookie, {"text": "still here"})[0] == 303


def test_the_server_recovers_from_running_out_of_descriptors(tmp_path: Path, wires: ExitStack) -> None:
    wishes = {"IMPATIENT_SECONDS": FOREVER, "IMPATIENT_DESCRIPTORS": "120", "IMPATIENT_RESERVED": "0"}
    with ImpatientServer(tmp_path / "data", **wishes) as server:
        crowded(server, wires, 300)
        assert answered(server, wires) == b"200"
        server.process.terminate()
        assert server.rest().count("Too many open files") <= 1, "logged once"


def test_connections_per_address_are_limited_and_idle_ones_make_room(tmp_path: Path, wires: ExitStack) -> None:
    wishes = {"IMPATIENT_SECONDS": FOREVER, "IMPATIENT_MAX_PER_ADDRESS": "20", "TAMAYA_PROXY": "10.0.0.1"}
    with ImpatientServer(tmp_path / "data", **wishes) as server:
        others = crowded(server, wires, 10, "127.0.0.2")
        silent = crowded(server, wires, 50)
        assert answered(server, wires) == b"200"
        assert all(is_ended(wire, PATIENCE) for wire in silent[:30])
        assert not any(is_ended(wire) for wire in [*silent[31:], *others])
        place, _ = table(server)
        pages = [stream(server, wires, place) for _ in range(20)]
        assert answered(server, wires) == b"503", "all twenty are in use"
        assert answered(server, wires, "127.0.0.2") == b"200"
        assert not any(map(is_ended, pages))


def test_trusted_proxies_have_no_limit_per_address(tmp_path: Path, wires: ExitStack) -> None:
    with ImpatientServer(tmp_path / "data", IMPATIENT_SECONDS=FOREVER, IMPATIENT_MAX_PER_ADDRESS="20") as server:
        silent = crowded(server, wires, 50)
        assert answered(server, wires) == b"200"
        assert not any(map(is_ended, silent))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::7", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("fe80::1%eth0", "fe80::2", True),
        ("a socket", "another", False),
    ],
)
def test_an_ipv6_network_counts_as_one_address(one: str, other: str, same: bool) -> None:
    assert (address_of(one) == address_of(other)) is same


def broken_off(server: ImpatientServer, wires: ExitStack) -> None:
    connect(server, wires, POST + b"Content-Length: 20\r\n\r\ncode=").close()


def in_another_language(server: ImpatientServer, wires: ExitStack) -> None:
    connect(server, wires, b"\x16\x03\x01\x02\x00\r\n\r\n").recv(4096)


def for_another_protocol(server: ImpatientServer, wires: ExitStack) -> None:
    connect(server, wires, HEAD + b"Connection: upgrade\r\nUpgrade: websocket\r\n\r\n").recv(4096)


@pytest.mark.parametrize("ask", [broken_off, in_another_language, for_another_protocol])
def test_malformed_requests_are_not_logged(
    server: ImpatientServer, wires: ExitStack, ask: Callable[[ImpatientServer, ExitStack], None]
) -> None:
    for _ in range(5):
        ask(server, wires)
        assert answered(server, wires) == b"200"
    server.process.terminate()
    assert server.rest().count("\n") <= 1, "only the hint on how to stop the server"
