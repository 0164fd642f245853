"""No test waits forever: each has a timeout, and a wait inside it has a shorter one that says what it waits for.

Timeouts interrupt the main thread. Where that does not help (a thread stuck outside Python), pytest ends the process after
`faulthandler_timeout` and shows all stacks.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

TEST_TIMEOUT = 300.0
"""Seconds for a test: several times what the slowest takes when everything is compiled first."""

WAIT = 60.0
"""The default timeout for a program, a page or a line, in seconds."""


@contextmanager
def within(seconds: float, awaited: str) -> Iterator[None]:
    """Fail if the block takes longer than `seconds`, saying what it waited for."""

    def give_up(*_: Any) -> None:
        pytest.fail(f"waited {seconds:g} s for {awaited}")

    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return
    began, (left, _) = time.monotonic(), signal.getitimer(signal.ITIMER_REAL)
    if 0 < left < seconds:
        yield
        return
    outer = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, outer)
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(0.001, left - (time.monotonic() - began)))
