"""Programs that play."""

from tamaya.bots.advice import Advice, plain_advice
from tamaya.bots.company import Company, Thought
from tamaya.bots.entry import BotEntry
from tamaya.bots.knowledge import Knowledge
from tamaya.bots.policy import Blueprint, Policy, PolicyFunctions, Sees, Visibility
from tamaya.bots.policy_bot import PolicyBot
from tamaya.bots.protocol import Bot, ExplainingBot, ObservingBot
from tamaya.bots.random_play import RandomBot
from tamaya.bots.registry import (
    BOT_NAMES,
    BOTS,
    DEFAULT_BOT,
    find_policy,
    find_bot,
    known_bots,
    known_policies,
    load_bot,
    make_bot,
    offered_bots,
)
from tamaya.bots.safe import safe_action
from tamaya.bots.seated import SeatedBot
from tamaya.bots.simple import SimpleBot

__all__ = [
    "BOTS",
    "BOT_NAMES",
    "DEFAULT_BOT",
    "Advice",
    "Blueprint",
    "Bot",
    "BotEntry",
    "Company",
    "ExplainingBot",
    "Knowledge",
    "ObservingBot",
    "Policy",
    "PolicyBot",
    "PolicyFunctions",
    "RandomBot",
    "SeatedBot",
    "Sees",
    "SimpleBot",
    "Thought",
    "Visibility",
    "find_policy",
    "find_bot",
    "known_bots",
    "known_policies",
    "load_bot",
    "make_bot",
    "offered_bots",
    "plain_advice",
    "safe_action",
]
