"""``tamaya serve --workers``: several processes that serve the same tables."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from tests.limits import WAIT
from tests.postgres import fresh_database
from tests.programs import TOGETHER, line_of, rest_of, run_python, start_python
from tests.support.servers import RealServer

pytestmark = pytest.mark.slow


@contextmanager
def two_workers(folder: Path) -> Iterator[RealServer]:
    with RealServer(folder, "--workers", "2", TAMAYA_DATABASE=fresh_database()) as server:
        yield server


def workers(server: RealServer) -> set[int]:
    """The process ids of the workers."""
    return {child.pid for child in psutil.Process(server.process.pid).children() if _serves(child)}


def _serves(process: psutil.Process) -> bool:
    try:
        return any("spawn_main" in word for word in process.cmdline())
    except psutil.Error:  # it has just ended
        return False


def wait_until(condition: Callable[[], object], what: str) -> None:
    until = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < until, f"waited {WAIT:g} s for {what}"
        time.sleep(0.05)


def has_ended(process: int) -> bool:
    try:
        return bool(psutil.Process(process).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


def test_a_killed_worker_is_replaced_and_tables_survive(tmp_path: Path) -> None:
    with two_workers(tmp_path) as server:
        _, cookie, _ = server.ask("GET", "/")
        status, place, _ = server.ask("POST", "/new", cookie, {"players": 2})
        assert status == 303
        for killed in sorted(workers(server)):
            before = workers(server)
            assert len(before) == 2
            os.kill(killed, signal.SIGKILL)
            wait_until(lambda: has_ended(killed), "the end of a process")  # noqa: B023 - waited for here
            assert server.ask("GET", place, cookie)[0] == 200, "the other worker serves"
            wait_until(lambda: len(workers(server) - {killed}) == 2, "another process")  # noqa: B023
        assert server.ask("GET", place, cookie)[0] == 200


def test_sighup_replaces_the_workers_one_by_one(tmp_path: Path) -> None:
    with two_workers(tmp_path) as server:
        before = workers(server)
        server.process.send_signal(signal.SIGHUP)
        while workers(server) & before:
            assert server.ask("GET", "/health")[0] == 200, "a worker serves at any time"
        wait_until(lambda: len(workers(server)) == 2, "two processes")
        assert server.ask("GET", "/health")[0] == 200


def test_a_second_sighup_leaves_no_extra_workers(tmp_path: Path) -> None:
    with two_workers(tmp_path) as server:
        before = workers(server)
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: len(workers(server)) > 2, "a successor to start")
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: not workers(server) & before and len(workers(server)) == 2, "two others")
        settled = workers(server)
        assert server.ask("GET", "/health")[0] == 200
        wait_until(lambda: len(workers(server)) == 2, "two workers")
        assert len(settled) == 2


def test_workers_that_exit_at_once_do_not_count_as_ready() -> None:
    with start_python("-m", "tests.support.stillborn", errors=TOGETHER, variables={"PYTHONUNBUFFERED": "1"}) as program:
        said = [line_of(program, "a process to end") for _ in range(4)]
        program.send_signal(signal.SIGTERM)
        rest = rest_of(program)[0]
    assert all("exited (3)" in line for line in said), said
    assert "ready" not in rest
    assert program.returncode == 0


def test_every_worker_reports_the_metrics_of_all(tmp_path: Path) -> None:
    with two_workers(tmp_path) as server:
        for _ in range(20):
            assert server.ask("GET", "/rules")[0] == 200
        status, _, text = server.ask("GET", "/metrics")
        assert status == 200
        counted = re.findall(r'^tamaya_requests_total\{[^}]*"/rules"[^}]*\} ([0-9.]+)$', text, re.MULTILINE)
        assert sum(map(float, counted)) == 20, text


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_stopping_the_supervisor_stops_all_workers(tmp_path: Path, how: signal.Signals) -> None:
    with two_workers(tmp_path) as server:
        serving = workers(server)
        server.process.send_signal(how)
        server.rest()
        assert server.process.returncode == 0
        assert all(map(has_ended, serving))


def test_workers_stop_when_the_supervisor_dies(tmp_path: Path) -> None:
    with two_workers(tmp_path) as server:
        serving = workers(server)
        server.process.kill()
        wait_until(lambda: all(map(has_ended, serving)), "the end of all processes")


def test_several_workers_require_postgresql(tmp_path: Path) -> None:
    done = run_python("-m", "tamaya", "serve", "--data", str(tmp_path), "--workers", "2", variables={"LC_ALL": "C"})
    assert (done.returncode, "name one with --database" in done.stderr) == (2, True)
