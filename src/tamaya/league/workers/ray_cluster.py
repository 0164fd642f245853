"""Workers on the machines of a Ray cluster: connect, submit chunks, and end what was started here."""

from __future__ import annotations

import logging
import os
import re
import secrets
import socket
import subprocess
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from importlib.metadata import version
from time import monotonic
from typing import Any

from tamaya.league.matches import Chunk, sources
from tamaya.league.play import ChunkResult
from tamaya.league.workers import MAX_WORKERS, CompletedChunk, Work
from tamaya.league.workers.scheduler import schedule
from tamaya.rules import LeagueError, MalformedError, Message, TamayaError, require, say
from tamaya.rules.errors import checked_integer

RETRIES = 2
"""How often Ray itself restarts a chunk whose worker or machine was lost, before the scheduler does."""

CHUNKS_PER_CORE = 2
"""The chunks submitted per core, so that no core waits for its next one."""

CORE_COUNT_INTERVAL = 5.0
"""Seconds between counts of the cores, as machines join and leave."""


class Cluster:
    """Runs chunks on a Ray cluster: ``local`` starts Ray on this machine, ``auto`` finds a running one. An existing connection
    of the process to Ray is used and stays open."""

    def __init__(self, address: str, workers: int | None = None) -> None:
        self.address = address
        self.workers = None if workers is None else checked_integer("workers", workers, 1, MAX_WORKERS)

    def run(self, work: Work, chunks: Iterable[Chunk]) -> Generator[CompletedChunk]:
        """Yield every chunk once, as they complete."""
        with connected(self.address, self.workers) as ray:
            pool = _RayPool(ray, self.workers)
            try:
                yield from schedule(pool, work, chunks)
            except ray.exceptions.RayError as problem:
                message = say("The Ray cluster was lost: {problem}", problem=_last_line(problem))
                raise LeagueError("cluster_lost", message) from problem
            finally:
                pool.end()


class _RayPool:
    def __init__(self, ray: Any, workers: int | None) -> None:
        self._ray = ray
        self._workers = workers
        self._task = ray.remote(num_cpus=1, max_retries=RETRIES)(_attempt)
        self._running: set[Any] = set()
        self._width, self._counted = 0, float("-inf")

    def width(self) -> int:
        if monotonic() - self._counted >= CORE_COUNT_INTERVAL:
            cores = int(self._ray.cluster_resources().get("CPU", 0))
            self._width, self._counted = self._workers or max(CHUNKS_PER_CORE * cores, 1), monotonic()
        return self._width

    def submit(self, work: Work, chunk: Chunk) -> Any:
        ticket = self._task.remote(work, chunk, _own_version())
        self._running.add(ticket)
        return ticket

    def wait(self, tickets: Iterable[Any]) -> Iterable[Any]:
        return self._ray.wait(list(tickets), num_returns=1)[0]  # type: ignore[no-any-return]

    def result(self, ticket: Any) -> ChunkResult | None:
        self._running.discard(ticket)
        try:
            answer = self._ray.get(ticket)
        except self._ray.exceptions.RayTaskError as problem:
            message = say("A machine of the cluster cannot play: {problem}", problem=_last_line(problem))
            raise LeagueError("cluster_failed", message) from problem
        except self._ray.exceptions.RayError:
            return None
        if isinstance(answer, TamayaError):
            raise answer
        return answer  # type: ignore[no-any-return]

    def end(self) -> None:
        for ticket in self._running:
            self._ray.cancel(ticket, force=True)


def _attempt(work: Work, chunk: Chunk, wanted: str) -> ChunkResult | TamayaError:
    """Run a chunk in a worker. A `TamayaError` is returned, since Ray would wrap and retry a raised one."""
    if _own_version() != wanted:
        return LeagueError(
            "other_version",
            say(
                "A machine of the cluster has Tamaya {found}, and this one has {wanted}; give all the same.",
                found=_own_version(),
                wanted=wanted,
            ),
        )
    try:
        return work(chunk)
    except TamayaError as problem:
        return problem


@cache
def _own_version() -> str:
    return f"{version('tamaya')} ({sources()[:8]})"


def _last_line(problem: Exception) -> str:
    lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
    return lines[-1][:MAX_ERROR_LENGTH] if lines else type(problem).__name__


