"""Solve positions and series of deals for players who know every card, including the deck.

Deal ``n`` of a series is that of ``Game(rules, seed=seed_of(seed, n))``; the answers do not depend on the number of processes.
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
from importlib.util import find_spec
from itertools import product
from operator import index

from tamaya.engine import Game
from tamaya.engine.instances import Instance, Row, Setting, instance_of
from tamaya.engine.layout import ENDED, RUNNING, SEAT, layout
from tamaya.rules import Action, Ending, IllegalError, Message, Rules, action_of, say
from tamaya.rules.errors import checked_integer, require
from tamaya.sim.deals import seed_of
from tamaya.solver.answer import (
    Answer,
    Verdict,
    actions_of,
    why_hands_overflow,
    why_over,
    why_seats_miss,
    why_tried,
    why_turns_run_out,
)
from tamaya.solver.beam_search import CUT, SAVING, SPENDING, SPENT, WON, search
from tamaya.solver.position import DEPTH, NODES, WINNING, SolverWorkspace, make_workspace, refuse_unpackable_rules
from tamaya.solver.proofs import SEATS_MISS, TURNS_RUN_OUT, UNKNOWN, find_proof
from tamaya.solver.steps import STEP_BITS

WIDTHS = (4, 32, 256, 2048, 16384, 131072)
"""The number of positions of a layer that are expanded, by round."""

BUDGET = 5_000_000
"""The positions searched before a deal is left undecided."""

EASY = 30_000
"""The positions that are not worth compiling for: about a second."""

MAX_BUDGET = 10**12

CHUNK = 20
"""The deals that a process is given at a time."""


def fastest() -> str:
    """The fastest speed for which the packages are installed."""
    return "compiled" if find_spec("numba") and find_spec("numpy") else "interpreted"


def instance_at(rules: Rules, speed: str) -> Instance:
    """The instance for these rules at this speed; the interpreted one needs no other package."""
    if speed == "interpreted":
        return instance_of(Setting(rules))
    require("numpy", "sim")
    from tamaya.sim import speeds

    return instance_of(Setting(rules), speeds.speed(speed))


class Solver:
    """Solves positions under given rules, one after another; each thread needs its own solver."""

    def __init__(self, rules: Rules, speed: str = "interpreted") -> None:
        self.rules, self._is_interpreted = rules, speed == "interpreted"
        instance = instance_at(rules, speed)
        self._layout = instance.value(layout)
        refuse_unpackable_rules(self._layout)
        self._find_proof, self._search = instance(find_proof), instance(search)
        self._workspaces: dict[int, SolverWorkspace] = {}

    def solve(self, state: bytes, budget: int = BUDGET) -> Answer:
        """Solve a position, given as the state of a game; search at most about `budget` positions."""
        budget = checked_integer("budget", budget, 1, MAX_BUDGET)
        if state[ENDED] != RUNNING:
            over = Verdict.WINNABLE if state[ENDED] == Ending.WON else Verdict.LOST
            return Answer(over, reason=why_over() if over is Verdict.LOST else None)
        row, workspace = self._row(state), self._workspace(WIDTHS[0])
        proof = self._find_proof(row, workspace)
        if proof != UNKNOWN:
            return Answer(Verdict.LOST, reason=self._reason(proof, state, workspace))
        return self._search_wider(state, row, budget)

    def solve_game(self, game: Game, budget: int = BUDGET) -> Answer:
        """Solve a game from its present position."""
        return self.solve(game.state, budget)

    def _reason(self, proof: int, state: bytes, workspace: SolverWorkspace) -> Message:
        if proof == TURNS_RUN_OUT:
            return why_turns_run_out(self.rules, state, workspace)
        if proof == SEATS_MISS:
            return why_seats_miss(self.rules, state, workspace)
        return why_hands_overflow(self.rules, workspace)

    def _search_wider(self, state: bytes, row: Row, budget: int) -> Answer:
        """Search wider and wider, in both styles; if only steps that hardly ever help were left out, then with these too."""
        nodes = 0
        for width, token in product(WIDTHS, (SAVING, SPENDING)):
            workspace = self._workspace(width)
            for complete in (0, 1):
                workspace.figures[NODES] = nodes
                found = self._search(row, workspace, width, complete, token, budget)
                nodes = index(workspace.figures[NODES])
                if found == WON:
                    return Answer(Verdict.WINNABLE, self._solution(state, workspace, width), nodes=nodes)
                if found == SPENT:
                    return Answer(Verdict.UNDECIDED, nodes=nodes)
                if found == CUT:
                    break
                if complete:
                    return Answer(Verdict.LOST, reason=why_tried(), nodes=nodes)
        return Answer(Verdict.UNDECIDED, nodes=nodes)

    def _row(self, state: bytes) -> Row:
        if self._is_interpreted:
            return bytearray(state)
        import numpy as np

        row: Row = np.frombuffer(bytearray(state), np.uint8)
        return row

    def _zeros(self, count: int) -> Row:
        if self._is_interpreted:
            return [0] * count
        import numpy as np

        zeros: Row = np.zeros(count, np.int64)
        return zeros

    def _workspace(self, width: int) -> SolverWorkspace:
        if width not in self._workspaces:
            self._workspaces[width] = make_workspace(self._layout, width, self._zeros)
        return self._workspaces[width]

    def _solution(self, state: bytes, workspace: SolverWorkspace, width: int) -> tuple[Action, ...]:
        """The actions that lead to the win that was found, verified by playing them."""
        links = [index(workspace.figures[WINNING])]
        for depth in range(index(workspace.figures[DEPTH]) - 1, -1, -1):
            links.append(index(workspace.trail[depth * width + (links[-1] >> STEP_BITS)]))
        numbers = actions_of(self.rules, state, (link & ((1 << STEP_BITS) - 1) for link in reversed(links)))
        first, players = state[SEAT], self.rules.players
        return tuple(action_of(number, self.rules, (first + turn) % players) for turn, number in enumerate(numbers))


def solve(game: Game, budget: int = BUDGET, speed: str | None = None) -> Answer:
    """Whether a game can still be won from its present position by players who know every card.

    Without a speed, compiled code is used only for hard positions; the answer is the same. No part of it may reach the players
    of a running game.
    """
    if speed is not None:
        return Solver(game.rules, speed).solve_game(game, budget)
    answer = Solver(game.rules).solve_game(game, min(budget, EASY) if isinstance(budget, int) else budget)
    if answer.verdict is not Verdict.UNDECIDED or budget <= EASY:
        return answer
    return Solver(game.rules, fastest()).solve_game(game, budget)


# Series of deals.


@dataclass(frozen=True)
class Deals:
    """A series of deals, and how to solve them: without a speed, as `solve` does."""

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
"""The seed of a deal and the answer for it."""


def solve_deals(deals: Deals, workers: int = 1) -> Generator[Solved]:
    """Solve the deals of a series in order, with this many processes; one worker is this process."""
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
    """The results of chunks in order, starting at most `ahead` chunks before the first result is used."""
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
    """The solver of this process, which reuses its arrays."""
    return Solver(rules, speed)
