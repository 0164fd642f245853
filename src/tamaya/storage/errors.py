"""Database errors: retries while the database is briefly unreachable, and messages for people."""

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

DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def said_by_database(problem: BaseException) -> str:
    """The first line of what a database says; of PostgreSQL it names host, port, user and database, and no password."""
    return (str(getattr(problem, "orig", None) or problem).splitlines() or [""])[0][:300]


def is_damage(problem: BaseException) -> bool:
    """Whether a SQLite file cannot be read because of what is in it."""
    return (getattr(_cause(problem), "sqlite_errorcode", 0) & 0xFF) in DAMAGE


@contextmanager
def in_words() -> Iterator[None]:
    """Refuse in words what fails in a database or on a disk."""
    try:
        yield
    except (OSError, sqlite3.Error, SQLAlchemyError) as problem:
        if is_damage(problem):
            message = say("This is not a database, or it is damaged.")
            raise MalformedError("damaged_database", message) from None
        if isinstance(problem, OSError):
            reason = f"{problem.filename or ''}: {problem.strerror or problem}".removeprefix(": ")
            raise MalformedError("bad_file", say("A file cannot be used: {problem}", problem=reason)) from None
        reason = said_by_database(problem)
        if isinstance(problem, SQLAlchemyError) and not isinstance(_cause(problem), sqlite3.Error):
            message = say("The PostgreSQL database cannot be used: {problem}", problem=reason)
            raise MalformedError("bad_database", message) from None
        raise MalformedError("bad_file", say("A file cannot be used: {problem}", problem=reason)) from None


def _cause(problem: BaseException) -> BaseException:
    return problem.orig if isinstance(problem, DBAPIError) and problem.orig else problem


logger = logging.getLogger(__name__)
PATIENCE = 10.0
"""Seconds for which a database may be away before those who wait are told; PostgreSQL restarts in less."""
PAUSES = (0.0, 0.05, 0.1, 0.2, 0.4, 0.8)
"""Seconds between attempts; the last is repeated."""
GONE = ("08", "57P", "53300")
"""How the states of PostgreSQL begin that say the connection is lost, the server stops or starts, or all places are taken."""
IN_EACH_OTHERS_WAY = ("40001", "40P01")
"""Two transactions waited for each other, and one of them was given up: it only has to be tried again."""

FAULTS = {
    "53100": "full",
    "53": "memory",
    "25006": "readonly",
    "58": "disk",
    "XX001": "damaged",
    "XX002": "damaged",
    "55P03": "busy",
    "57014": "busy",
}
"""How the states of PostgreSQL begin where the fault lies with its machine, and in which word it is counted."""


class DatabaseReader(Protocol):
    """Whatever reads from a database: it has a meter, and knows of all reads that go on."""

    meter: Metrics
    reads: set[asyncio.Future[Any]]


P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound=DatabaseReader)


def is_gone(problem: DBAPIError) -> bool:
    """Whether the database was out of reach, so that it may be back in a moment."""
    kind = type(problem.orig)
    if kind.__module__.partition(".")[0] != "psycopg":
        return False
    state = getattr(problem.orig, "sqlstate", None)
    lost = problem.connection_invalidated or (state is None and kind.__name__ in ("OperationalError", "InterfaceError"))
    return lost or (state or "").startswith(GONE)


def is_worth_repeating(problem: DBAPIError) -> bool:
    """Whether the same transaction may succeed if it is tried again at once."""
    return getattr(problem.orig, "sqlstate", None) in IN_EACH_OTHERS_WAY


def pauses(until: float | None = None) -> Iterator[float]:
    """How long to wait before each further attempt, until patience has run out, by itself `PATIENCE` from now. There is one
    attempt in any case."""
    until = monotonic() + PATIENCE if until is None else until
    for attempt in range(10**6):
        pause = PAUSES[min(attempt, len(PAUSES) - 1)]
        if attempt and monotonic() + pause > until:
            return
        yield pause


def unavailable(meter: Metrics) -> UnavailableError:
    """What to say where patience has run out."""
    meter.count("database_error", "gone")
    logger.error("the database cannot be reached")
    return UnavailableError()


def to_app_error(problem: DBAPIError, meter: Metrics) -> Exception:
    """What to raise for a problem: where the fault lies with the database's machine, that nothing can be kept now."""
    state = getattr(problem.orig, "sqlstate", None) or ""
    fault = next((word for beginning, word in FAULTS.items() if state.startswith(beginning)), "")
    if not fault:
        return problem
    meter.count("database_error", fault)
    logger.error("the database cannot keep anything: %s", fault)
    return UnavailableError()


def retry_reads(
    read: Callable[Concatenate[S, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Let a read begin again when the database was away, and go on when its caller has left, as readers of streams do: broken
    off, it would cost a connection. The store, whose method it is, knows of all that go on."""

    async def read_in_the_end(store: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        for pause in pauses():
            try:
                return await read(store, *args, **kwargs)
            except DBAPIError as problem:
                if not is_gone(problem):
                    raise to_app_error(problem, store.meter) from None
                store.meter.count("database_reconnect")
            except PoolTimeoutError:
                break
            await asyncio.sleep(pause)
        raise unavailable(store.meter)

    @wraps(read)
    async def shielded(store: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        this = asyncio.ensure_future(read_in_the_end(store, *args, **kwargs))
        store.reads.add(this)
        this.add_done_callback(store.reads.discard)
        return await asyncio.shield(this)

    return shielded
