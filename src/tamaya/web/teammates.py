"""Bots as people choose teammates: by a name, a sentence and what they reach together with their like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean

from tamaya.bots import known_bots, offered_bots
from tamaya.bots.entry import BotEntry
from tamaya.rules import EDITIONS, Message, say
from tamaya.rules.message import quote

MAXIMUM = EDITIONS["standard"].rules(2).maximum
"""The best score by the rules with which bots are measured."""


@dataclass(frozen=True, slots=True)
class Teammate:
    """A bot as somebody to play with; `bot` is its name in forms and records.

    `points` says what it reaches, where that was measured; `page` is the address of its page, empty for a bot of an old game
    that is no longer installed.
    """

    bot: str
    name: Message
    summary: Message | None = None
    points: Message | None = None
    page: str = ""

    @property
    def mark(self) -> Message:
        """What stands beside its name at a table."""
        return say("bot · {name}", name=self.name)


def teammate_of(bot: str, players: int | None = None) -> Teammate:
    """The bot of that name as a teammate at a table of so many players, or at any table."""
    entry = known_bots().get(bot)
    return _teammate(bot, entry, players) if entry else Teammate(bot, quote(bot))


def teammates(players: int | None = None) -> tuple[Teammate, ...]:
    """Everybody who can be put on a seat."""
    return tuple(_teammate(bot, entry, players) for bot, entry in offered_bots().items())


def _teammate(bot: str, entry: BotEntry, players: int | None) -> Teammate:
    name = entry.title or quote(bot)
    return Teammate(bot, name, entry.summary, _points(entry.means, players), f"/teammates/{bot}")


def _points(means: Mapping[int, float], players: int | None) -> Message | None:
    """What teams of one bot reach, as one says it: nobody chooses a teammate by decimals."""
    if not means:
        return None
    mean = means.get(players, fmean(means.values())) if players else fmean(means.values())
    return say("about {points} of {maximum} points with its like", points=round(mean), maximum=MAXIMUM)
