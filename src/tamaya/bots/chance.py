"""The bot against which others look good."""

from __future__ import annotations

import hashlib

from tamaya.engine import View
from tamaya.rules import Action, Message, say


class RandomBot:
    """Any legal action. What it sees decides which, so that a game goes the same way wherever it is played again."""

    def act(self, view: View) -> Action:
        """A legal action by the hash of all that the player sees and has seen."""
        seen = repr((view.rules, view.seat, view.hands, view.log))
        dice = int.from_bytes(hashlib.sha256(seen.encode()).digest()[:8])
        return view.legal_actions[dice % len(view.legal_actions)]

    def explain(self) -> Message:
        """Honest about it."""
        return say("Chance decided.")
