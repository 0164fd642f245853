"""What one chooses for a batch, checked once for batches on every machine."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from tamaya.bots.encoding import Sections, find_encoder
from tamaya.engine.layout import Layout, layout_of
from tamaya.rules import Rules
from tamaya.sim import checks

REWARDS = ("difference", "final")
ILLEGAL = ("raise", "mask", "penalise")
MOST_GAMES = (1 << 31) - 1
MOST_TURNS = 1 << 40
MOVER = -1
"""In place of a seat: the one to move in each game."""


@dataclass(frozen=True)
class BatchSettings:
    """The choices for a batch."""

    rules: Rules
    games: int
    rewards: str
    illegal: str
    penalty: float
    automatic: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "games", checks.whole("games", self.games, 1, MOST_GAMES))
        object.__setattr__(self, "penalty", checks.number("penalty", self.penalty))
        object.__setattr__(self, "automatic", bool(self.automatic))
        checks.one_of("rewards", self.rewards, REWARDS)
        checks.one_of("illegal", self.illegal, ILLEGAL)

    @cached_property
    def layout(self) -> Layout:
        """Where the facts of a game lie."""
        return layout_of(self.rules)

    def as_arguments(self) -> dict[str, Any]:
        """The choices by name, to choose them again."""
        return {choice.name: getattr(self, choice.name) for choice in fields(self)}

    @property
    def at_the_end(self) -> bool:
        """Whether rewards come at the end of a game only."""
        return self.rewards == "final"

    @property
    def fine(self) -> float:
        """What an illegal action costs."""
        return self.penalty if self.illegal == "penalise" else 0.0

    def sections(self, encoder: str) -> Sections:
        """The named parts of an observation by these rules."""
        return find_encoder(encoder).sections(self.layout)

    def seat(self, seat: int | None) -> int:
        """A seat by its number, `MOVER` where none is named."""
        return MOVER if seat is None else checks.whole("seat", seat, 0, self.rules.players - 1)
