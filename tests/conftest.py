import gc
import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.limits import TEST_TIMEOUT, within
from tests.quick import sitecustomize as quick
from tests.sim.cuda.conftest import has_device

FOLDERS = {"browser": "browser", "sim/cuda": "compiler", "training": "torch", "../README.md": "compiler"}
"""Folders whose tests all need the same mark."""

HOW = os.environ.get("TAMAYA_TESTS", "usual")
"""The tests that `./dev test` was asked for: quick, usual, full (many more examples) or faults (those tests in full length)."""

steady = settings(deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
for how, examples in (("quick", 10), ("usual", 100), ("full", 2000), ("faults", 100)):
    settings.register_profile(how, steady, max_examples=examples)
settings.load_profile(HOW)


def pytest_configure() -> None:
    """In a quick run, refuse slow packages, here and in all programs that tests start."""
    if HOW == "quick":
        quick.refuse()
        paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(Path(quick.__file__).parent), *paths]))


def needed_in(path: Path) -> str | None:
    """The mark that all tests of a folder need."""
    return next(
        (part for folder, part in FOLDERS.items() if path.is_relative_to((Path(__file__).parent / folder).resolve())), None
    )


def words_of(item: pytest.Item) -> list[str]:
    """The string parameters of a test; one with the parameter “compiled” needs no mark."""
    spec = item.callspec if isinstance(item, pytest.Function) and hasattr(item, "callspec") else None
    return [word for word in spec.params.values() if isinstance(word, str)] if spec else []


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    return True if HOW == "quick" and needed_in(collection_path) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if part := needed_in(item.path):
            item.add_marker(part)
        if "compiled" in words_of(item):
            item.add_marker("compiler")
    marks = (*quick.MARKS.values(), "slow") if HOW == "quick" else () if has_device() else ("gpu",)
    left_out = [item for item in items if any(map(item.get_closest_marker, marks))]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def pytest_collection_finish() -> None:
    """Exempt all current objects from garbage collection, so that servers started by tests do not scan them again and again."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report what was not run; nothing is skipped silently."""
    if HOW == "quick":
        terminalreporter.write_line(
            "Not run: what needs a compiler, a cluster, a browser, PyTorch or long; ./dev test runs it."
        )
    elif not has_device():
        terminalreporter.write_line("Not run: the tests on a real device (tests/sim/cuda/test_device.py); there is none here.")


def limited(item: pytest.Item) -> Generator[None, object, object]:
    """Limit the time of each part of a test, except under a debugger."""
    if item.config.getoption("usepdb"):
        return (yield)
    with within(TEST_TIMEOUT * (12 if HOW in ("full", "faults") else 1), f"{item.nodeid} to end"):
        return (yield)


pytest_runtest_setup = pytest.hookimpl(wrapper=True)(limited)
pytest_runtest_teardown = pytest.hookimpl(wrapper=True)(limited)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail a quick test that imported a refused package, even if it caught the error."""
    quick.asked.clear()
    result = yield from limited(item)
    assert not quick.asked, quick.refusal(quick.asked[0])
    return result
