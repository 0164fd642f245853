"""How a store gets over a database that went away for a moment: what was asked is asked again, for as long as that helps."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from functools import wraps
from time import monotonic
from typing import Any, ParamSpec, TypeVar

from sqlalchemy.exc import DBAPIError

PATIENCE = 10.0
"""Seconds for which a database may be away before those who wait are told; PostgreSQL restarts in less."""
PAUSES = (0.0, 0.05, 0.1, 0.2, 0.4, 0.8)
"""Seconds between attempts; the last is repeated."""
GONE = ("08", "57P", "53300")
"""How the states of PostgreSQL begin that say the connection is lost, the server stops or starts, or all places are taken."""
IN_EACH_OTHERS_WAY = ("40001", "40P01")
"""Two transactions waited for each other, and one of them was given up: it only has to be tried again."""

P = ParamSpec("P")
T = TypeVar("T")


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


def pauses(patience: float | None = None) -> Iterator[float]:
    """How long to wait before each further attempt, until patience has run out."""
    until = monotonic() + (PATIENCE if patience is None else patience)
    for attempt in range(10**6):
        pause = PAUSES[min(attempt, len(PAUSES) - 1)]
        if monotonic() + pause > until:
            return
        yield pause


def reading(read: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Let a read begin again when the database was away, and go on when its caller has left, as readers of streams do: broken
    off, it would cost a connection. The store, whose method it is, knows of all that go on."""

    async def read_in_the_end(*args: P.args, **kwargs: P.kwargs) -> T:
        for pause in pauses():
            try:
                return await read(*args, **kwargs)
            except DBAPIError as problem:
                if not is_gone(problem):
                    raise
            await asyncio.sleep(pause)
        return await read(*args, **kwargs)

    @wraps(read)
    async def shielded(*args: P.args, **kwargs: P.kwargs) -> T:
        going_on: set[asyncio.Future[T]] = args[0].reads  # type: ignore[attr-defined]
        this = asyncio.ensure_future(read_in_the_end(*args, **kwargs))
        going_on.add(this)
        this.add_done_callback(going_on.discard)
        return await asyncio.shield(this)

    return shielded
