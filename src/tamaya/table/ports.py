"""The ports of a table apart from storage: the bus, bots, advice, and the runtime (deck, codes and clock)."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass
from random import SystemRandom
from typing import Protocol

from tamaya.bots import Advice, BotMove
from tamaya.engine import View
from tamaya.rules import Card, Rules

CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 10


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
