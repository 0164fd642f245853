"""Playing in this process, where a debugger can follow."""

from __future__ import annotations

from collections.abc import Generator, Iterable

from tamaya.league.run import Chunk
from tamaya.league.workers.protocol import Done, Work


class Here:
    """Plays one chunk after the other, without any worker."""

    def run(self, work: Work, chunks: Iterable[Chunk]) -> Generator[Done]:
        """Every chunk in its order."""
        for place, chunk in enumerate(chunks):
            yield Done(place, chunk, work(chunk))
