"""The ports of tables: interfaces for storage, news, bots, time and chance."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass
from random import SystemRandom
from typing import Protocol

import msgspec

from tamaya.bots import Advice, BotMove
from tamaya.engine import View
from tamaya.rules import Card, Rules
from tamaya.table.state import Phase
from tamaya.table.store import EVERY_GAME, GameFilter, GameKind, GameStats, Partner

CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 10
OFFERS = 2
"""The number of tables of one host that are listed."""


class ConflictError(Exception):
    """Another process has written the next event of the table: read it and decide again."""


class GameProgress(msgspec.Struct, frozen=True):
    """The state of a game that every player knows: its points, whether it was lost without any, whose turn it is (the name, and
    the person unless a bot plays), whether every firework was completed, and how often advice was taken."""

    points: int
    lost: bool = False
    turn_of: str = ""
    person: str = ""
    perfect: bool = False
    advised: int = 0


@dataclass(frozen=True, slots=True)
class TableSummary:
    """What a list of tables shows of each: who sits there, the phase and the progress (which older databases lack), but not the
    game.

    `people` are those to whom the table belongs, and `called` their names there (empty for the owner of an imported game);
    `bots` has the bot of each seat, empty for people. `ended` is when the game first ended. `offered` is the host of a table
    that can be joined now: listed, not begun, with a free seat.
    """

    code: str
    phase: Phase
    listed: bool
    edition: str
    players: int
    names: tuple[str, ...]
    people: tuple[str, ...]
    touched: float
    progress: GameProgress | None = None
    called: tuple[str, ...] = ()
    bots: tuple[str, ...] = ()
    kind: GameKind = GameKind.PLAIN
    ended: float | None = None
    offered: str = ""


@dataclass(frozen=True, slots=True)
class EventBatch:
    """Events of one table that are stored all or none; `first` is the number of the first."""

    listing: TableSummary
    first: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RetentionPolicy:
    """How long abandoned tables are kept: seconds by phase, imported games `brought_for` (None: forever), then `marked_for`
    with a mark. No sweep deletes more than this `share` of all tables, or one table."""

    kept_for: Mapping[Phase, float]
    marked_for: float
    share: float
    brought_for: float | None = None


@dataclass(frozen=True, slots=True)
class SweepResult:
    """The result of a sweep: the time of the newest event (None if there is none), the number of tables marked, and the codes
    of those deleted."""

    newest: float | None = None
    marked: int = 0
    forgotten: tuple[str, ...] = ()


class Store(Protocol):
    """Stores the events of all tables."""

    async def append(self, batches: Sequence[EventBatch]) -> None:
        """Store these events, all or none; they are on disk when this returns.

        Raises `ConflictError` if one of the numbers is taken, `MalformedError` with the code ``unknown_table`` if the events
        before them are missing because the table was deleted, and, as every other change, `UnavailableError` if nothing can be
        stored at the moment. Later events, such as messages, do not change the time at which a game first ended.
        """
        ...

    async def read_events(self, code: str, after: int = 0) -> list[str]:
        """The events of a table after number `after`."""
        ...

    async def last_sequence(self, code: str) -> int:
        """The number of events of a table, 0 if it does not exist."""
        ...

    async def tables_of(
        self, person: str, wanted: GameFilter = EVERY_GAME, limit: int = 50, skip: int = 0
    ) -> list[TableSummary]:
        """The tables of a person, newest first: those that have not ended, by their last event, then the others, by their
        end."""
        ...

    async def summary_of(self, person: str, wanted: GameFilter = EVERY_GAME) -> GameStats:
        """Statistics of a person's games."""
        ...

    async def partners_of(self, person: str, limit: int = 100) -> list[Partner]:
        """The players of a person's finished games, the most frequent first."""
        ...

    async def finished_codes(self, person: str) -> list[str]:
        """The codes of a person's finished games, oldest first."""
        ...

    async def remove(self, code: str, sequence: int) -> None:
        """Permanently delete a table if it has `sequence` events; raises `ConflictError` if it has more."""
        ...

    async def delete_solo_games(self, person: str) -> tuple[str, ...]:
        """Permanently delete the finished games that belong to this person alone, and return their codes."""
        ...

    async def save_analysis(self, code: str, text: str) -> None:
        """Save or replace the coach's analysis of a table's game. It is deleted with the table, and not saved if the table was
        deleted."""
        ...

    async def load_analysis(self, code: str) -> str | None:
        """The coach's analysis of a table's game, if there is one."""
        ...

    async def open_tables(self, person: str = "", limit: int = 50) -> list[TableSummary]:
        """The tables that a person can join, newest first, at most `OFFERS` of each host, so that no host's tables hide all
        others."""
        ...

    async def sweep(self, keeping: RetentionPolicy, now: float) -> SweepResult:
        """Delete the tables marked long enough ago, then mark those that are abandoned by now. Any event removes the mark.

        Ages are measured against the newest event, or `now` if that is earlier: a wrong clock deletes nothing, and tables do
        not age while no table is played at.
        """
        ...

    async def probe(self) -> Sequence[str]:
        """Try to store something; a short phrase for each problem, without paths or secrets, empty if all is well."""
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...


