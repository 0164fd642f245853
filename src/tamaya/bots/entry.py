"""What is known of a bot before it plays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tamaya.bots.protocol import Bot
from tamaya.rules import Message


@dataclass(frozen=True)
class BotEntry:
    """A bot that can be chosen: how to make one, a sentence on it, and how strong it is.

    `means` are its mean scores by number of players when it plays with itself by the standard rules, as `docs/bots.md` has
    them; there are none for bots of others. `offered` says whether people are offered it at a table. A `coded` bot's clues mean
    other things than they say, by a code that people do not know: it is never the one that plays because nobody chose.
    """

    make: Callable[[], Bot]
    summary: Message
    means: Mapping[int, float]
    offered: bool = True
    coded: bool = False
