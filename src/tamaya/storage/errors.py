"""Database errors: retries while the database is briefly unreachable, and messages for users."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import wraps
from time import monotonic
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from tamaya.rules import MalformedError, UnavailableError, say
from tamaya.table.telemetry import Metrics

DAMAGE_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def database_message(problem: BaseException) -> str:
    """The first line of a database error; PostgreSQL's name host, port, user and database, but no password."""
    return (str(getattr(problem, "orig", None) or problem).splitlines() or [""])[0][:300]


def is_damage(problem: BaseException) -> bool:
    """Whether SQLite found its file to be corrupt or not a database."""
    return (getattr(_cause(problem), "sqlite_errorcode", 0) & 0xFF) in DAMAGE_CODES


@contextmanager
def as_user_errors() -> Iterator[None]:
    """Turn errors of a database or a disk into a `MalformedError` with a message for users."""
    try:
        yield
    except (OSError, sqlite3.Error, SQLAlchemyError) as problem:
        if is_damage(problem):
            message = say("This is not a database, or it is damaged.")
            raise MalformedError("damaged_database", message) from None
        if isinstance(problem, OSError):
            reason = f"{problem.filename or ''}: {problem.strerror or problem}".removeprefix(": ")
            raise MalformedError("bad_file", say("A file cannot be used: {problem}", problem=reason)) from None
        reason = database_message(problem)
        if isinstance(problem, SQLAlchemyError) and not isinstance(_cause(problem), sqlite3.Error):
            message = say("The PostgreSQL database cannot be used: {problem}", problem=reason)
            raise MalformedError("bad_database", message) from None
        raise MalformedError("bad_file", say("A file cannot be used: {problem}", problem=reason)) from None


def _cause(problem: BaseException) -> BaseException:
    return problem.orig if isinstance(problem, DBAPIError) and problem.orig else problem


logger = logging.getLogger(__name__)
RETRY_TIMEOUT = 10.0
"""Seconds for which an unreachable database is retried; PostgreSQL restarts in less."""
RETRY_DELAYS = (0.0, 0.05, 0.1, 0.2, 0.4, 0.8)
"""Seconds to wait after each failed attempt; the last is repeated."""
UNREACHABLE_STATES = ("08", "57P", "53300")
"""Prefixes of SQLSTATEs for a lost connection, a server that stops or starts, and too many connections."""
DEADLOCK_STATES = ("40001", "40P01")
"""SQLSTATEs of serialization failures and deadlocks, after which the transaction is simply run again."""

FAULT_STATES = {
    "53100": "full",
    "53": "memory",
    "25006": "readonly",
    "58": "disk",
    "XX001": "damaged",
    "XX002": "damaged",
    "55P03": "busy",
    "57014": "busy",
}
"""Prefixes of SQLSTATEs for faults of the database's machine, and the metric label of each."""


class DatabaseReader(Protocol):
    """An object whose methods can be decorated with `retry_reads`."""

    meter: Metrics
    reads: set[asyncio.Future[Any]]


P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound=DatabaseReader)


def is_unreachable(problem: DBAPIError) -> bool:
    """Whether PostgreSQL was unreachable, and may be back in a moment."""
    kind = type(problem.orig)
    if kind.__module__.partition(".")[0] != "psycopg":
        return False
    state = getattr(problem.orig, "sqlstate", None)
    lost = problem.connection_invalidated or (state is None and kind.__name__ in ("OperationalError", "InterfaceError"))
    return lost or (state or "").startswith(UNREACHABLE_STATES)


def is_deadlock(problem: DBAPIError) -> bool:
    """Whether the same transaction may succeed if it is run again at once."""
    return getattr(problem.orig, "sqlstate", None) in DEADLOCK_STATES


def retry_delays(deadline: float | None = None) -> Iterator[float]:
    """Yield once per attempt the delay to wait if it fails, until the deadline: by default `RETRY_TIMEOUT` from now."""
    deadline = monotonic() + RETRY_TIMEOUT if deadline is None else deadline
    for attempt in range(10**6):
        pause = RETRY_DELAYS[min(attempt, len(RETRY_DELAYS) - 1)]
        if attempt and monotonic() + pause > deadline:
            return
        yield pause


def unavailable(meter: Metrics) -> UnavailableError:
    """Count and log that the database stayed unreachable; returns the error to raise."""
    meter.count("database_error", "gone")
    logger.error("database unreachable")
    return UnavailableError()


def to_app_error(problem: DBAPIError, meter: Metrics) -> Exception:
    """The error to raise for a database error: `UnavailableError` if the database's machine is at fault."""
    state = getattr(problem.orig, "sqlstate", None) or ""
    fault = next((word for beginning, word in FAULT_STATES.items() if state.startswith(beginning)), "")
    if not fault:
        return problem
    meter.count("database_error", fault)
    logger.error("database unavailable: %s", fault)
    return UnavailableError()


def retry_reads(
    read: Callable[Concatenate[S, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Decorate a method that reads: retry it while the database is unreachable, and let it finish if its caller is cancelled,
    because a cancelled read costs a connection. `store.reads` has all reads in progress."""

    async def read_with_retries(store: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        for pause in retry_delays():
            try:
                return await read(store, *args, **kwargs)
            except DBAPIError as problem:
                if not is_unreachable(problem):
                    raise to_app_error(problem, store.meter) from None
                store.meter.count("database_reconnect")
            except PoolTimeoutError:
                break
            await asyncio.sleep(pause)
        raise unavailable(store.meter)

    @wraps(read)
    async def shielded(store: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        reading = asyncio.ensure_future(read_with_retries(store, *args, **kwargs))
        store.reads.add(reading)
        reading.add_done_callback(store.reads.discard)
        return await asyncio.shield(reading)

    return shielded
