"""What tables need from outside, as interfaces that can be swapped: storage, news, bots, time and chance."""

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
"""How many tables of one host are listed."""


class ConflictError(Exception):
    """Somebody else has written the next event of the table: read it, then decide again."""


class GameProgress(msgspec.Struct, frozen=True):
    """How far a game has come, as all its players know it: the points, whether it was lost without any, whose turn it is (the
    name, and the person unless a bot plays there), whether every firework was completed, and how often advice was taken."""

    points: int
    lost: bool = False
    turn_of: str = ""
    person: str = ""
    perfect: bool = False
    advised: int = 0


@dataclass(frozen=True, slots=True)
class TableSummary:
    """What a list of tables shows of each: not the game, only who sits there, which phase it is in and how far it has come.
    Older databases do not know the last.

    `people` are those whose table it is, and `called` says under which name each of them sits there (none for who brought a
    game from elsewhere); `bots` has the bot of each seat, nothing for people. `ended` is when the game was first over.
    `offered` is the host of a table that anybody may join now, because it is listed, has not begun and has a free seat.
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
    """Events of one table that are stored together or not at all; `first` is the number of the first."""

    listing: TableSummary
    first: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RetentionPolicy:
    """How long tables are kept that nobody touches: so many seconds in each phase, and those with a game from elsewhere for
    `brought_for` (None: for ever), then so many more with a mark on them. No sweep forgets more than a share of all tables, or
    one."""

    kept_for: Mapping[Phase, float]
    marked_for: float
    share: float
    brought_for: float | None = None


@dataclass(frozen=True, slots=True)
class SweepResult:
    """What came of a sweep: when the newest event was kept (None if there is none), how many tables were marked, and the codes
    of those that were forgotten."""

    newest: float | None = None
    marked: int = 0
    forgotten: tuple[str, ...] = ()


class Store(Protocol):
    """Where the events of all tables are kept."""

    async def append(self, batches: Sequence[EventBatch]) -> None:
        """Keep these, all or none, on disk when this returns. `TakenError` if one of the numbers is taken; if the events
        before them are missing, the table has been forgotten: `MalformedError` with the code ``unknown_table``. Where nothing
        can be kept at the moment, this and every other change raises `UnavailableError`.

        A game that is over keeps the time at which it first was; whatever else follows, such as talk, does not change it.
        """
        ...

    async def read_events(self, code: str, after: int = 0) -> list[str]:
        """The events of a table that follow number `after`."""
        ...

    async def last_sequence(self, code: str) -> int:
        """How many events a table has; none if there is no such table (any more)."""
        ...

    async def tables_of(
        self, person: str, wanted: GameFilter = EVERY_GAME, limit: int = 50, skip: int = 0
    ) -> list[TableSummary]:
        """The tables of a person: first those that are not over, by when they were last touched, then the others by when they
        ended, each time the newest first."""
        ...

    async def summary_of(self, person: str, wanted: GameFilter = EVERY_GAME) -> GameStats:
        """What the games of a person came to."""
        ...

    async def partners_of(self, person: str, limit: int = 100) -> list[Partner]:
        """With whom a person has ended games, the most frequent first."""
        ...

    async def finished_codes(self, person: str) -> list[str]:
        """The codes of a person's ended games, the oldest first."""
        ...

    async def remove(self, code: str, sequence: int) -> None:
        """Delete a table with all its events, for good, if it has so many; otherwise `TakenError`."""
        ...

    async def delete_solo_games(self, person: str) -> tuple[str, ...]:
        """Delete, for good and at once, every ended game that is this person's alone; returns their codes."""
        ...

    async def save_analysis(self, code: str, text: str) -> None:
        """Keep what a coach found out about the game of a table, in place of what was kept before, as long as the table is. If
        that has been forgotten, nothing is kept."""
        ...

    async def load_analysis(self, code: str) -> str | None:
        """What a coach found out about the game of a table, if it has."""
        ...

    async def open_tables(self, person: str = "", limit: int = 50) -> list[TableSummary]:
        """The tables on offer to a person, newest first: without those at which they sit, and of each host the last `OFFERS`
        of these, so that nobody's tables hide all others."""
        ...

    async def sweep(self, keeping: RetentionPolicy, now: float) -> SweepResult:
        """Forget tables that were marked long enough ago, then mark those that are abandoned by now. Any event takes the mark
        off again.

        Time is that of the newest event, or `now` if that is earlier: a clock that is wrong forgets nothing, and where nobody
        plays, time stands still.
        """
        ...

    async def probe(self) -> Sequence[str]:
        """What keeps the store from keeping anything, after an attempt to: for each problem a short phrase for the host,
        without paths or secrets; nothing if all is well."""
        ...

    async def close(self) -> None:
        """Release everything."""
        ...