LOCAL, AUTO = "local", "auto"
CONNECT_TIMEOUT, PING_TIMEOUT = 3.0, 30.0
"""Seconds for a machine to accept a connection, and for Ray on it to answer."""

MAX_ERROR_LENGTH = 300
LOCAL_OPTIONS: dict[str, Any] = {"include_dashboard": False, "object_store_memory": 100 << 20, "_node_ip_address": "127.0.0.1"}
QUIET: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
_QUIET_ENVIRONMENT = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DEDUP_LOGS_SKIP_REGEX": ".*"}
_PING = """
import sys, ray
try:
    ray.init(address=sys.argv[1], log_to_driver=False, logging_level="ERROR")
except Exception as problem:
    print(problem)
    sys.exit(1)
"""


@contextmanager
def connected(address: str, workers: int | None) -> Iterator[Any]:
    """Connect to Ray at an address; in the end, disconnect and stop a Ray that was started here."""
    ray = _import_ray()
    if ray.is_initialized():
        yield ray
        return
    if address != LOCAL:
        _ping(ray, address)
    options = {"num_cpus": workers, **LOCAL_OPTIONS} if address == LOCAL else {}
    with _secret_token() if address == LOCAL else nullcontext():
        try:
            ray.init(address=address, **QUIET, **options)
        except Exception as problem:
            ray.shutdown()
            raise _unusable(address, _one_line(problem)) from problem
        try:
            yield ray
        finally:
            ray.shutdown()


def _import_ray() -> Any:
    """Import Ray with its log messages off: it reads these variables when imported, and would print to standard output."""
    for name, value in _QUIET_ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    return require("ray", "cluster")


@contextmanager
def _secret_token() -> Iterator[None]:
    """Give a Ray that is started here its own token: it listens to the network, and would save one in the home folder."""
    if any(name in os.environ for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")):
        yield
        return
    os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
    try:
        yield
    finally:
        del os.environ["RAY_AUTH_TOKEN"]


def _ping(ray: Any, address: str) -> None:
    """Check that Ray answers at an address, in a process with a timeout: Ray itself would try for minutes."""
    if address != AUTO:
        _check_port(ray, address)
    command = [sys.executable, "-c", _PING, address]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    with process:
        try:
            said, log = process.communicate(timeout=PING_TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            said, log = process.communicate()
        except BaseException:
            process.kill()
            raise
    if process.returncode != 0:
        raise _unusable(address, _refusal(said, log))


def _refusal(said: str, log: str) -> Message | str:
    """Return why Ray refused the connection, by its output and its log."""
    if "InvalidAuthToken" in log + said:
        return say("it asks for a token; set {settings} as on its own machines.", settings=("RAY_AUTH_MODE", "RAY_AUTH_TOKEN"))
    return _one_line(said) or say("no Ray answers there.")


def _check_port(ray: Any, address: str) -> None:
    """Check that a server listens at an address. Ray replaces a loopback address by that of this machine."""
    found = re.fullmatch(r"(?:ray://)?(\[[0-9A-Fa-f:.]+\]|[\w.-]+):(\d{1,5})", address, re.ASCII)
    if not found or not 0 < int(found[2]) < 1 << 16:
        message = say("“{address}” is no address of a Ray cluster; write {example}, or {auto} for the one on this machine, "
                      "or {local} to start one.",
                      address=address[:80], example="192.168.0.10:6379", auto=AUTO, local=LOCAL)  # fmt: skip
        raise MalformedError("bad_cluster", message)
    host, port = found[1].strip("[]"), int(found[2])
    hosts = [host, ray.util.get_node_ip_address()] if host in ("localhost", "127.0.0.1", "::1") else [host]
    problem: Any = None
    for place in hosts:
        try:
            socket.create_connection((place, port), timeout=CONNECT_TIMEOUT).close()
            return
        except OSError as refusal:
            problem = refusal
    raise _unusable(address, problem.strerror or str(problem))


def _unusable(address: str, problem: Any) -> LeagueError:
    message = say("The Ray cluster at {address} cannot be used: {problem}", address=address[:80], problem=problem)
    return LeagueError("cluster_unusable", message)


def _one_line(problem: object) -> str:
    return " ".join(str(problem).split())[:MAX_ERROR_LENGTH]
