"""Playing on the machines of a Ray cluster."""

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

from tamaya.league.matches import Chunk
from tamaya.league.play import ChunkResult
from tamaya.league.workers import MOST_WORKERS, Done, Work
from tamaya.league.workers.scheduler import dispatch
from tamaya.rules import MalformedError, Message, TamayaError, say
from tamaya.rules.errors import LeagueError, require
from tamaya.rules.validation import checked_integer
from tamaya.sim.sources import sources

RETRIES = 2
"""How often Ray itself plays a chunk again whose worker or machine was lost, before it is handed out anew."""

AHEAD = 2
"""How many chunks are under way for each core, so that none waits for its next one."""

LOOK_AGAIN = 5.0
"""Seconds after which the cores are counted anew, as machines come and go."""


class Cluster:
    """Plays on a Ray cluster, by its address; ``local`` starts a Ray on this machine, ``auto`` finds a running one.

    A Ray to which the program is connected already is used as it is, and stays.
    """

    def __init__(self, address: str, workers: int | None = None) -> None:
        self.address = address
        self.workers = None if workers is None else checked_integer("workers", workers, 1, MOST_WORKERS)

    def run(self, work: Work, chunks: Iterable[Chunk]) -> Generator[Done]:
        """Every chunk once, as they get done."""
        with connected(self.address, self.workers) as ray:
            crew = _Crew(ray, self.workers)
            try:
                yield from dispatch(crew, work, chunks)
            except ray.exceptions.RayError as problem:
                message = say("The Ray cluster was lost: {problem}", problem=_last_line(problem))
                raise LeagueError("cluster_lost", message) from problem
            finally:
                crew.end()


class _Crew:
    """The workers of a cluster, to which Ray gives what we submit."""

    def __init__(self, ray: Any, workers: int | None) -> None:
        self._ray = ray
        self._workers = workers
        self._task = ray.remote(num_cpus=1, max_retries=RETRIES)(_attempt)
        self._underway: set[Any] = set()
        self._width, self._counted = 0, float("-inf")

    def width(self) -> int:
        if monotonic() - self._counted >= LOOK_AGAIN:
            cores = int(self._ray.cluster_resources().get("CPU", 0))
            self._width, self._counted = self._workers or max(AHEAD * cores, 1), monotonic()
        return self._width

    def begin(self, work: Work, chunk: Chunk) -> Any:
        ticket = self._task.remote(work, chunk, _own_version())
        self._underway.add(ticket)
        return ticket

    def ended(self, tickets: Iterable[Any]) -> Iterable[Any]:
        return self._ray.wait(list(tickets), num_returns=1)[0]  # type: ignore[no-any-return]

    def answer(self, ticket: Any) -> ChunkResult | None:
        self._underway.discard(ticket)
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
        for ticket in self._underway:
            self._ray.cancel(ticket, force=True)


def _attempt(work: Work, chunk: Chunk, wanted: str) -> ChunkResult | TamayaError:
    """What a worker does. Refusals are handed back as values: to Ray they would be failures of its own."""
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
    """The version, and a piece of the fingerprint of the source, which is what plays."""
    return f"{version('tamaya')} ({sources()[:8]})"


def _last_line(problem: Exception) -> str:
    """What a problem of Ray's comes to, without the trace before it."""
    lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
    return lines[-1][:LONGEST_QUOTE] if lines else type(problem).__name__


LOCAL, AUTO = "local", "auto"
LONGEST_KNOCK, LONGEST_GREETING = 3.0, 30.0
"""Seconds for a machine to take a connection, and for Ray on it to answer."""

LONGEST_QUOTE = 300
ALONE: dict[str, Any] = {"include_dashboard": False, "object_store_memory": 100 << 20, "_node_ip_address": "127.0.0.1"}
QUIET: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
_QUIET_ENVIRONMENT = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DEDUP_LOGS_SKIP_REGEX": ".*"}
_GREETING = """
import sys, ray
try:
    ray.init(address=sys.argv[1], log_to_driver=False, logging_level="ERROR")
except Exception as problem:
    print(problem)
    sys.exit(1)
"""


@contextmanager
def connected(address: str, workers: int | None) -> Iterator[Any]:
    """Ray, connected to that address. What is started here is ended here."""
    ray = _imported()
    if ray.is_initialized():
        yield ray
        return
    if address != LOCAL:
        _greet(ray, address)
    options = {"num_cpus": workers, **ALONE} if address == LOCAL else {}
    with _others_kept_out() if address == LOCAL else nullcontext():
        try:
            ray.init(address=address, **QUIET, **options)
        except Exception as problem:
            ray.shutdown()
            raise _unusable(address, _in_one_line(problem)) from problem
        try:
            yield ray
        finally:
            ray.shutdown()


def _imported() -> Any:
    """Ray with its chatter off; it reads these settings when it is imported, and would print on the standard output."""
    for name, value in _QUIET_ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    return require("ray", "cluster")


@contextmanager
def _others_kept_out() -> Iterator[None]:
    """Give a Ray that is started here a token of its own: it listens to the network, and would keep one in the home folder."""
    if any(name in os.environ for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")):
        yield
        return
    os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
    try:
        yield
    finally:
        del os.environ["RAY_AUTH_TOKEN"]


def _greet(ray: Any, address: str) -> None:
    """See whether Ray answers there, in a process that can be given up: Ray itself would try for minutes."""
    if address != AUTO:
        _knock(ray, address)
    command = [sys.executable, "-c", _GREETING, address]
    greeting = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    with greeting:
        try:
            said, log = greeting.communicate(timeout=LONGEST_GREETING)
        except subprocess.TimeoutExpired:
            greeting.kill()
            said, log = greeting.communicate()
        except BaseException:
            greeting.kill()
            raise
    if greeting.returncode != 0:
        raise _unusable(address, _refusal(said, log))


def _refusal(said: str, log: str) -> Message | str:
    """Why Ray would not have us, by what it said and by what it wrote to its log meanwhile."""
    if "InvalidAuthToken" in log + said:
        return say("it asks for a token; set {settings} as on its own machines.", settings=("RAY_AUTH_MODE", "RAY_AUTH_TOKEN"))
    return _in_one_line(said) or say("no Ray answers there.")


def _knock(ray: Any, address: str) -> None:
    """See whether anything listens there; Ray takes this machine's own address for a loopback one."""
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
            socket.create_connection((place, port), timeout=LONGEST_KNOCK).close()
            return
        except OSError as refusal:
            problem = refusal
    raise _unusable(address, problem.strerror or str(problem))


def _unusable(address: str, problem: Any) -> LeagueError:
    message = say("The Ray cluster at {address} cannot be used: {problem}", address=address[:80], problem=problem)
    return LeagueError("cluster_unusable", message)


def _in_one_line(problem: object) -> str:
    return " ".join(str(problem).split())[:LONGEST_QUOTE]
