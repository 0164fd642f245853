"""Handing chunks out to workers that may be lost, so that each is counted once and none is forgotten."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable, Mapping
from typing import NamedTuple, Protocol, TypeVar

from tamaya.league.matches import Chunk
from tamaya.league.play import ChunkResult
from tamaya.league.workers import Done, Work
from tamaya.rules import say
from tamaya.rules.errors import LeagueError

ATTEMPTS = 3
"""How often a chunk is handed out before its games are held to be what kills the workers."""

LEAD = 32
"""How many chunks for each one under way may be done while an earlier one is not: results that wait for it take room."""

Ticket = TypeVar("Ticket", bound=Hashable)


class Crew(Protocol[Ticket]):
    """Workers: what they are given is known by a ticket."""

    def width(self) -> int:
        """How many chunks they want to have under way now."""
        ...

    def begin(self, work: Work, chunk: Chunk) -> Ticket:
        """Give a chunk to a worker."""
        ...

    def ended(self, tickets: Iterable[Ticket]) -> Iterable[Ticket]:
        """Wait until something has become of a chunk; those of which it has."""
        ...

    def answer(self, ticket: Ticket) -> ChunkResult | None:
        """What came of a chunk that has ended; None if its worker was lost."""
        ...


class _Task(NamedTuple):
    place: int
    chunk: Chunk
    attempt: int


def dispatch(crew: Crew[Ticket], work: Work, chunks: Iterable[Chunk]) -> Generator[Done]:
    """Every chunk once, as the crew gets them done. A limited number is under way at a time."""
    upcoming = (_Task(place, chunk, 1) for place, chunk in enumerate(chunks))
    following = next(upcoming, None)
    underway: dict[Ticket, _Task] = {}
    while following or underway:
        width = crew.width()
        while following and len(underway) < width and _is_near(following, underway, width * LEAD):
            underway[crew.begin(work, following.chunk)] = following
            following = next(upcoming, None)
        for ticket in crew.ended(underway):
            task = underway.pop(ticket)
            played = crew.answer(ticket)
            if played is not None:
                yield Done(task.place, task.chunk, played)
            elif task.attempt < ATTEMPTS:
                underway[crew.begin(work, task.chunk)] = task._replace(attempt=task.attempt + 1)
            else:
                raise _lost(task.chunk)


def _is_near(task: _Task, underway: Mapping[Ticket, _Task], lead: int) -> bool:
    return task.place - min((other.place for other in underway.values()), default=task.place) < lead


def _lost(chunk: Chunk) -> LeagueError:
    if not chunk.numbers:
        message = say(
            "The process that compiled the bot {bot} for {players} players was lost {attempts} times; "
            "there may be too little memory.",
            bot=chunk.run.bot, players=chunk.run.rules.players, attempts=ATTEMPTS,
        )  # fmt: skip
        return LeagueError("workers_lost", message)
    return LeagueError(
        "workers_lost",
        say(
            "The process that played games {first} to {last} of seed {seed} with the bot {bot} was lost {attempts} times; "
            "the bot may end its process or need too much memory.",
            first=chunk.first,
            last=chunk.end - 1,
            seed=chunk.run.seed,
            bot=chunk.run.bot,
            attempts=ATTEMPTS,
        ),
    )
