"""What a runner is."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import NamedTuple, Protocol

from tamaya.league.play import ChunkResult
from tamaya.league.run import Chunk

MOST_WORKERS = 10_000

Work = Callable[[Chunk], ChunkResult]
"""What is done with a chunk; it travels to workers, so it is a function of a module that they have too."""


class Done(NamedTuple):
    """A chunk that was played, with its place among those given."""

    place: int
    chunk: Chunk
    played: ChunkResult


class Runner(Protocol):
    """Somebody who gets chunks played."""

    def run(self, work: Work, chunks: Iterable[Chunk]) -> Generator[Done]:
        """Every chunk once, as they get done; a chunk whose worker was lost is played again.

        Chunks are taken as they are needed, and none is begun far ahead of one that is not done. Whoever stops early
        closes the generator, which ends the workers.
        """
        ...
