"""Programs that play."""

from typing import Any

from tamaya.bots.advice import Advice, plain_advice
from tamaya.bots.fallback import Knowledge, fallback_action
from tamaya.bots.policy import Memory, Policy, Scratch, Visibility
from tamaya.bots.policy_bot import PolicyBot
from tamaya.bots.protocol import Bot, ExplainingBot, ObservingBot
from tamaya.bots.random_play import RandomBot
from tamaya.bots.registry import (
    BOT_NAMES,
    BOTS,
    DEFAULT_BOT,
    BotEntry,
    find_bot,
    find_policy,
    import_bot,
    known_bots,
    known_policies,
    make_bot,
    offered_bots,
)
from tamaya.bots.runner import BotMove, BotRunner, BotSeat
from tamaya.bots.simple import SimpleBot
from tamaya.rules import MalformedError, say

__all__ = [
    "BOTS",
    "BOT_NAMES",
    "DEFAULT_BOT",
    "Advice",
    "Bot",
    "BotEntry",
    "BotMove",
    "BotRunner",
    "BotSeat",
    "ExplainingBot",
    "Knowledge",
    "Memory",
    "ObservingBot",
    "Policy",
    "PolicyBot",
    "RandomBot",
    "Scratch",
    "SimpleBot",
    "Visibility",
    "fallback_action",
    "find_bot",
    "find_policy",
    "import_bot",
    "known_bots",
    "known_policies",
    "make_bot",
    "offered_bots",
    "plain_advice",
]


def __getattr__(name: str) -> Any:
    if name == "Blueprint":  # of policies written for an earlier version
        message = say("A policy is plain functions now and has no {name}; docs/bots-authors.md shows how to write one.",
                      name=name)  # fmt: skip
        raise MalformedError("policy_with_builder", message)
    raise AttributeError(name)
