"""Starting other programs, with timeouts and working Ctrl+C; no other module of the tests starts any."""

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
    """Run Python, or another program, to its end, and return its output."""
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
    """Start Python, or another program, in a new session; it and its children are killed at the end of the block."""
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
    """Let children handle Ctrl+C, which a shell disables for programs it starts in the background, and for their children."""
    is_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.default_int_handler) if is_main else None
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)


def rest_of(program: Program, limit: float = WAIT, typed: str = "") -> tuple[str, str]:
    """The remaining output and errors of a program and its children, once all have ended."""
    try:
        said, complaints = program.communicate(typed, timeout=limit)
    except subprocess.TimeoutExpired as late:
        pytest.fail(f"waited {limit:g} s for {late.cmd} to end; it has said {late.stdout!r} and {late.stderr!r}")
    return said, complaints or ""


def line_of(program: Program, awaited: str, limit: float = WAIT) -> str:
    """The next line of a program's output; empty once it has ended."""
    assert program.stdout is not None
    with within(limit, awaited):
        return program.stdout.readline()


def wait_until(is_so: Callable[[], bool], awaited: str, program: Program | None = None, limit: float = WAIT) -> None:
    """Poll until a condition is true; fail if the program that should make it true ends before."""
    with within(limit, awaited):
        while not is_so():
            assert program is None or program.poll() is None, f"{awaited}: the program ended before, saying {rest_of(program)}"
            time.sleep(0.02)
