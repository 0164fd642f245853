"""The searching bots as lists of bots have them. Naming them needs no compiler, which is imported where a bot is made."""

from __future__ import annotations

from tamaya.bots.protocol import Bot
from tamaya.bots.registry import BotEntry
from tamaya.rules import say, say_in


def _over_convention() -> Bot:
    from tamaya.search.bot import SearchBot

    return SearchBot()


def _over_hat() -> Bot:
    from tamaya.search.bot import SearchBot

    return SearchBot("hat", name="search-hat")


def _over_learned() -> Bot:
    from tamaya.search.bot import SearchBot

    return SearchBot("learned", name="search-learned", rollouts=LEARNED_ROLLOUTS)


LEARNED_ROLLOUTS = 2000
"""For one move. Each takes longer with this policy than with others: these take 0.6 seconds of a core on average."""

SEARCH = BotEntry(
    say("Plays by the agreements of the Companion and thinks ahead: leaves them where another move is clearly better."),
    from_views=_over_convention,
    mean_scores={2: 24.16, 3: 24.58, 4: 24.58, 5: 23.80},
    title=say_in("bot", "Thinker"),
    base_policy="convention",
)

SEARCH_HAT = BotEntry(
    say("Plays by the code of the Mathematician and thinks ahead: a partner for its like, not for people."),
    from_views=_over_hat,
    offered=False,
    base_policy="hat",
)

SEARCH_LEARNED = BotEntry(
    say("Plays by the code of the Autodidact and thinks ahead: the strongest for two, and no partner for people."),
    from_views=_over_learned,
    offered=False,
    base_policy="learned",
)
