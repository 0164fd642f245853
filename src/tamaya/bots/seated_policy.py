"""A policy at a table: a bot that is shown views and answers with actions, as any other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from tamaya.bots.policies import POLICIES
from tamaya.bots.policy import interpreted_policy
from tamaya.bots.protocol import illegal_choice
from tamaya.bots.sights import Sights
from tamaya.engine import View
from tamaya.rules import Action, Message, Rules, action_of

Explain: TypeAlias = Callable[[Rules, Sequence[int]], Message | None]
"""Rules and the memory after a choice, to the reason for it."""


class PolicyBot:
    """The policy of a name at one seat of one game. Between its turns it keeps its memory, and hears of what happened since;
    shown another game, or one in which something was taken back, it begins anew and hears of everything."""

    def __init__(self, name: str, explain: Explain | None = None) -> None:
        self._name, self._explain = name, explain
        self._memory: list[int] = []
        self._sights: Sights | None = None

    def act(self, view: View) -> Action:
        """The policy's choice."""
        policy = interpreted_policy(POLICIES[self._name], view.rules)
        sights, self._sights = self._sights, None  # should anything fail, the next turn begins anew
        if sights is None or not sights.lead_to(view):
            sights, self._memory = Sights(view), [0] * policy.words
            policy.begin(self._memory)
        for before, after in sights.follow(view):
            policy.notice(self._memory, sights.seat, before, after)
        action = action_of(policy.choose(self._memory, sights.now), view.rules, sights.seat)
        if action not in view.legal_actions:
            raise illegal_choice(str(action))
        self._sights = sights
        return action

    def explain(self) -> Message | None:
        """Why, if the policy has an explanation."""
        if self._explain is None or self._sights is None:
            return None
        return self._explain(self._sights.rules, self._memory)
