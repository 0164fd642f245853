"""The bots by name, with what anybody choosing one wants to know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tamaya.bots.protocol import Bot
from tamaya.bots.simple import SimpleBot
from tamaya.rules import MalformedError, Message, say

BOT_NAMES = ("Kiku", "Botan", "Yanagi", "Senrin", "Kamuro", "Kagiya")
"""What bots are called at a table: kinds of firework shells, and the other great firework house of Edo."""


@dataclass(frozen=True)
class BotEntry:
    """A bot that can sit at a table: how to make one, a sentence on it, and how strong it is.

    `means` are its mean scores by number of players when it plays with itself by the standard rules, deals 0 to 99.
    """

    make: Callable[[], Bot]
    summary: Message
    means: Mapping[int, float]


BOTS: Mapping[str, BotEntry] = {
    "simple": BotEntry(
        SimpleBot,
        say("A cautious beginner: plays what surely fits, tells what can be played."),
        {2: 17.5, 3: 17.6, 4: 16.7, 5: 15.7},
    ),
}
"""The bots that can sit at a table."""


def default_bot() -> str:
    """The bot that plays where nobody chose one: the strongest."""
    return max(BOTS, key=lambda name: sum(BOTS[name].means.values()))


def make_bot(name: str) -> Bot:
    """A fresh bot of that name."""
    return find_bot(name).make()


def find_bot(name: str) -> BotEntry:
    """The entry of that name, without the work of making the bot."""
    if name not in BOTS:
        raise MalformedError(
            "unknown_bot", say("There is no bot “{name}”; the bots are {known}.", name=name[:40], known=tuple(BOTS))
        )
    return BOTS[name]
