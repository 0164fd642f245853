"""The bots by name, and what callers need to know to choose one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tamaya.bots.cheat import CHEAT
from tamaya.bots.convention import CONVENTION
from tamaya.bots.hat import HAT
from tamaya.bots.learned import LEARNED
from tamaya.bots.policy import Policy, Visibility, unknown_rules
from tamaya.bots.policy_bot import PolicyBot
from tamaya.bots.protocol import Bot
from tamaya.bots.random_play import NO_MISTAKES, RANDOM, RandomBot
from tamaya.bots.simple import SIMPLE
from tamaya.rules import MalformedError, Message, Rules, say, say_in

if TYPE_CHECKING:
    from tamaya.bots.packages import Installed

BOT_NAMES = ("Kiku", "Botan", "Yanagi", "Senrin", "Kamuro", "Kagiya")
"""The names of bots at a table: kinds of firework shells, and the other great firework house of Edo."""

DEFAULT_BOT = "convention"
"""The bot that plays when the host chose none: the strongest built-in bot whose clues mean what they say."""


@dataclass(frozen=True)
class BotEntry:
    """A bot that can be chosen: a summary, and how it plays, from views, as a policy, or both.

    If it has both forms, it plays from views at tables and in the league, and as a policy in batches. `mean_scores` are its
    scores in self-play under the standard rules by number of players, as in `docs/bots.md`; third-party bots have none.
    `offered` says whether players can choose it at a table, and `title` what they call it there, by default its name.
    `base_policy` names the policy on which a bot that thinks ahead builds: at a table such a bot has a process of its own, and
    that policy plays where it cannot think; so it supports the same rules.
    """

    summary: Message
    from_views: Callable[[], Bot] | None = None
    policy: Policy[Any] | None = None
    mean_scores: Mapping[int, float] = field(default_factory=dict)
    offered: bool = True
    title: Message | None = None
    base_policy: str = ""

    def make(self) -> Bot:
        """A fresh bot for a seat at a table."""
        if self.from_views:
            return self.from_views()
        assert self.policy, "a bot plays somehow"
        if not self.plays_fair:
            raise MalformedError("not_at_a_table", say("This bot sees more than a player may; it plays in the league alone."))
        return PolicyBot(self.policy)

    def check_rules(self, rules: Rules) -> None:
        """Refuse rules that it does not support."""
        if not self.knows(rules):
            raise unknown_rules(rules.players)

    def knows(self, rules: Rules) -> bool:
        """Whether it supports these rules."""
        policy = self.policy or (known_policy(self.base_policy) if self.base_policy else None)
        if isinstance(policy, Policy):
            return policy.supports(rules)
        return policy is None or policy.supports(rules)

    @property
    def plays_fair(self) -> bool:
        """Whether it sees no more than a player may."""
        return self.from_views is not None or (self.policy is not None and self.policy.visibility is Visibility.OWN_VIEW)

    @property
    def is_compiled(self) -> bool:
        """Whether its policy plays whole games, which a compiler makes fast."""
        return self.from_views is None


BOTS: Mapping[str, BotEntry] = {
    "convention": BotEntry(
        say("Plays as people do, by a few agreements that you can learn. After the game it says why it did what."),
        policy=CONVENTION,
        title=say_in("bot", "Companion"),
        mean_scores={2: 23.19, 3: 23.62, 4: 23.52, 5: 22.67},
    ),
    "simple": BotEntry(
        say("A cautious beginner: plays what surely fits, tells what can be played."),
        policy=SIMPLE,
        title=say_in("bot", "Beginner"),
        mean_scores={2: 17.55, 3: 17.72, 4: 16.64, 5: 15.45},
    ),
    "hat": BotEntry(
        say("Superb among its own kind: one clue tells every player something, by a code. A poor partner for people."),
        policy=HAT,
        title=say_in("bot", "Mathematician"),
        mean_scores={2: 23.17, 3: 24.90, 4: 24.96, 5: 24.95},
    ),
    "learned": BotEntry(
        say("Taught itself: its clues mean what it has found out, not what people agree on. For two players."),
        policy=LEARNED,
        title=say_in("bot", "Autodidact"),
        mean_scores={2: 24.51},
    ),
    "random": BotEntry(
        say("No player at all: takes any legal action, and loses its games."),
        from_views=RandomBot,
        policy=RANDOM,
        title=say_in("bot", "Dice"),
        mean_scores={2: 0.0, 3: 0.0, 4: 0.0, 5: 0.0},
    ),
    "cheat": BotEntry(say("Sees every hand: the ceiling that others are measured against."), policy=CHEAT, offered=False),
    "faultless": BotEntry(
        say("Takes any action that is no mistake, for long games to measure with."), policy=NO_MISTAKES, offered=False
    ),
}
"""The built-in bots."""


def every_bot() -> Mapping[str, BotEntry]:
    """The built-in and installed bots, including those that see too much for a table."""
    return {**BOTS, **_installed().bots}


def known_bots() -> Mapping[str, BotEntry]:
    """The bots that can play at a table."""
    return {name: entry for name, entry in every_bot().items() if entry.plays_fair}


def offered_bots() -> Mapping[str, BotEntry]:
    """The bots that players can seat at their table."""
    return {name: entry for name, entry in known_bots().items() if entry.offered}


def known_policies() -> Mapping[str, Policy[Any]]:
    """The policies of all known bots."""
    return {name: entry.policy for name, entry in every_bot().items() if entry.policy}


def _installed() -> Installed:
    from tamaya.bots.packages import installed  # which imports this module

    return installed(tuple(BOTS))


def make_bot(name: str) -> Bot:
    """A fresh bot of that name."""
    return find_bot(name).make()


def find_bot(name: str) -> BotEntry:
    """The bot of that name that can play at a table. A name never causes an import, so it may come from anywhere."""
    return _find(name, known_bots)


def _find(name: str, choose_from: Callable[[], Mapping[str, BotEntry]]) -> BotEntry:
    """The entry of that name among some. For a built-in bot, installed packages are not read."""
    if name in BOTS and (BOTS[name].plays_fair or choose_from is every_bot):
        return BOTS[name]
    known = choose_from()
    if name in known:
        return known[name]
    left_out = _installed().left_out
    if name in left_out:
        message = say("The bot “{name}” of an installed package was left out: {reason}", name=name[:40], reason=left_out[name])
        raise MalformedError("bot_left_out", message)
    message = say("There is no bot “{name}”; the bots are {known}.", name=name[:40], known=tuple(known))
    raise MalformedError("unknown_bot", message)


def import_bot(name: str) -> BotEntry:
    """The entry of that name, or at the import path ``module:Class``, including bots that no table may have. Only for names
    from the command line or the calling program; use `find_bot` for others."""
    from tamaya.bots.packages import import_entry

    return import_entry(name) if ":" in name else _find(name, every_bot)


def find_policy(name: str) -> Policy[Any]:
    """The policy of that name or import path, for batches and the league."""
    entry = import_bot(str(name))
    if entry.policy is None:
        message = say("The bot “{name}” plays from views alone; policies are {known}.",
                      name=str(name)[:40], known=tuple(known_policies()))  # fmt: skip
        raise MalformedError("no_policy", message)
    return entry.policy


def find_fair_policy(name: str) -> Policy[Any]:
    """The policy of that name or import path, if it sees no more than a player may: for search, and for judging moves."""
    policy = find_policy(name)
    if policy.visibility is not Visibility.OWN_VIEW:
        message = say("The policy “{name}” sees more than a player may; search needs one that does not.", name=name[:40])
        raise MalformedError("policy_sees_too_much", message)
    return policy


def known_policy(name: str) -> Policy[Any] | None:
    """The policy of that name, if it is known. An import path is not looked up, as that would import it."""
    return known_bots()[name].policy if name in known_bots() else None
