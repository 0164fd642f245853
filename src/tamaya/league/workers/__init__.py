"""What a runner is."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import NamedTuple, Protocol

from tamaya.league.matches import Chunk
from tamaya.league.play import ChunkResult

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


class Here:
    """Plays one chunk after the other, without any worker."""

    def run(self, work: Work, chunks: Iterable[Chunk]) -> Generator[Done]:
        """Every chunk in its order."""
        for place, chunk in enumerate(chunks):
            yield Done(place, chunk, work(chunk))


def choose_runner(workers: int | None = None, cluster: str | None = None) -> Runner:
    """A Ray cluster where one is named, this process for a single worker, else as many processes as wanted or as cores."""
    from tamaya.league.workers.processes import Processes
    from tamaya.league.workers.ray_cluster import Cluster

    if cluster is not None:
        return Cluster(cluster, workers)
    return Here() if workers == 1 else Processes(workers)
