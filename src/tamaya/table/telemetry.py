"""The `Metrics` port, and how tables are named in logs."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any, Literal, Protocol

Counted = Literal["move", "bot_given_up", "search_given_up", "database_error", "database_reconnect"]
"""Things that happen: a move by a `person` or a `bot`; a bot's turn for which there was no room to wait; a search without an
answer; an attempt at the database that failed; a connection to it that had to be made again."""
Timed = Literal["append", "bot_wait", "bot_think"]
"""Things that take time: keeping what was decided; waiting for a process to think in; thinking there, `plain` (those of
the house), `foreign` or `search`."""
Queued = Literal["append", "bot"]
"""Things that wait their turn, or are at work: changes on their way to the disk; bots without a process."""


class Metrics(Protocol):
    """Hears how often things happen, how long they take and how many wait. It is told in passing, so it has to be quick."""

    def count(self, what: Counted, kind: str = "") -> None:
        """Hear that something has happened."""
        ...

    def time(self, what: Timed, seconds: float, kind: str = "") -> None:
        """Hear how long something took."""
        ...

    def queue(self, what: Queued, change: int, kind: str = "") -> None:
        """Hear that one more waits, or one fewer."""
        ...


class NoMetrics:
    """Hears everything and keeps nothing."""

    def count(self, what: Counted, kind: str = "") -> None:
        """Nothing."""

    def time(self, what: Timed, seconds: float, kind: str = "") -> None:
        """Nothing."""

    def queue(self, what: Queued, change: int, kind: str = "") -> None:
        """Nothing."""


NO_METRICS: Metrics = NoMetrics()


@contextmanager
def timed(meter: Metrics, what: Timed, kind: str = "", queue: Queued | None = None) -> Iterator[None]:
    """Tell how long the block took, however it ended, and while it lasts that one more is in a queue."""
    began = time.perf_counter()
    if queue:
        meter.queue(queue, 1, kind)
    try:
        yield
    finally:
        if queue:
            meter.queue(queue, -1, kind)
        meter.time(what, time.perf_counter() - began, kind)


def fingerprint(code: str) -> str:
    """What a log calls a table. Six digits tell tables apart and leave fifty million codes that it could be."""
    return hashlib.blake2b(code.encode(), digest_size=3).hexdigest()


class TableLogger(logging.LoggerAdapter[logging.Logger]):
    """Logs what concerns one table, under its fingerprint."""

    def __init__(self, logger: logging.Logger, code: str) -> None:
        super().__init__(logger, {"table": fingerprint(code)})

    def process(self, msg: Any, kwargs: MutableMapping[str, Any]) -> tuple[Any, MutableMapping[str, Any]]:
        """Name the table in the sentence, and by itself for programs."""
        assert self.extra is not None
        return f"table {self.extra['table']}: {msg}", {**kwargs, "extra": self.extra}
