"""Programs that play."""

from tamaya.bots.chance import RandomBot
from tamaya.bots.company import Company, Thought
from tamaya.bots.entry import BotEntry
from tamaya.bots.knowledge import Knowledge
from tamaya.bots.protocol import Bot, ExplainingBot, ObservingBot
from tamaya.bots.registry import BOT_NAMES, BOTS, default_bot, find_bot, known_bots, load_bot, make_bot, offered_bots
from tamaya.bots.safe import safe_action
from tamaya.bots.seated import SeatedBot
from tamaya.bots.simple import SimpleBot

__all__ = [
    "BOTS",
    "BOT_NAMES",
    "Bot",
    "BotEntry",
    "Company",
    "ExplainingBot",
    "Knowledge",
    "ObservingBot",
    "RandomBot",
    "SeatedBot",
    "SimpleBot",
    "Thought",
    "default_bot",
    "find_bot",
    "known_bots",
    "load_bot",
    "make_bot",
    "offered_bots",
    "safe_action",
]
