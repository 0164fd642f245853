"""Options that both environments share, and what follows from them: the batch, the spaces, decks of cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict

from tamaya.bots.encoding import ENCODERS, find_encoder, row_of
from tamaya.engine.layout import Layout, layout_of
from tamaya.rules import Card, MalformedError, Rules, say
from tamaya.sim import validation
from tamaya.sim.batch import Batch
from tamaya.sim.batch_config import checked_partners

Observation = dict[str, Any]

HONEST = tuple(name for name in ENCODERS if name != "own_hand")
"""Encoders whose observations show no more than a player may see."""


@dataclass(frozen=True)
class EnvironmentConfig:
    """The options of an environment, checked."""

    rules: Rules
    encoder: str
    kind: str
    rewards: str
    illegal: str
    penalty: float
    speed: str
    partners: Mapping[int, str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "partners", checked_partners(self.partners, self.rules.players))
        validation.one_of("encoder", self.encoder, HONEST)
        find_encoder(self.encoder, self.kind)

    def batch(self, games: int, threads: int = 1) -> Batch:
        """A batch with these options; a finished game stays until the next one is dealt."""
        return Batch(
            self.rules, games, threads=threads, automatic=False, rewards=self.rewards, illegal=self.illegal,
            penalty=self.penalty, speed=self.speed, partners=self.partners,
        )  # fmt: skip

    @property
    def layout(self) -> Layout:
        """The layout of a game's state, and the numbers of its actions."""
        return layout_of(self.rules)

    def observation_box(self) -> Box:
        """The space of one observation."""
        width, cells = row_of(self.encoder, self.kind, self.layout)
        if self.kind == "bits":
            return Box(0, 2**32 - 1, (width,), np.uint32)
        return Box(0, 1, (width,), np.uint8 if cells == "uint8" else np.float32)

    def space(self) -> Dict:
        """The space of an agent's input: an observation and the mask of its legal actions."""
        return Dict({"observation": self.observation_box(), "action_mask": Box(0, 1, (self.layout.actions,), np.int8)})

    def deck(self, given: object) -> object:
        """A deck with its cards as numbers. Other objects are left for the batch to refuse."""
        if not isinstance(given, Iterable):
            return given
        return [self._number(card) if isinstance(card, Card) else card for card in given]

    def _number(self, card: Card) -> int:
        return self.rules.cards.index(card) if card in self.rules.cards else len(self.rules.cards)


def closed() -> MalformedError:
    """The refusal to use a closed environment."""
    return MalformedError("closed", say("This environment is closed; make another."))


def not_reset() -> MalformedError:
    """The refusal to step before the first `reset`."""
    return MalformedError("not_begun", say("No game has begun in this environment; call reset."))
