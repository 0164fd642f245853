"""What a table needs from the world, so that the world can be exchanged: storage, news, bots, time and chance."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from random import SystemRandom
from typing import Protocol

from tamaya.bots import Thought
from tamaya.engine import View
from tamaya.rules import Card, Rules
from tamaya.table.table import Phase

CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 10


class TakenError(Exception):
    """Somebody else has written the next event of the table: look again, then decide anew."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What lists of tables show of one: no game, only who sits there and how far they are."""

    code: str
    phase: Phase
    listed: bool
    edition: str
    players: int
    names: tuple[str, ...]
    people: tuple[str, ...]
    touched: float


@dataclass(frozen=True, slots=True)
class EventBatch:
    """Events of one table that are kept together or not at all; `first` is the number of the first of them."""

    listing: Listing
    first: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Keeping:
    """How long tables are kept that nobody touches: so many seconds in each phase, then so many more with a mark on them. No
    sweep forgets more than a share of all tables, or one."""

    kept_for: Mapping[Phase, float]
    marked_for: float
    share: float


@dataclass(frozen=True, slots=True)
class Swept:
    """What came of a sweep: when the newest event was kept (None if there is none), how many tables were marked, and the codes
    of those that were forgotten."""

    newest: float | None = None
    marked: int = 0
    forgotten: tuple[str, ...] = ()


class Store(Protocol):
    """Where the events of all tables are kept."""

    async def append(self, batches: Sequence[EventBatch]) -> None:
        """Keep these, all or none, on disk when this returns. `TakenError` if one of the numbers is taken; if the events
        before them are missing, the table has been forgotten and the refusal is that of an unknown table."""
        ...

    async def lines(self, code: str, after: int = 0) -> list[str]:
        """The events of a table that follow number `after`."""
        ...

    async def tables_of(self, person: str, limit: int = 50) -> list[Listing]:
        """The tables at which a person sits: those that are not over first, then by when they were last touched."""
        ...

    async def listed(self, limit: int = 50) -> list[Listing]:
        """The open tables that anybody may join, newest first."""
        ...

    async def sweep(self, keeping: Keeping, now: float) -> Swept:
        """Forget tables that were marked long enough ago, then mark those that are abandoned by now. Any event takes the mark
        off again.

        Time is that of the newest event, or `now` if that is earlier: a clock that is wrong forgets nothing, and where nobody
        plays, time stands still.
        """
        ...

    async def close(self) -> None:
        """Let go of everything."""
        ...


class Subscription(Protocol):
    """Hears about one table."""

    async def news(self) -> int:
        """Wait until there is something new; returns how many events the table has. Several pieces of news become one."""
        ...


class Bus(Protocol):
    """Carries the news that a table has changed: which and how far it is, never what happened."""

    closed: bool

    async def publish(self, code: str, sequence: int) -> None:
        """Tell everybody who listens."""
        ...

    def subscribe(self, code: str) -> AbstractContextManager[Subscription]:
        """Listen to one table."""
        ...

    async def close(self) -> None:
        """Wake every listener for the last time: who finds the bus closed goes home."""
        ...


class Thinker(Protocol):
    """Lets bots think without holding anybody up."""

    async def think(self, bot: str, view: View, table: str = "") -> Thought:
        """What a bot does at a table; whatever happens to the bot, the action is legal. By the table's code, the bot is found
        again as it was after its last turn."""
        ...

    async def close(self) -> None:
        """Stop thinking."""
        ...


def shuffled_deck(rules: Rules) -> Sequence[Card]:
    """A deck by chance that nobody can foresee."""
    deck = [card for card in rules.cards for _ in range(rules.copies(card))]
    SystemRandom().shuffle(deck)
    return deck


def new_code() -> str:
    """The name of a table, which nobody can guess: 31 letters that are not mistaken for each other, ten times."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


@dataclass(frozen=True)
class Chance:
    """Everything about a table that is left to chance, and the time."""

    deal: Callable[[Rules], Sequence[Card]] = shuffled_deck
    code: Callable[[], str] = new_code
    seat: Callable[[int], int] = secrets.randbelow
    now: Callable[[], float] = time.time
