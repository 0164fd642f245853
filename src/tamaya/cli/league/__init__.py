"""``tamaya league``: how well bots play."""

from tamaya.cli.league.command import league

__all__ = ["league"]
