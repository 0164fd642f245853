"""What a bot is: something that, shown what a player may see, answers with an action."""

from __future__ import annotations

from typing import Protocol

from tamaya.engine import View
from tamaya.rules import Action


class Bot(Protocol):
    """A player that is a program."""

    def act(self, view: View) -> Action:
        """One of the view's legal actions."""
        ...
