"""Filters for a player's games, and their statistics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class GameKind(StrEnum):
    """How a game came about. Only plain games, dealt here and played from the start, count in statistics."""

    PLAIN = ""
    LESSON = "lesson"
    PLAYED_ON = "played on"
    BROUGHT = "brought"


class GameState(StrEnum):
    """The states of a game that a filter can ask for."""

    GOING = "going"
    OVER = "over"
    PERFECT = "perfect"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class GameFilter:
    """A filter for a person's games. Empty fields match all games; running games match no time."""

    edition: str = ""
    players: int = 0
    partner: str = ""
    """The name of another player."""
    bot: str = ""
    state: GameState | None = None
    since: float | None = None
    """The earliest time at which the game ended."""
    before: float | None = None
    """The time before which the game ended."""


EVERY_GAME = GameFilter()


@dataclass(frozen=True, slots=True)
class GameCount:
    """Totals of finished games: their number, the sum of their points (none for a lost game), the best result, and how many
    were perfect or lost."""

    games: int = 0
    points: int = 0
    best: int = 0
    perfect: int = 0
    lost: int = 0

    @property
    def mean(self) -> float:
        """The average points of a game."""
        return self.points / self.games if self.games else 0.0

    def __add__(self, other: GameCount) -> GameCount:
        return GameCount(
            self.games + other.games,
            self.points + other.points,
            max(self.best, other.best),
            self.perfect + other.perfect,
            self.lost + other.lost,
        )


@dataclass(frozen=True, slots=True)
class Partner:
    """A person, by name, or a bot that a player has played with."""

    name: str = ""
    bot: str = ""


@dataclass(frozen=True, slots=True)
class Period:
    """The games that ended in a period of time: when it began, their number, the sum of their points, and the lowest and the
    highest result. A period may be a single game."""

    begins: float
    games: int
    points: int
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class GameStats:
    """Statistics of a person's games. `found` counts all games that match the filter; the rest covers the finished plain ones
    whose points are known. `days` is the length of each period, 0 for single games."""

    found: int = 0
    by_edition: Mapping[str, GameCount] = field(default_factory=dict)
    by_players: Mapping[int, GameCount] = field(default_factory=dict)
    by_partner: Mapping[Partner, GameCount] = field(default_factory=dict)
    stretches: tuple[Period, ...] = ()
    days: int = 0

    @property
    def total(self) -> GameCount:
        """The totals of all games."""
        return sum(self.by_edition.values(), GameCount())
