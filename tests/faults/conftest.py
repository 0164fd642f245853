"""The terminal summary shows the figures of each trial."""

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figures of every trial, one line each."""
    for report in (*terminalreporter.stats.get("passed", ()), *terminalreporter.stats.get("failed", ())):
        for name, words in report.user_properties:
            if name == "faults":
                terminalreporter.write_line(f"{words} [{report.duration:.0f} s]")
