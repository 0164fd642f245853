import os

import pytest
from hypothesis import HealthCheck, settings

from tests.sim.cuda import card

steady = settings(deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
settings.register_profile("usual", steady, max_examples=100)
settings.register_profile("full", steady, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "usual"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what could not be run here; nothing is skipped in silence."""
    if not card.is_there():
        terminalreporter.write_line("Not run: the tests on a real card (tests/sim/cuda/test_card.py); there is none here.")
