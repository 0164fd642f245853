"""Log formatting: one line per record, as text or JSON, without secrets.

Exception messages may contain a card, a name or a link, so only the exception's type and its location are logged.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import PurePath
from types import TracebackType
from typing import Any

logger = logging.getLogger(__name__)
EXTRA_FIELDS = ("table",)
"""Fields of JSON lines that come from a record's `extra`."""
MAX_FRAMES = 12
"""The number of frames logged per exception, the innermost last."""
MAX_EXCEPTIONS = 4
"""The number of exceptions logged of a chain or group."""


class TextFormatter(logging.Formatter):
    """Formats records as text."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record as one line."""
        problems = "".join(f" [{one['kind']}: {' > '.join(one['at'])}]" for one in _exceptions(record))
        return f"{record.levelname}: {_message(record)}{problems}"


class JsonFormatter(logging.Formatter):
    """Formats records as JSON objects."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record as one line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
        }
        line |= {name: str(value) for name in EXTRA_FIELDS if (value := vars(record).get(name)) is not None}
        if problems := _exceptions(record):
            line["problems"] = problems
        return json.dumps(line, ensure_ascii=False)


class RepeatFilter(logging.Filter):
    """Limits how often similar lines are logged per minute, so that a bug that visitors trigger cannot fill the disk."""

    def __init__(self, most: int = 20, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._most, self._clock, self._since = most, clock, clock()
        self._counts: Counter[tuple[object, ...]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to log the record; the last one before suppression says so."""
        now = self._clock()
        if now - self._since >= 60:
            self._since = now
            self._counts.clear()
        kind = (record.name, record.msg, record.exc_info and record.exc_info[0])
        self._counts[kind] += 1
        if self._counts[kind] == self._most:
            record.msg = f"{record.msg} (no more of these for a minute)"
        return self._counts[kind] <= self._most


def _message(record: logging.LogRecord) -> str:
    return " ".join(record.getMessage().split())


def _exceptions(record: logging.LogRecord) -> list[dict[str, Any]]:
    """The types of an exception and of its causes, each with the locations in its traceback."""
    found: list[dict[str, Any]] = []
    pending = [record.exc_info[1] if record.exc_info else None]
    while pending and len(found) < MAX_EXCEPTIONS:
        exception = pending.pop(0)
        if exception is None:
            continue
        found.append({"kind": type(exception).__qualname__, "at": _frames(exception.__traceback__)})
        pending += getattr(exception, "exceptions", ())
        pending.append(exception.__cause__ or (None if exception.__suppress_context__ else exception.__context__))
    return found


def _frames(trace: TracebackType | None) -> list[str]:
    frames = list(traceback.walk_tb(trace))[-MAX_FRAMES:]
    return [f"{'/'.join(PurePath(frame.f_code.co_filename).parts[-2:])}:{line}" for frame, line in frames]


def configure_logging(style: str) -> None:
    """Log to standard error as ``text`` or ``json``, uncaught exceptions included; call it in a running event loop."""
    handler = logging.StreamHandler()
    handler.addFilter(RepeatFilter())
    handler.setFormatter(JsonFormatter() if style == "json" else TextFormatter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    asyncio.get_running_loop().set_exception_handler(_log_loop_error)
    threading.excepthook = _log_thread_error
    sys.unraisablehook = _log_unraisable


def _log_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an error of the event loop without its context, which contains values."""
    logger.error("%s", context.get("message", "event loop error"), exc_info=context.get("exception"))


def _log_thread_error(args: threading.ExceptHookArgs) -> None:
    if args.exc_type is not SystemExit:
        logger.error("uncaught exception in a thread", exc_info=args.exc_value)


def _log_unraisable(args: sys.UnraisableHookArgs) -> None:
    logger.error("unraisable exception", exc_info=args.exc_value)
