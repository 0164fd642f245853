"""The table in a terminal: one person plays with bots."""

from tamaya.tui.table import Seats, TerminalTable

__all__ = ["Seats", "TerminalTable"]
