"""The `Metrics` port, and loggers that name tables by a fingerprint."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any, Literal, Protocol

CounterName = Literal["move", "bot_given_up", "search_given_up", "database_error", "database_reconnect"]
"""Counters: moves by a `person` or a `bot`; bot turns refused because the queue was full; searches without an answer; failed
database operations; reconnections to the database."""
TimerName = Literal["append", "bot_wait", "bot_think"]
"""Timers: storing events; waiting for a worker process; a bot's turn there, `plain` (built-in bots), `foreign` or `search`."""
QueueName = Literal["append", "bot"]
"""Queues: changes being stored; bots that wait for a process."""


class Metrics(Protocol):
    """Receives counts, durations and queue lengths. Calls must be cheap."""

    def count(self, what: CounterName, kind: str = "") -> None:
        """Count an event."""
        ...

    def time(self, what: TimerName, seconds: float, kind: str = "") -> None:
        """Record a duration."""
        ...

    def queue(self, what: QueueName, change: int, kind: str = "") -> None:
        """Change the length of a queue by one."""
        ...


class NoMetrics:
    """Discards all metrics."""

    def count(self, what: CounterName, kind: str = "") -> None:
        """Do nothing."""

    def time(self, what: TimerName, seconds: float, kind: str = "") -> None:
        """Do nothing."""

    def queue(self, what: QueueName, change: int, kind: str = "") -> None:
        """Do nothing."""


NO_METRICS: Metrics = NoMetrics()


@contextmanager
def timed(metrics: Metrics, what: TimerName, kind: str = "", queue: QueueName | None = None) -> Iterator[None]:
    """Record the duration of the block, however it ends, and count it in a queue while it lasts."""
    began = time.perf_counter()
    if queue:
        metrics.queue(queue, 1, kind)
    try:
        yield
    finally:
        if queue:
            metrics.queue(queue, -1, kind)
        metrics.time(what, time.perf_counter() - began, kind)


def fingerprint(code: str) -> str:
    """The name of a table in logs. Six digits tell tables apart but leave fifty million possible codes."""
    return hashlib.blake2b(code.encode(), digest_size=3).hexdigest()


class TableLogger(logging.LoggerAdapter[logging.Logger]):
    """A logger for one table, named by its fingerprint."""

    def __init__(self, logger: logging.Logger, code: str) -> None:
        super().__init__(logger, {"table": fingerprint(code)})

    def process(self, msg: Any, kwargs: MutableMapping[str, Any]) -> tuple[Any, MutableMapping[str, Any]]:
        """Add the fingerprint to the message, and as a field of its own for programs."""
        assert self.extra is not None
        return f"table {self.extra['table']}: {msg}", {**kwargs, "extra": self.extra}
