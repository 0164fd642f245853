"""Connecting to Ray: quietly, with words where it cannot be done, and leaving nothing of ours running."""

from __future__ import annotations

import logging
import os
import re
import secrets
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from tamaya.rules import MalformedError, Message, say
from tamaya.rules.errors import LeagueError, require

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
