"""What a server writes to its log: a line for each thing, for people or for programs, and nothing that is a secret.

The message of an exception may hold a card, a name or a link, so it is never written; its kind and where it came about are.
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
"""What a line for programs also has, where it was given as `extra`."""
MAX_FRAMES = 12
"""So many places of an exception are named, the innermost last."""
MAX_EXCEPTIONS = 4
"""So many of the exceptions that led to one another, or came together."""


class TextFormatter(logging.Formatter):
    """Lines for people."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        problems = "".join(f" [{one['kind']}: {' > '.join(one['at'])}]" for one in _exceptions(record))
        return f"{record.levelname}: {_message(record)}{problems}"


class JsonFormatter(logging.Formatter):
    """Lines for programs: a JSON object each."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
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
    """Lets lines that are alike through so many times a minute: whoever finds a fault must not fill the disk with it."""

    def __init__(self, most: int = 20, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._most, self._clock, self._since = most, clock, clock()
        self._counts: Counter[tuple[object, ...]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this one is written; the last one says that others are not."""
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
    """The kind of an exception and of what led to it, each with the places it went through."""
    found: list[dict[str, Any]] = []
    left = [record.exc_info[1] if record.exc_info else None]
    while left and len(found) < MAX_EXCEPTIONS:
        problem = left.pop(0)
        if problem is None:
            continue
        found.append({"kind": type(problem).__qualname__, "at": _frames(problem.__traceback__)})
        left += getattr(problem, "exceptions", ())
        left.append(problem.__cause__ or (None if problem.__suppress_context__ else problem.__context__))
    return found


def _frames(trace: TracebackType | None) -> list[str]:
    frames = list(traceback.walk_tb(trace))[-MAX_FRAMES:]
    return [f"{'/'.join(PurePath(frame.f_code.co_filename).parts[-2:])}:{line}" for frame, line in frames]


def configure_logging(style: str) -> None:
    """Write what this process has to say to the standard error, also what nobody has caught: as ``text`` or as ``json``. To be
    called where an event loop runs."""
    handler = logging.StreamHandler()
    handler.addFilter(RepeatFilter())
    handler.setFormatter(JsonFormatter() if style == "json" else TextFormatter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    asyncio.get_running_loop().set_exception_handler(_log_loop_error)
    threading.excepthook = _log_thread_error
    sys.unraisablehook = _log_unraisable


def _log_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Say what happened; what it happened to is left out, as that names values."""
    logger.error("%s", context.get("message", "something failed"), exc_info=context.get("exception"))


def _log_thread_error(failed: threading.ExceptHookArgs) -> None:
    if failed.exc_type is not SystemExit:
        logger.error("a thread failed", exc_info=failed.exc_value)


def _log_unraisable(failed: sys.UnraisableHookArgs) -> None:
    logger.error("something failed where nobody could be told", exc_info=failed.exc_value)
