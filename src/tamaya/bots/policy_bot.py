"""A policy at a table, where it is shown views as any bot is."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Sequence
from typing import Any

from tamaya.bots.policy import Blueprint, Policy, interpreted_policy
from tamaya.bots.protocol import illegal_choice
from tamaya.bots.sights import Sights
from tamaya.engine import View
from tamaya.rules import Action, Message, action_of, number_of


class PolicyBot:
    """A policy in place of one seat of one game. Between its turns it keeps its memory, and hears of what happened since;
    shown another game, or one in which something was taken back, it begins anew and hears of everything."""

    def __init__(self, blueprint: Blueprint | Policy[Any]) -> None:
        self._blueprint = blueprint
        self._memory = _blank(0)
        self._sights: Sights | None = None

    def act(self, view: View) -> Action:
        """The policy's choice."""
        policy = interpreted_policy(self._blueprint, view.rules)
        sights, self._sights = self._sights, None  # should anything fail, the next turn begins anew
        if sights is None or not sights.lead_to(view):
            sights, self._memory = Sights(view), _blank(policy.words)
            policy.begin(memoryview(self._memory), sights.now)
        memory = memoryview(self._memory)  # of which a part can be handed on and written into, as of a compiled one
        for before, after in sights.follow(view):
            policy.notice(memory, sights.seat, before, after)
        mask, luck = bytearray(sights.layout.actions), zlib.crc32(sights.now)
        for legal in view.legal_actions:
            mask[number_of(legal, view.rules, sights.seat) or 0] = 1
        number = policy.choose(memory, sights.now, mask, luck)
        action = action_of(number, view.rules, sights.seat)
        if action not in view.legal_actions:
            raise illegal_choice(str(action))
        self._sights = sights
        return action

    @property
    def memory(self) -> Sequence[int]:
        """What the policy has in mind after its last choice."""
        return self._memory

    def explain(self) -> Message | None:
        """Why, if the policy has an explanation."""
        if self._blueprint.explain is None or self._sights is None:
            return None
        rules, memory = self._sights.rules, memoryview(self._memory)
        return self._blueprint.explain(
            rules, self._blueprint.named(rules, memory) if isinstance(self._blueprint, Policy) else memory
        )


def _blank(words: int) -> array[int]:
    """A memory with nothing in it."""
    return array("q", bytes(words * array("q").itemsize))
