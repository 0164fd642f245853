"""The table in a terminal."""

from tamaya.tui.table import TerminalTable

__all__ = ["TerminalTable"]
