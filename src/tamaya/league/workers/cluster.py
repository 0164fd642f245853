"""Playing on the machines of a Ray cluster."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from functools import cache
from importlib.metadata import version
from time import monotonic
from typing import Any

from tamaya.league.play import ChunkResult
from tamaya.league.run import Chunk
from tamaya.league.workers.connection import LONGEST_QUOTE, connected
from tamaya.league.workers.dispatch import dispatch
from tamaya.league.workers.protocol import MOST_WORKERS, Done, Work
from tamaya.rules import TamayaError, say
from tamaya.rules.errors import LeagueError
from tamaya.rules.validation import checked_integer
from tamaya.sim.sources import sources

RETRIES = 2
"""How often Ray itself plays a chunk again whose worker or machine was lost, before it is handed out anew."""

AHEAD = 2
"""How many chunks are under way for each core, so that none waits for its next one."""

LOOK_AGAIN = 5.0
"""Seconds after which the cores are counted anew, as machines come and go."""


class Cluster:
    """Plays on a Ray cluster, by its address; ``local`` starts a Ray on this machine, ``auto`` finds a running one.

    A Ray to which the program is connected already is used as it is, and stays.
    """

    def __init__(self, address: str, workers: int | None = None) -> None:
        self.address = address
        self.workers = None if workers is None else checked_integer("workers", workers, 1, MOST_WORKERS)

    def run(self, work: Work, chunks: Iterable[Chunk]) -> Generator[Done]:
        """Every chunk once, as they get done."""
        with connected(self.address, self.workers) as ray:
            crew = _Crew(ray, self.workers)
            try:
                yield from dispatch(crew, work, chunks)
            except ray.exceptions.RayError as problem:
                message = say("The Ray cluster was lost: {problem}", problem=_last_line(problem))
                raise LeagueError("cluster_lost", message) from problem
            finally:
                crew.end()


class _Crew:
    """The workers of a cluster, to which Ray gives what we submit."""

    def __init__(self, ray: Any, workers: int | None) -> None:
        self._ray = ray
        self._workers = workers
        self._task = ray.remote(num_cpus=1, max_retries=RETRIES)(_attempt)
        self._underway: set[Any] = set()
        self._width, self._counted = 0, float("-inf")

    def width(self) -> int:
        if monotonic() - self._counted >= LOOK_AGAIN:
            cores = int(self._ray.cluster_resources().get("CPU", 0))
            self._width, self._counted = self._workers or max(AHEAD * cores, 1), monotonic()
        return self._width

    def begin(self, work: Work, chunk: Chunk) -> Any:
        ticket = self._task.remote(work, chunk, _own_version())
        self._underway.add(ticket)
        return ticket

    def ended(self, tickets: Iterable[Any]) -> Iterable[Any]:
        return self._ray.wait(list(tickets), num_returns=1)[0]  # type: ignore[no-any-return]

    def answer(self, ticket: Any) -> ChunkResult | None:
        self._underway.discard(ticket)
        try:
            answer = self._ray.get(ticket)
        except self._ray.exceptions.RayTaskError as problem:
            message = say("A machine of the cluster cannot play: {problem}", problem=_last_line(problem))
            raise LeagueError("cluster_failed", message) from problem
        except self._ray.exceptions.RayError:
            return None
        if isinstance(answer, TamayaError):
            raise answer
        return answer  # type: ignore[no-any-return]

    def end(self) -> None:
        for ticket in self._underway:
            self._ray.cancel(ticket, force=True)


def _attempt(work: Work, chunk: Chunk, wanted: str) -> ChunkResult | TamayaError:
    """What a worker does. Refusals are handed back as values: to Ray they would be failures of its own."""
    if _own_version() != wanted:
        return LeagueError(
            "other_version",
            say(
                "A machine of the cluster has Tamaya {found}, and this one has {wanted}; give all the same.",
                found=_own_version(),
                wanted=wanted,
            ),
        )
    try:
        return work(chunk)
    except TamayaError as problem:
        return problem


@cache
def _own_version() -> str:
    """The version, and a piece of the fingerprint of the source, which is what plays."""
    return f"{version('tamaya')} ({sources()[:8]})"


def _last_line(problem: Exception) -> str:
    """What a problem of Ray's comes to, without the trace before it."""
    lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
    return lines[-1][:LONGEST_QUOTE] if lines else type(problem).__name__
