"""Many deals from one seed: which share of them can be won.

Deal ``n`` is the one that ``Game(rules, seed=seed_of(seed, n))`` has, as everywhere; the answers do not depend on the number
of processes.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache

from tamaya.engine import Game
from tamaya.rules import IllegalError, Rules, say
from tamaya.sim.deals import seed_of
from tamaya.sim.solver.answer import Answer
from tamaya.sim.solver.solver import BUDGET, Solver, solve

CHUNK = 20
"""Deals that a process is given at a time."""


@dataclass(frozen=True)
class Deals:
    """A series of deals, and how they are to be solved: without a speed, as `solve` does it."""

    rules: Rules
    seed: int
    games: int
    budget: int = BUDGET
    speed: str | None = None

    def chunks(self) -> Iterator[range]:
        """The numbers of the deals, in chunks."""
        for first in range(0, self.games, CHUNK):
            yield range(first, min(first + CHUNK, self.games))


Solved = tuple[int, Answer]
"""The seed of a deal and what can be made of it."""


def solve_deals(deals: Deals, workers: int = 1) -> Generator[Solved]:
    """The deals of a series in their order, solved in so many processes, or in this one."""
    if workers == 1:
        for numbers in deals.chunks():
            yield from _solve_chunk(deals, numbers)
        return
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, spawn, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)) as pool:
        try:
            yield from _in_order(pool, deals, 2 * workers)
        except BrokenProcessPool:
            message = say("A process that solved deals was ended from outside, perhaps for want of memory.")
            raise IllegalError("process_ended", message) from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _in_order(pool: ProcessPoolExecutor, deals: Deals, ahead: int) -> Iterator[Solved]:
    """The results of chunks in their order, not many begun ahead of the first that is not done."""
    underway: deque[Future[list[Solved]]] = deque()
    for numbers in deals.chunks():
        underway.append(pool.submit(_solve_chunk, deals, numbers))
        if len(underway) == ahead:
            yield from underway.popleft().result()
    while underway:
        yield from underway.popleft().result()


def _solve_chunk(deals: Deals, numbers: range) -> list[Solved]:
    solved = []
    for seed in (seed_of(deals.seed, number) for number in numbers):
        game = Game(deals.rules, seed=seed)
        solver = None if deals.speed is None else _solver(deals.rules, deals.speed)
        solved.append((seed, solver.solve_game(game, deals.budget) if solver else solve(game, deals.budget)))
    return solved


@lru_cache(maxsize=1)
def _solver(rules: Rules, speed: str) -> Solver:
    """The solver of this process, whose arrays are used again."""
    return Solver(rules, speed)
