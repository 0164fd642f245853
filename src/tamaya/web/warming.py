"""Bots that think ahead and cannot yet: what they need is compiled in the background once somebody wants it, and pages say how
far that is until it is done."""

from __future__ import annotations

from itertools import product

from tamaya.bots import known_bots, offered_bots
from tamaya.live.needs import Warmth
from tamaya.live.searching import SearchPool
from tamaya.rules import EDITIONS, Message, Rules, say
from tamaya.table import Phase, Table
from tamaya.web.teammates import teammate_of

COMMON = (2, 3)
"""For how many players everything is ready before anybody asks."""


def warm_up(pool: SearchPool) -> None:
    """Get ready what most tables will want: every language has its own edition, and few people play in crowds."""
    policies = dict.fromkeys(entry.base_policy for entry in offered_bots().values() if entry.base_policy)
    for players, edition, policy in product(COMMON, EDITIONS.values(), policies):
        pool.want(edition.rules(players), [policy])


def still_warming(pool: SearchPool, bot: str, rules: Rules) -> Message | None:
    """What there is to say of a bot that cannot think ahead by these rules, or not yet."""
    entry = known_bots().get(bot)
    if entry is None or not entry.base_policy:
        return None
    names = {"name": teammate_of(bot).name, "other": teammate_of(entry.base_policy).name}
    match pool.warmth(rules, [entry.base_policy]):
        case Warmth.COLD:
            return say(
                "The {name} has not warmed up for these rules yet; until it has, it plays as the {other} does.",
                **names,
            )
        case Warmth.WARMING:
            return say("The {name} is still warming up; until it has, it plays as the {other} does.", **names)
        case Warmth.NEVER:
            return say("The {name} cannot think ahead on this server: it plays as the {other} does.", **names)
        case Warmth.READY:
            return None


def still_warming_at(pool: SearchPool, table: Table) -> tuple[Message, ...]:
    """The same of the bots at a table."""
    if table.phase is Phase.ENDED:
        return ()
    rules, bots = table.settings.rules, dict.fromkeys(filter(None, table.bots))
    return tuple(filter(None, (still_warming(pool, bot, rules) for bot in bots)))
