"""The `Store` port and its data: batches of events, summaries of tables, filters and statistics of a player's games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

import msgspec

from tamaya.table.sessions import SessionStore
from tamaya.table.state import Phase

MAX_OFFERS = 2
"""How many open tables of one host are listed."""


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


class ConflictError(Exception):
    """Another process has already written an event with this number: read the events again, then decide again."""


class GameProgress(msgspec.Struct, frozen=True):
    """How far a game has come, as all its players know it.

    `lost` is a game lost without points. `turn_of` is the name of the player whose turn it is, and `person` that player's id
    unless it is a bot. `perfect` says that every firework was completed, `advised` how often advice was taken.
    """

    points: int
    lost: bool = False
    turn_of: str = ""
    person: str = ""
    perfect: bool = False
    advised: int = 0


@dataclass(frozen=True, slots=True)
class TableSummary:
    """What a list of tables shows of each: its players, its phase and its progress, but not the game.

    `player_ids` are the people whose table it is, and `player_names` the name of each at this table (none for the importer of a
    game). `bots` has the bot of each seat, or an empty text for a person. `ended` is when the game was first over. `offered` is
    the host of a listed table with a free seat that has not begun. Rows of older databases have no `progress`.
    """

    code: str
    phase: Phase
    listed: bool
    edition: str
    players: int
    names: tuple[str, ...]
    player_ids: tuple[str, ...]
    updated_at: float
    progress: GameProgress | None = None
    player_names: tuple[str, ...] = ()
    bots: tuple[str, ...] = ()
    kind: GameKind = GameKind.PLAIN
    ended: float | None = None
    offered: str = ""


@dataclass(frozen=True, slots=True)
class EventBatch:
    """Events of one table that are stored together or not at all; `first` is the number of the first."""

    summary: TableSummary
    first: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RetentionPolicy:
    """How many seconds unused tables are kept: `kept_for` by phase, imported games for `brought_for` (None: forever).

    Tables past that are marked, and deleted `marked_for` seconds later. One sweep deletes at most a `share` of all tables, or
    one.
    """

    kept_for: Mapping[Phase, float]
    marked_for: float
    share: float
    brought_for: float | None = None


@dataclass(frozen=True, slots=True)
class SweepResult:
    """The result of a sweep: the time of the newest event, the number of tables marked, the codes of those deleted."""

    newest: float | None = None
    marked: int = 0
    forgotten: tuple[str, ...] = ()


class Store(Protocol):
    """Stores the events of all tables, and the sessions of their players.

    Every change raises `UnavailableError` while nothing can be written.
    """

    sessions: SessionStore

    async def append(self, batches: Sequence[EventBatch]) -> None:
        """Write these batches, all or none; they are on disk when this returns.

        Raises `ConflictError` if one of the numbers is taken, and `MalformedError` with the code ``unknown_table`` if earlier
        events are missing, because the table was deleted. A game that is over keeps the time at which it first was, whatever
        events follow.
        """
        ...

    async def read_events(self, code: str, after: int = 0) -> list[str]:
        """The events of a table that follow number `after`."""
        ...

    async def last_sequence(self, code: str) -> int:
        """The number of a table's last event; 0 if the table does not exist."""
        ...

    async def tables_of(
        self, person: str, wanted: GameFilter = EVERY_GAME, limit: int = 50, skip: int = 0
    ) -> list[TableSummary]:
        """The tables of a person: unfinished ones by their last event, then finished ones by when they ended, newest first."""
        ...

    async def summary_of(self, person: str, wanted: GameFilter = EVERY_GAME) -> GameStats:
        """The statistics of a person's games."""
        ...

    async def partners_of(self, person: str, limit: int = 100) -> list[Partner]:
        """The partners of a person's finished games, the most frequent first."""
        ...

    async def finished_codes(self, person: str) -> list[str]:
        """The codes of a person's finished games, the oldest first."""
        ...

    async def remove(self, code: str, sequence: int) -> None:
        """Delete a table with all its events, or raise `ConflictError` unless `sequence` is its last event."""
        ...

    async def delete_solo_games(self, person: str) -> tuple[str, ...]:
        """Delete every finished game that belongs to this person alone, and return their codes."""
        ...

    async def save_analysis(self, code: str, text: str) -> None:
        """Save or replace the analysis of a table's game; it is deleted with the table. Does nothing if the table is gone."""
        ...

    async def load_analysis(self, code: str) -> str | None:
        """The saved analysis of a table's game, if there is one."""
        ...

    async def open_tables(self, person: str = "", limit: int = 50) -> list[TableSummary]:
        """The open tables that a person can join, newest first: without their own, and the last `MAX_OFFERS` of each host."""
        ...

    async def sweep(self, policy: RetentionPolicy, now: float) -> SweepResult:
        """Delete tables that were marked long enough ago, then mark those abandoned since. Any event removes the mark.

        Time is that of the newest event, or `now` if that is earlier: a wrong clock deletes nothing, and time stands still
        while there are no events.
        """
        ...

    async def probe(self) -> Sequence[str]:
        """Try to write, and return a short phrase for each problem, without paths or secrets; nothing if all is well."""
        ...

    async def close(self) -> None:
        """Release all resources."""
        ...
