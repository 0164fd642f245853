"""``tamaya bots``: who can be played with, and how well they play."""

from tamaya.cli.bots.command import bots

__all__ = ["bots"]
