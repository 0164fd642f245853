"""Workers that play chunks: this process, processes on every core, or the machines of a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import NamedTuple, Protocol

from tamaya.league.matches import Chunk
from tamaya.league.play import ChunkResult

MAX_WORKERS = 10_000

Work = Callable[[Chunk], ChunkResult]
"""The function that workers call with a chunk. It is pickled by name, so it must be importable on every worker."""


class CompletedChunk(NamedTuple):
    """A chunk with its number among those given to the runner, and its result."""

    number: int
    chunk: Chunk
    result: ChunkResult


class Runner(Protocol):
    """Runs chunks on workers."""

    def run(self, work: Work, chunks: Iterable[Chunk]) -> Generator[CompletedChunk]:
        """Yield every chunk once, as they complete; a chunk whose worker was lost is played again.

        Chunks are taken from the iterable as workers become free, and none starts far ahead of an earlier one that is still
        running. Closing the generator ends the workers.
        """
        ...


class InProcess:
    """Runs one chunk after another in this process, where a debugger can follow."""

    def run(self, work: Work, chunks: Iterable[Chunk]) -> Generator[CompletedChunk]:
        """Yield every chunk in its order."""
        for number, chunk in enumerate(chunks):
            yield CompletedChunk(number, chunk, work(chunk))


def choose_runner(workers: int | None = None, cluster: str | None = None) -> Runner:
    """Return a Ray cluster if an address is given, this process for one worker, else a process for each worker or core."""
    from tamaya.league.workers.processes import Processes
    from tamaya.league.workers.ray_cluster import Cluster

    if cluster is not None:
        return Cluster(cluster, workers)
    return InProcess() if workers == 1 else Processes(workers)
