"""Real servers in processes of their own, and connections to them."""

from __future__ import annotations

import http.client
import re
import select
import socket
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlencode

from tests.limits import WAIT
from tests.programs import TOGETHER, line_of, rest_of, start_python


class RealServer:
    """``tamaya serve`` on a free port of this machine."""

    program: tuple[str, ...] = (sys.executable, "-m", "tamaya")

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        self._command = (*self.program, "serve", "--port", "0", "--data", str(folder), "--no-open", *arguments)
        self._environment = {
            "LC_ALL": "C",
            "TAMAYA_LIMITS": "false",
            "TAMAYA_BOT_PAUSE": "0",
            "TAMAYA_WARM_UP": "false",
            "PYTHONUNBUFFERED": "1",
            **environment,
        }
        self.port = 0
        self.said = ""

    def __enter__(self) -> Self:
        self._running = start_python(*self._command[1:], program=self._command[0], errors=TOGETHER, variables=self._environment)
        self.process = self._running.__enter__()
        while not (found := re.search(r"http://\S+:(\d+)/", self.said)):
            line = line_of(self.process, "the server to say its address")
            assert line, self.said
            self.said += line
        self.port = int(found[1])
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        self._running.__exit__(kind, problem, trace)

    def kill(self) -> str:
        """Kill the server; returns its remaining output, once all of its children have ended."""
        self.process.kill()
        return self.rest()

    def rest(self) -> str:
        """The remaining output, up to the end of the server and all of its children."""
        return rest_of(self.process)[0]

    def peak(self) -> float:
        """The peak memory in MiB, or 0 where the system does not report it."""
        with suppress(OSError):
            found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{self.process.pid}/status").read_text())
            return int(found[1]) / 1024 if found else 0.0
        return 0.0

    def ask(self, method: str, path: str, cookie: str = "", fields: dict[str, object] | None = None) -> tuple[int, str, str]:
        """Send a request; returns its status, its redirect or cookie, and the page."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, urlencode(fields or {}), self.headers(cookie))
            answer = connection.getresponse()
            text = answer.read().decode(errors="replace")  # images are requested as well
            found = re.search(r"tamaya=([^;]+)", answer.headers.get("set-cookie", ""))
            return answer.status, answer.headers.get("location", "") or (found[1] if found else ""), text
        finally:
            connection.close()

    def headers(self, cookie: str) -> dict[str, str]:
        return {
            "Origin": f"http://127.0.0.1:{self.port}",
            "Host": f"127.0.0.1:{self.port}",
            "Cookie": f"tamaya={cookie}",
            "Content-Type": "application/x-www-form-urlencoded",
            "HX-Request": "",
        }

    def send_only(self, path: str, cookie: str, fields: dict[str, object]) -> socket.socket:
        """Send a change without waiting for the response."""
        body = urlencode(fields)
        head = "".join(f"{name}: {value}\r\n" for name, value in self.headers(cookie).items())
        wire = socket.create_connection(("127.0.0.1", self.port), timeout=WAIT)
        wire.sendall(f"POST {path} HTTP/1.1\r\n{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        return wire


PATIENCE = 20.0
"""The seconds by which a connection with a timeout of half a second must be closed."""
HEAD = b"GET /health HTTP/1.1\r\nHost: x\r\n"
POST = b"POST /join HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nContent-Type: application/x-www-form-urlencoded\r\n"


def connect(server: RealServer, wires: ExitStack, sent: bytes = b"", host: str = "127.0.0.1") -> socket.socket:
    """A connection with a small receive buffer, from one of this machine's addresses."""
    wire = wires.enter_context(socket.socket())
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    wire.settimeout(PATIENCE)
    wire.bind((host, 0))
    wire.connect(("127.0.0.1", server.port))
    wire.sendall(sent)
    return wire


def is_ended(wire: socket.socket, seconds: float = 0.0) -> bool:
    """Whether the server closes a connection within N seconds; pending output is read first."""
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
    """Whether an unread connection is reset within N seconds."""
    poll = select.poll()
    poll.register(wire, 0)
    return bool(poll.poll(seconds * 1000))


def answered(server: RealServer, wires: ExitStack, host: str = "127.0.0.1") -> bytes:
    """The response status of a new connection, empty if there is none."""
    wire = connect(server, wires, HEAD + b"Connection: close\r\n\r\n", host)
    with suppress(ConnectionError):
        return wire.recv(4096)[9:12]
    return b""


def table(server: RealServer) -> tuple[str, str]:
    """The path of a new table, and its host's cookie."""
    _, cookie, _ = server.ask("GET", "/")
    _, place, _ = server.ask("POST", "/new", cookie, {"players": 2})
    return place, cookie


def stream(server: RealServer, wires: ExitStack, place: str, host: str = "127.0.0.1") -> socket.socket:
    """A live page of a table."""
    wire = connect(server, wires, f"GET {place}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode(), host)
    assert b"text/event-stream" in wire.recv(1024)
    return wire
