"""Other programs, as tests start them: never waited for without a limit, and heeding Ctrl+C however the tests were started.

The only module of the tests that starts any.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import pytest

from tests.limits import WAIT, within

ROOT = Path(__file__).parents[1]
TOGETHER = subprocess.STDOUT
Program = subprocess.Popen[str]
Done = subprocess.CompletedProcess[str]
NONE: Mapping[str, str] = {}


def run_python(
    *arguments: str,
    typed: str = "",
    folder: Path = ROOT,
    check: bool = False,
    limit: float = WAIT,
    variables: Mapping[str, str] = NONE,
    program: str = sys.executable,
) -> Done:
    """What Python, or another program, says when it is run with these arguments, to its end."""
    with start_python(*arguments, folder=folder, variables=variables, program=program) as running:
        said, complaints = rest_of(running, limit, typed)
    assert not check or running.returncode == 0, f"{running.args!r} ended with {running.returncode}:\n{complaints}"
    return Done(running.args, running.returncode, said, complaints)


@contextmanager
def start_python(
    *arguments: str,
    folder: Path = ROOT,
    errors: int | IO[str] = subprocess.PIPE,
    variables: Mapping[str, str] = NONE,
    program: str = sys.executable,
) -> Iterator[Program]:
    """Python, or another program, with a session of its own; it and all that it started are ended with the block."""
    with heeding_interruptions():
        running = Program(
            [program, *arguments],
            cwd=folder,
            env={**os.environ, **variables},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
        )
    try:
        yield running
    finally:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        for stream in filter(None, (running.stdin, running.stdout, running.stderr)):
            with suppress(BrokenPipeError):
                stream.close()
        running.wait(WAIT)


@contextmanager
def heeding_interruptions() -> Iterator[None]:
    """What is started here heeds Ctrl+C; what a shell started in the background does not, nor would its children."""
    is_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.default_int_handler) if is_main else None
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)


def rest_of(program: Program, limit: float = WAIT, typed: str = "") -> tuple[str, str]:
    """What a program says and complains about until it has ended, and all that it started has."""
    try:
        said, complaints = program.communicate(typed, timeout=limit)
    except subprocess.TimeoutExpired as late:
        pytest.fail(f"waited {limit:g} s for {late.cmd} to end; it has said {late.stdout!r} and {late.stderr!r}")
    return said, complaints or ""


def line_of(program: Program, awaited: str, limit: float = WAIT) -> str:
    """The next line that a program says; nothing once it has ended."""
    assert program.stdout is not None
    with within(limit, awaited):
        return program.stdout.readline()


def wait_until(is_so: Callable[[], bool], awaited: str, program: Program | None = None, limit: float = WAIT) -> None:
    """Look again and again until something is so; a program that should bring it about must not end before."""
    with within(limit, awaited):
        while not is_so():
            assert program is None or program.poll() is None, f"{awaited}: the program ended before, saying {rest_of(program)}"
            time.sleep(0.02)
