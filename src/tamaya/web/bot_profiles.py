"""Bots as pages present them, and notices while search bots are being compiled."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from statistics import fmean

from tamaya.bots import known_bots, offered_bots
from tamaya.bots.registry import BotEntry
from tamaya.rules import EDITIONS, VALUES, Message, Rules, say
from tamaya.rules.message import quote
from tamaya.table import Phase, Table
from tamaya.workers.search_pool import CompileState, SearchPool

MAX_SCORE = EDITIONS["standard"].rules(2).maximum
"""The maximum score under the rules that bots are measured with."""


@dataclass(frozen=True, slots=True)
class Teammate:
    """A bot as a teammate.

    `bot` is its name in forms and records, `mean` the mean score of teams of this bot, if measured, and `page` the path of its
    page, empty for a bot that is no longer installed.
    """

    bot: str
    name: Message
    summary: Message | None = None
    mean: float | None = None
    page: str = ""

    @property
    def points(self) -> Message | None:
        """Its mean score in words, without decimals."""
        if self.mean is None:
            return None
        if self.mean < 1:
            return say("loses nearly every game with its like")
        return say("about {points} of {maximum} points with its like", points=round(self.mean), maximum=MAX_SCORE)

    @property
    def height(self) -> int:
        """Its mean score, scaled to the height of a firework."""
        return round((self.mean or 0) / MAX_SCORE * max(VALUES))

    @property
    def mark(self) -> Message:
        """Its label next to a player's name at a table."""
        return say("bot · {name}", name=self.name)


def teammate_of(bot: str, players: int | None = None) -> Teammate:
    """The teammate of that name, with its score for N players or for any number."""
    entry = known_bots().get(bot)
    return _teammate(bot, entry, players) if entry else Teammate(bot, quote(bot))


def teammates(rules: Rules | None = None) -> tuple[Teammate, ...]:
    """All bots that can take a seat under these rules, or under any."""
    offered = {bot: entry for bot, entry in offered_bots().items() if rules is None or entry.knows(rules)}
    players = rules.players if rules else None
    order = list(offered)  # a search bot follows its base policy
    behind = sorted(
        offered, key=lambda bot: order.index(offered[bot].base_policy if offered[bot].base_policy in order else bot)
    )
    return tuple(_teammate(bot, offered[bot], players) for bot in behind)


def _teammate(bot: str, entry: BotEntry, players: int | None) -> Teammate:
    means = entry.mean_scores
    mean = means.get(players or 0, fmean(means.values())) if means else None
    return Teammate(bot, entry.title or quote(bot), entry.summary, mean, f"/teammates/{bot}")


PREWARMED_PLAYER_COUNTS = (2, 3)
"""The numbers of players for which search bots are compiled in advance."""


def prewarm_common(pool: SearchPool) -> None:
    """Compile the search bots for the most common rules: every edition, for a few players."""
    policies = dict.fromkeys(entry.base_policy for entry in offered_bots().values() if entry.base_policy)
    for players, edition, policy in product(PREWARMED_PLAYER_COUNTS, EDITIONS.values(), policies):
        pool.prewarm(edition.rules(players), [policy])


def compile_notice(pool: SearchPool, bot: str, rules: Rules) -> Message | None:
    """A notice on a search bot that is not compiled for these rules."""
    entry = known_bots().get(bot)
    if entry is None or not entry.base_policy:
        return None
    names = {"name": teammate_of(bot).name, "other": teammate_of(entry.base_policy).name}
    match pool.state(rules, [entry.base_policy]):
        case CompileState.COLD:
            return say(
                "The {name} has not warmed up for these rules yet; until it has, it plays as the {other} does.",
                **names,
            )
        case CompileState.COMPILING:
            return say("The {name} is still warming up; until it has, it plays as the {other} does.", **names)
        case CompileState.IMPOSSIBLE:
            return say("The {name} cannot think ahead on this server: it plays as the {other} does.", **names)
        case CompileState.READY:
            return None


def compile_notices_at(pool: SearchPool, table: Table) -> tuple[Message, ...]:
    """The notices on the bots at a table."""
    if table.phase is Phase.ENDED:
        return ()
    rules, bots = table.settings.rules, dict.fromkeys(filter(None, table.bots))
    return tuple(filter(None, (compile_notice(pool, bot, rules) for bot in bots)))
