"""Which of a player's games are asked for, and their statistics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class GameKind(StrEnum):
    """Whether a game is one of its own, dealt here and played from its start. Only such games count in a summary."""

    PLAIN = ""
    LESSON = "lesson"
    PLAYED_ON = "played on"
    BROUGHT = "brought"


class GameState(StrEnum):
    """How far a game has come and how it ended, as far as one looks for games by that."""

    GOING = "going"
    OVER = "over"
    PERFECT = "perfect"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Which of somebody's games are wanted. What is left empty is any; games that go on are at no time."""

    edition: str = ""
    players: int = 0
    partner: str = ""
    """The name of somebody who played, too."""
    bot: str = ""
    state: GameState | None = None
    since: float | None = None
    """When the game ended, at the earliest."""
    before: float | None = None
    """When it had ended at the latest, itself not included."""


EVERY_GAME = GameFilter()


@dataclass(frozen=True, slots=True)
class GameCount:
    """What some ended games came to: how many there were, their points together (none for a lost one), the best, and how many
    were perfect or lost."""

    games: int = 0
    points: int = 0
    best: int = 0
    perfect: int = 0
    lost: int = 0

    @property
    def mean(self) -> float:
        """The points of a game on average."""
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
    """Somebody to play with: a person by the name they had, or a bot."""

    name: str = ""
    bot: str = ""


@dataclass(frozen=True, slots=True)
class Period:
    """The games that ended in a stretch of time, which may be one: when it began, how many, their points together, and the
    least and the most that one of them reached."""

    begins: float
    games: int
    points: int
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class GameStats:
    """What somebody's games came to. `found` are all that were wanted; everything else counts the ended ones that are games of
    their own (`GameKind.PLAIN`) and whose points are known. `days` is how long each stretch is, 0 for single games."""

    found: int = 0
    by_edition: Mapping[str, GameCount] = field(default_factory=dict)
    by_players: Mapping[int, GameCount] = field(default_factory=dict)
    by_partner: Mapping[Partner, GameCount] = field(default_factory=dict)
    stretches: tuple[Period, ...] = ()
    days: int = 0

    @property
    def total(self) -> GameCount:
        """All of them together."""
        return sum(self.by_edition.values(), GameCount())
