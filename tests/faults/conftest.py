"""What was tried is told at the end, with figures."""

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The figures of every trial, one line each."""
    for report in (*terminalreporter.stats.get("passed", ()), *terminalreporter.stats.get("failed", ())):
        for name, words in report.user_properties:
            if name == "faults":
                terminalreporter.write_line(f"{words} [{report.duration:.0f} s]")
