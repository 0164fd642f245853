"""The table in a terminal."""

from tamaya.tui.table import Seats, TerminalTable

__all__ = ["Seats", "TerminalTable"]
