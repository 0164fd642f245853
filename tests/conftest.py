import os
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

from tests.limits import LONGEST, within
from tests.sim.cuda import device

steady = settings(deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
settings.register_profile("usual", steady, max_examples=100)
settings.register_profile("full", steady, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "usual"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what could not be run here; nothing is skipped in silence."""
    if not device.is_there():
        terminalreporter.write_line("Not run: the tests on a real device (tests/sim/cuda/test_device.py); there is none here.")


def limited(item: pytest.Item) -> Generator[None, object, object]:
    """Let no part of a test wait for ever, unless somebody looks at it with a debugger."""
    if item.config.getoption("usepdb"):
        return (yield)
    with within(LONGEST * (12 if settings.get_current_profile_name() == "full" else 1), f"{item.nodeid} to end"):
        return (yield)


pytest_runtest_setup = pytest.hookimpl(wrapper=True)(limited)
pytest_runtest_call = pytest.hookimpl(wrapper=True)(limited)
pytest_runtest_teardown = pytest.hookimpl(wrapper=True)(limited)
