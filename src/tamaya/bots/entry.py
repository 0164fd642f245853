"""What is known of a bot before it plays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tamaya.bots.policy import Blueprint, Policy, Sees, unknown_rules
from tamaya.bots.policy_bot import PolicyBot
from tamaya.bots.protocol import Bot
from tamaya.engine.layout import layout_of
from tamaya.rules import MalformedError, Message, Rules, say


@dataclass(frozen=True)
class BotEntry:
    """A bot that can be chosen: a sentence on it, and how it plays: from views, as a policy, or both.

    A bot that has a form for views uses it at tables and in the league; its policy, if it has one too, is for batches. `means`
    are its mean scores by number of players when it plays with itself by the standard rules, as `docs/bots.md` has them; there
    are none for bots of others. `offered` says whether people are offered it at a table, `title` what they call it there: its
    own name where there is none. `searches` names the policy on which a bot that thinks ahead builds: at a table it has a
    process of its own, and where it cannot think that policy plays; so it knows the rules which that knows.
    """

    summary: Message
    from_views: Callable[[], Bot] | None = None
    blueprint: Blueprint | None = None
    means: Mapping[int, float] = field(default_factory=dict)
    offered: bool = True
    title: Message | None = None
    searches: str = ""

    def make(self) -> Bot:
        """A fresh bot for a seat at a table."""
        if self.from_views:
            return self.from_views()
        assert self.blueprint, "a bot plays somehow"
        if not self.is_honest:
            raise MalformedError("not_at_a_table", say("This bot sees more than a player may; it plays in the league alone."))
        return PolicyBot(self.blueprint)

    def check_rules(self, rules: Rules) -> None:
        """Refuse rules that it does not know."""
        if not self.knows(rules):
            raise unknown_rules(rules.players)

    def knows(self, rules: Rules) -> bool:
        """Whether it can play by these rules."""
        policy = self.blueprint or (_policy(self.searches) if self.searches else None)
        if isinstance(policy, Policy):
            return policy.supports(rules)
        return policy is None or policy.knows(layout_of(rules))

    @property
    def is_honest(self) -> bool:
        """Whether it sees what a player may see, and no more."""
        return self.from_views is not None or (self.blueprint is not None and self.blueprint.sees is Sees.SEAT)

    @property
    def is_compiled(self) -> bool:
        """Whether whole games of it are played by its policy, which a compiler makes fast."""
        return self.from_views is None


def _policy(name: str) -> Blueprint | None:
    """The policy of that name, if it is a known one. A place is not looked up, which would import it; and a bot that names what
    cannot be had hears of it where it searches."""
    from tamaya.bots.registry import known_bots  # which lists these entries

    return known_bots()[name].blueprint if name in known_bots() else None
