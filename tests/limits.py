"""No test waits for ever: each has a limit, and a wait inside it has a shorter one that says what it waits for.

Limits interrupt the main thread. Where that does not help (a thread that is stuck outside Python), pytest ends the process
itself, after `faulthandler_timeout`, and shows where every thread was.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

LONGEST = 300.0
"""The seconds that a test may take: several times what the slowest takes where everything has to be compiled first."""

WAIT = 60.0
"""The seconds that a program, a page or a line may take, unless a test knows better."""


@contextmanager
def within(seconds: float, awaited: str) -> Iterator[None]:
    """Fail when the block takes longer than that, and say what it waited for."""

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
