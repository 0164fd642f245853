"""Programs that play."""

from tamaya.bots.protocol import Bot
from tamaya.bots.registry import BOTS, make_bot
from tamaya.bots.simple import SimpleBot

__all__ = ["BOTS", "Bot", "SimpleBot", "make_bot"]
