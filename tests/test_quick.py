"""``./dev test`` runs what it is asked for; a quick run needs no compiler, no cluster and no browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.dev_script import DEV, dev_script
from tests.programs import run_python

TESTS = """
from importlib.util import find_spec
import pytest
from tests.programs import run_python

def test_that_forgot_its_mark():
    import numba

def test_that_takes_no_notice():
    try:
        import ray
    except Exception:
        pass

def test_that_starts_a_program():
    run_python("-c", "import playwright", check=True)

def test_that_asks_what_there_is():
    assert find_spec("numba")

@pytest.mark.compiler
def test_that_is_left_out():
    import numba

@pytest.mark.parametrize("speed", ["compiled", "interpreted"])
def test_of_a_speed(speed):
    assert speed == "interpreted"
"""


@pytest.mark.slow
def test_a_quick_test_without_its_mark_fails_with_a_message(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n")
    variables = {"TAMAYA_TESTS": "quick"}
    said = run_python("-m", "pytest", "-p", "no:xdist", "-W", "default", str(tmp_path), variables=variables).stdout
    assert "3 failed, 2 passed, 2 deselected" in said
    assert "numba was imported in a quick test: the test needs the mark @pytest.mark.compiler" in said
    assert "ray was imported in a quick test: the test needs the mark @pytest.mark.cluster" in said
    assert "playwright was imported in a quick test: the test needs the mark @pytest.mark.browser" in said


@pytest.mark.parametrize(
    ("words", "steps", "how"),
    [
        ("", ["training", "browser", "lint", "pytest"], "usual"),
        ("full", ["training", "browser", "lint", "pytest"], "full"),
        ("quick", ["lint", "pytest"], "quick"),
        ("faults", ["pytest"], "faults"),
        ("faults -k kills", ["pytest"], "faults"),
        ("quick tests/table", ["pytest"], "quick"),
        ("tests/table -k rematch", ["pytest"], "usual"),
        ("-k rematch", ["training", "browser", "pytest"], "usual"),
        ("tests", ["training", "browser", "pytest"], "usual"),
        ("tests/training", ["training", "pytest"], "usual"),
        ("quick tests/training", ["pytest"], "quick"),
        ("tests/rules tests/browser/test_care.py::test_something", ["browser", "pytest"], "usual"),
    ],
)
def test_the_command_runs_the_requested_steps(words: str, steps: list[str], how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    dev, done = dev_script(), list[str]()

    def noted(step: str) -> int:
        done.append(step)
        return 0

    def python(*arguments: str, **variables: Any) -> int:
        assert variables["TAMAYA_TESTS"] == how
        assert " ".join(arguments).endswith(words.removeprefix(how).strip())
        return noted("pytest")

    monkeypatch.chdir(DEV.parent)
    monkeypatch.setattr(dev, "prepare", lambda _: None)
    monkeypatch.setattr(dev, "prepare_training", lambda: noted("training"))
    monkeypatch.setattr(dev, "lint", lambda _: noted("lint"))
    monkeypatch.setattr(dev, "find_browser", lambda: noted("browser"))
    monkeypatch.setattr(dev, "python", python)
    assert dev.test(words.split()) == 0
    assert done == steps