class Subscription(Protocol):
    """Receives news of one table."""

    async def news(self) -> int:
        """Wait for news and return the number of events of the table; several news are delivered as one."""
        ...


class Bus(Protocol):
    """Carries news between processes that serve the same tables: that a table has changed, by its code and number of events,
    never what happened. It also has the locks that let one process play a table's bots."""

    closed: bool
    shared: bool
    """Whether other processes may serve the same tables, so that cached ones may be outdated."""
    gaps: int
    """How often news may have been missed so far. If the number has changed, check the store."""

    @property
    def is_connected(self) -> bool:
        """Whether news of other processes would be received."""
        ...

    async def publish(self, code: str, sequence: int) -> None:
        """Send news to all subscribers."""
        ...

    def tell_here(self, code: str, sequence: int) -> None:
        """Send news to the subscribers in this process only."""
        ...

    def subscribe(self, code: str) -> AbstractContextManager[Subscription]:
        """Subscribe to one table."""
        ...

    def try_lock(self, code: str) -> AbstractAsyncContextManager[bool]:
        """Try to hold a lock, such as that of a table's bots, while the context lasts; yields whether it was acquired. A
        process that ends releases its locks. They only save work: the store refuses a move that is made twice."""
        ...

    def broadcast(self, topic: str, text: str) -> None:
        """Send a message other than table news to the other processes, such as who watches. It may be lost."""
        ...

    def on_broadcast(self, topic: str, listener: Callable[[str, str], None]) -> None:
        """Call a listener with the sender and the text of each message on a topic. On "beat" every living process sends every
        few seconds, this one included; "gap" means that messages may have been missed."""
        ...

    def end_streams(self) -> None:
        """Close the bus for subscribers: each is woken, finds the bus closed and stops. News still reaches other processes."""
        ...

    async def close(self) -> None:
        """End the streams and close all connections."""
        ...


class BotExecutor(Protocol):
    """Runs bots without blocking other work."""

    async def choose_move(self, bot: str, view: View, table: str = "", lineup: Sequence[str] = ()) -> BotMove:
        """The move of a bot, which is legal even if the bot fails. `table` is the key of the bot's memory between turns;
        `lineup` has the bot of each seat, empty for people."""
        ...

    def prewarm(self, bot: str, rules: Rules) -> None:
        """Prepare a bot for rules by which it is going to play, in the background."""
        ...

    async def close(self) -> None:
        """Stop all bots."""
        ...


class Adviser(Protocol):
    """Says what a good player would do, without blocking other work."""

    async def advise(self, view: View, seats: Sequence[str]) -> Advice:
        """Advice for the player to move, whose view this is; `seats` has the bot of each seat, empty for people. How long it
        takes reveals nothing about cards."""
        ...


def shuffled_deck(rules: Rules) -> Sequence[Card]:
    """A deck in an unpredictable order."""
    deck = [card for card in rules.cards for _ in range(rules.copies(card))]
    SystemRandom().shuffle(deck)
    return deck


def new_code() -> str:
    """A table code that cannot be guessed: ten of 31 characters that are not easily mistaken for each other."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


@dataclass(frozen=True)
class Runtime:
    """The sources of chance and time."""

    deal: Callable[[Rules], Sequence[Card]] = shuffled_deck
    code: Callable[[], str] = new_code
    seat: Callable[[int], int] = secrets.randbelow
    now: Callable[[], float] = time.time