class Subscription(Protocol):
    """Receives news of one table."""

    async def news(self) -> int:
        """Wait for news; returns how many events the table has. Several pieces of news are delivered as one."""
        ...


class Bus(Protocol):
    """What processes that serve the same tables tell each other: that a table has changed, by its code and how many events it
    has, never what happened; and which of them lets a table's bots think."""

    closed: bool
    shared: bool
    """Whether other processes may serve the same tables, so that what this one remembers of them can be old."""
    gaps: int
    """How often news may have been missed so far. Whoever finds a new number here looks into the store."""

    @property
    def is_connected(self) -> bool:
        """Whether news of other processes would be heard."""
        ...

    async def publish(self, code: str, sequence: int) -> None:
        """Tell everybody who listens."""
        ...

    def tell_here(self, code: str, sequence: int) -> None:
        """Tell those who listen in this process, and nobody else."""
        ...

    def subscribe(self, code: str) -> AbstractContextManager[Subscription]:
        """Listen to one table."""
        ...

    def try_lock(self, code: str) -> AbstractAsyncContextManager[bool]:
        """Ask to be the only process that lets this table's bots think, for as long as the context lasts; says whether it is.
        A process that ends loses its claims. The store refuses a move that is made twice all the same."""
        ...

    def broadcast(self, topic: str, text: str) -> None:
        """Tell the other processes something that is no news of a table, such as who looks at it. It may be lost."""
        ...

    def on_broadcast(self, topic: str, listener: Callable[[str, str], None]) -> None:
        """Let a function hear what other processes tell about a topic: which of them, and what. Of "beat" it hears every few
        seconds from each that lives, this one included, and of "gap" when something may have been missed."""
        ...

    def end_streams(self) -> None:
        """Wake every listener one last time; each finds the bus closed and stops. What is published afterwards still reaches
        other processes."""
        ...

    async def close(self) -> None:
        """The same, and let go of everything."""
        ...


class BotExecutor(Protocol):
    """Lets bots think without keeping anybody else waiting."""

    async def choose_move(self, bot: str, view: View, table: str = "", lineup: Sequence[str] = ()) -> BotMove:
        """A bot's turn. Whatever happens to the bot, the action is legal. `table` is the code by which a bot that plays there
        is found again with what it remembers; `lineup` says which bot plays at each seat, nothing for people."""
        ...

    def prewarm(self, bot: str, rules: Rules) -> None:
        """Hear that a bot is going to play by these rules: what takes long can be got ready, while nobody waits for it."""
        ...

    async def close(self) -> None:
        """Stop thinking."""
        ...


class Adviser(Protocol):
    """Says what a good player would do, without keeping anybody else waiting."""

    async def advise(self, view: View, seats: Sequence[str]) -> Advice:
        """Advice for the player whose view it is and whose turn it is; `seats` names the bot at each seat, nothing for people.
        How long it takes says nothing about cards."""
        ...


def shuffled_deck(rules: Rules) -> Sequence[Card]:
    """A deck in an order that nobody can predict."""
    deck = [card for card in rules.cards for _ in range(rules.copies(card))]
    SystemRandom().shuffle(deck)
    return deck


def new_code() -> str:
    """A code for a table that nobody can guess: ten of 31 characters that cannot be mistaken for each other."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


@dataclass(frozen=True)
class Runtime:
    """Everything about a table that is left to chance, and the time."""

    deal: Callable[[Rules], Sequence[Card]] = shuffled_deck
    code: Callable[[], str] = new_code
    seat: Callable[[int], int] = secrets.randbelow
    now: Callable[[], float] = time.time
