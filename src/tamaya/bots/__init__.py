"""Programs that play."""

from tamaya.bots.knowledge import Knowledge
from tamaya.bots.protocol import Bot
from tamaya.bots.registry import BOT_NAMES, BOTS, BotEntry, default_bot, find_bot, make_bot
from tamaya.bots.simple import SimpleBot

__all__ = ["BOTS", "BOT_NAMES", "Bot", "BotEntry", "Knowledge", "SimpleBot", "default_bot", "find_bot", "make_bot"]
