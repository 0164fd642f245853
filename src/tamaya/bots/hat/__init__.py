"""The hat bot: each clue tells every player something about their own hand.

It plays the information strategy (Cox, De Silva, DeOrsey, Kenter, Retter and Tobin, "How to make the perfect fireworks display:
two strategies for Hanabi", 2015) with questions that fit the moment, hats for the board as it will be on each player's turn,
and a search when few cards are left. `docs/hat.md` tells how it plays.
"""

from __future__ import annotations

from tamaya.bots.hat.inference import start
from tamaya.bots.hat.memory import HatMemory, has_weights
from tamaya.bots.hat.turns import choose, explain_hat, update
from tamaya.bots.policy import Policy

__all__ = ["HAT", "explain_hat"]

HAT: Policy[HatMemory] = Policy(choose, start=start, update=update, memory=HatMemory, explain=explain_hat, supports=has_weights)
"""A team of it can share one memory: what it keeps is public knowledge, and every seat would write the same."""
