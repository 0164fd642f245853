"""Schedule chunks on unreliable workers; count each exactly once."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable, Mapping
from typing import NamedTuple, Protocol, TypeVar

from tamaya.league.matches import Chunk
from tamaya.league.play import ChunkResult
from tamaya.league.workers import CompletedChunk, Work
from tamaya.rules import LeagueError, say

ATTEMPTS = 3
"""How often a chunk is started before its games are assumed to crash the workers."""

MAX_AHEAD = 32
"""The chunks that may complete, per running one, while an earlier one is still running: ordered results wait in memory."""

Ticket = TypeVar("Ticket", bound=Hashable)


class WorkerPool(Protocol[Ticket]):
    """Workers that run chunks; a ticket identifies a running chunk."""

    def width(self) -> int:
        """Return how many chunks should be running now."""
        ...

    def submit(self, work: Work, chunk: Chunk) -> Ticket:
        """Start a chunk on a worker."""
        ...

    def wait(self, tickets: Iterable[Ticket]) -> Iterable[Ticket]:
        """Wait until one or more chunks have ended, and return their tickets."""
        ...

    def result(self, ticket: Ticket) -> ChunkResult | None:
        """Return the result of an ended chunk; None if its worker was lost."""
        ...


class _Task(NamedTuple):
    number: int
    chunk: Chunk
    attempt: int


def schedule(pool: WorkerPool[Ticket], work: Work, chunks: Iterable[Chunk]) -> Generator[CompletedChunk]:
    """Yield every chunk once, as workers complete them; at most `pool.width()` run at a time."""
    upcoming = (_Task(number, chunk, 1) for number, chunk in enumerate(chunks))
    following = next(upcoming, None)
    running: dict[Ticket, _Task] = {}
    while following or running:
        width = pool.width()
        while following and len(running) < width and _is_near(following, running, width * MAX_AHEAD):
            running[pool.submit(work, following.chunk)] = following
            following = next(upcoming, None)
        for ticket in pool.wait(running):
            task = running.pop(ticket)
            result = pool.result(ticket)
            if result is not None:
                yield CompletedChunk(task.number, task.chunk, result)
            elif task.attempt < ATTEMPTS:
                running[pool.submit(work, task.chunk)] = task._replace(attempt=task.attempt + 1)
            else:
                raise _lost(task.chunk)


def _is_near(task: _Task, running: Mapping[Ticket, _Task], ahead: int) -> bool:
    return task.number - min((other.number for other in running.values()), default=task.number) < ahead


def _lost(chunk: Chunk) -> LeagueError:
    if not chunk.numbers:
        message = say(
            "The process that compiled the bot {bot} for {players} players was lost {attempts} times; "
            "there may be too little memory.",
            bot=chunk.match.bot, players=chunk.match.rules.players, attempts=ATTEMPTS,
        )  # fmt: skip
        return LeagueError("workers_lost", message)
    return LeagueError(
        "workers_lost",
        say(
            "The process that played games {first} to {last} of seed {seed} with the bot {bot} was lost {attempts} times; "
            "the bot may end its process or need too much memory.",
            first=chunk.first,
            last=chunk.end - 1,
            seed=chunk.match.seed,
            bot=chunk.match.bot,
            attempts=ATTEMPTS,
        ),
    )
