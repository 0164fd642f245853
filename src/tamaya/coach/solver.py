"""The solver in the background: could a finished game have been won?"""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial

from tamaya.coach.jobs import JobQueue
from tamaya.engine import Game
from tamaya.record import Record
from tamaya.review.winnability import BUDGET, UNANSWERED, Reply, Winnability, answer_to, solver_steps
from tamaya.workers.processes import Worker

GAME_TIMEOUT = 120.0
"""Seconds for one game, once the worker process is free for it."""
MAX_RESULTS = 500
"""Games whose results a process remembers."""
MAX_PENDING = 20
NICENESS = 10


@dataclass
class SolverProgress:
    """How far the solver is with a game: whether it was requested, the positions it has judged, and its result. If it `failed`,
    it can be requested again."""

    requested: bool = False
    positions: int = 0
    result: Winnability | None = None
    failed: bool = False

    def fail(self) -> None:
        """Note that the solver failed."""
        self.failed = True


class WinSolver:
    """Solves finished games, one at a time. Games with the same deal and moves share a result."""

    def __init__(self, budget: int = BUDGET, timeout: float = GAME_TIMEOUT) -> None:
        self._budget, self._timeout = budget, timeout
        self._jobs: JobQueue[Hashable, SolverProgress] = JobQueue("the solver", MAX_PENDING, MAX_RESULTS)
        self._worker = Worker(NICENESS)

    def progress(self, record: Record) -> SolverProgress:
        """How far the solver is with a game."""
        return self._jobs.get(_key(record)) or SolverProgress()

    def request(self, record: Record, retry: bool = False) -> SolverProgress:
        """Start solving a game unless it was requested before or the queue is full; a failed one is only started again by a
        `retry`."""
        key = _key(record)
        found = self._jobs.get(key)
        if found and not (retry and found.failed):
            return found
        if self._jobs.is_full:
            return SolverProgress(requested=True, failed=found is not None)
        found = SolverProgress(requested=True)
        self._jobs.start(key, found, partial(self._solve, record))
        return found

    async def _solve(self, record: Record, progress: SolverProgress) -> None:
        async with self._jobs.lock:
            progress.result = await self._solved(record, progress)

    async def _solved(self, record: Record, progress: SolverProgress) -> Winnability:
        clock, steps = asyncio.get_running_loop().time, solver_steps(record)
        end = clock() + self._timeout
        try:
            position = next(steps)
            while True:
                answer = await self._answer(position, end - clock())
                progress.positions += 1
                if answer is UNANSWERED:
                    end = clock()
                position = steps.send(answer)
        except StopIteration as done:
            result: Winnability = done.value
            return result

    async def _answer(self, position: Game, seconds: float) -> Reply:
        """The solver's answer within these seconds. A process that is late or breaks down is replaced for the next game."""
        if seconds <= 0:
            return UNANSWERED
        try:
            return await self._worker.run(answer_to, position, self._budget, limit=seconds)
        except (TimeoutError, BrokenProcessPool):
            return UNANSWERED

    async def close(self) -> None:
        """Cancel what is pending, and end the process."""
        await self._jobs.close()
        await self._worker.close()


def _key(record: Record) -> Hashable:
    """What the answer depends on: the players do not matter."""
    return record.rules, record.deck, record.moves
