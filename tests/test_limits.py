"""Every test has a time limit, and programs that tests start can be interrupted."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.limits import within
from tests.programs import line_of, rest_of, run_python, start_python, wait_until

SLEEPING = "import time; print('awake', flush=True); time.sleep(600)"


def wait_for_a_line() -> None:
    with start_python("-c", "import time; time.sleep(600)") as program:
        line_of(program, "a line", 0.1)


def wait_for_an_end() -> None:
    with start_python("-c", SLEEPING) as program:
        line_of(program, "its start")
        rest_of(program, 0.1)


@pytest.mark.parametrize(
    ("wait", "words"),
    [
        (lambda: wait_until(lambda: False, "nothing", limit=0.1), "for nothing"),
        (wait_for_a_line, "for a line"),
        (wait_for_an_end, r"for .*time.sleep\(600\).* to end"),
    ],
)
def test_a_wait_times_out_with_its_purpose(wait: Callable[[], None], words: str) -> None:
    with pytest.raises(pytest.fail.Exception, match=f"waited 0.1 s {words}"):
        wait()


def wait_longer_than(seconds: float, awaited: str, before: Callable[[], None] = lambda: None) -> None:
    with within(seconds, awaited):
        before()
        threading.Event().wait(60)


def test_a_shorter_limit_does_not_affect_the_longer_one() -> None:
    def inner() -> None:
        with pytest.raises(pytest.fail.Exception, match=r"waited 0\.05 s for the inner"):
            wait_longer_than(0.05, "the inner")

    with pytest.raises(pytest.fail.Exception, match=r"waited 0\.2 s for the outer"):
        wait_longer_than(0.2, "the outer", inner)


def test_a_program_that_ends_early_ends_the_wait() -> None:
    with (
        start_python("-c", "raise SystemExit('I have to go')") as program,
        pytest.raises(AssertionError, match=r"a file: the program ended before, saying .*I have to go"),
    ):
        wait_until(lambda: False, "a file", program)


def test_programs_are_interrupted_although_the_tests_ignore_it() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with start_python("-c", SLEEPING) as program:
            line_of(program, "its start")
            program.send_signal(signal.SIGINT)
            assert "KeyboardInterrupt" in rest_of(program)[1]
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.slow
def test_a_hanging_test_fails_with_a_message(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("import threading\ndef test_that_hangs():\n    threading.Event().wait()\n")
    (tmp_path / "conftest.py").write_text("from tests import limits\nlimits.TEST_TIMEOUT = 0.2\nfrom tests.conftest import *\n")
    done = run_python("-m", "pytest", "-p", "no:xdist", "--rootdir", str(tmp_path), str(tmp_path))
    assert "waited 0.2 s for test_it.py::test_that_hangs to end" in done.stdout
    assert "threading.Event().wait()" in done.stdout
